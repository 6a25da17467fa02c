"""A client of any service that speaks OpenAI's embeddings API."""

import json
from collections.abc import Sequence
from typing import Any, Final

from pydantic import SecretStr

from afterword.pipeline.clock import Clock
from afterword.pipeline.gateway.budget import Reply
from afterword.pipeline.gateway.embedding.reply import largest_reply, read_reply
from afterword.pipeline.gateway.http.address import bearer, checked_address
from afterword.pipeline.gateway.http.model import Service
from afterword.pipeline.gateway.http.status import failure
from afterword.pipeline.gateway.http.wire import Wire

SERVICE: Final = Service("embedding service", "AFTERWORD_EMBEDDING", "/embeddings", given="texts")

_SHORTENING: Final = "text-embedding-3"
"""Models that take `dimensions`; others refuse the field (OpenAI's API reference, `dimensions`)."""


class OpenAIEmbeddings:
    """Asks once per call: no retry, no redirect, one deadline. What it costs is not its concern.

    Args:
        base_url: http or https address that has `/embeddings` below it.
        api_key: sent as a bearer token; empty: none is sent.
        model: model asked for.
        dimensions: length of its vectors.
        timeout_s: longest one call may take; seconds.
        clock: for a Retry-After that names a moment.

    Raises:
        InvalidInputError: an address or key that can never work.
    """

    provider = "openai"

    def __init__(
        self,
        base_url: str,
        api_key: SecretStr,
        model: str,
        dimensions: int,
        timeout_s: float,
        clock: Clock,
    ) -> None:
        self.model = model
        self.dimensions = dimensions
        self.timeout_s = timeout_s
        self._clock = clock
        url = checked_address(SERVICE, base_url) + SERVICE.path
        self._wire = Wire(SERVICE, url, bearer(SERVICE, api_key), timeout_s)

    def ask(self, texts: Sequence[str]) -> Reply[list[bytes]]:
        """Embed the texts with one request, and return vectors and the tokens counted.

        Raises:
            RefusedError: texts the service will never take.
            AskFailedError: no usable reply; a `SetupError` where no text would have got one.
            NotSentError: the service was not reached.
        """
        received = self._wire.post(
            json.dumps(self._request(texts)).encode(), largest_reply(len(texts), self.dimensions)
        )
        if received.status != 200:
            raise failure(SERVICE, received, self._clock())
        return read_reply(received.body, len(texts), self.dimensions)

    def ask_query(self, texts: Sequence[str]) -> Reply[list[bytes]]:
        """Embed questions: to these models they are texts like others."""
        return self.ask(texts)

    def close(self) -> None:
        """Close the connections."""
        self._wire.close()

    def _request(self, texts: Sequence[str]) -> dict[str, Any]:
        request: dict[str, Any] = {
            "model": self.model,
            "input": list(texts),
            "encoding_format": "float",
        }
        if self.model.startswith(_SHORTENING):
            request["dimensions"] = self.dimensions
        return request

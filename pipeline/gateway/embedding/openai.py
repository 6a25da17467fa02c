"""Client of any service with OpenAI's embeddings API."""

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

_SERVICE: Final = Service(
    "embedding service", "AFTERWORD_EMBEDDING", "/embeddings", input_name="texts"
)

_SHORTENING: Final = "text-embedding-3"
"""Start of the model names that accept `dimensions`; others reject the field.

Source: OpenAI's API reference, `dimensions`."""


class OpenAIEmbeddings:
    """Sends one request per call, with one deadline and without retry or redirect.

    It does not check the budget; `MeteredEmbedder` does.

    Args:
        base_url: http or https address with `/embeddings` below it.
        api_key: sent as a bearer token, unless empty.
        model: name of the model.
        dimensions: length of its vectors.
        timeout_s: limit of one call; seconds.
        clock: the present, to read a Retry-After date.

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
        url = checked_address(_SERVICE, base_url) + _SERVICE.path
        self._wire = Wire(_SERVICE, url, bearer(_SERVICE, api_key), timeout_s)

    def ask(self, texts: Sequence[str]) -> Reply[list[bytes]]:
        """Embed the texts with one request; return the vectors and the token count.

        Raises:
            RefusedError: the service never accepts these texts.
            AskFailedError: no usable reply; a `SetupError` if the settings are wrong.
            NotSentError: the request was not sent.
        """
        received = self._wire.post(
            json.dumps(self._request(texts)).encode(), largest_reply(len(texts), self.dimensions)
        )
        if received.status != 200:
            raise failure(_SERVICE, received, self._clock())
        return read_reply(received.body, len(texts), self.dimensions)

    def ask_query(self, texts: Sequence[str]) -> Reply[list[bytes]]:
        """Embed search queries: these models do not distinguish them from texts."""
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

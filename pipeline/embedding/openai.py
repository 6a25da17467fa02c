"""A client of any service that speaks OpenAI's embeddings API."""

import json
import re
from collections.abc import Sequence
from typing import Any, Final

import httpx
from pydantic import SecretStr

from pipeline.budget import Reply
from pipeline.clock import Clock
from pipeline.embedding.reply import largest_reply, read_reply
from pipeline.embedding.status import failure
from pipeline.embedding.wire import Wire
from pipeline.errors import InvalidInputError

_SHORTENING: Final = "text-embedding-3"
"""Models that take `dimensions`; others refuse the field (OpenAI's API reference, `dimensions`)."""

_KEY: Final = re.compile(r"[!-~]+")


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
        self._wire = Wire(_address(base_url), _headers(api_key), timeout_s)

    def ask(self, texts: Sequence[str]) -> Reply[list[bytes]]:
        """Embed the texts with one request, and return vectors and the tokens counted.

        Raises:
            InvalidInputError: texts or settings the service will never take.
            AskFailedError: no usable reply.
            NotSentError: the service was not reached.
        """
        received = self._wire.post(
            json.dumps(self._request(texts)).encode(), largest_reply(len(texts), self.dimensions)
        )
        if received.status != 200:
            raise failure(received, self._clock())
        return read_reply(received.body, len(texts), self.dimensions)

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


def _address(base_url: str) -> str:
    try:
        url = httpx.URL(base_url)
        url.host.encode("idna")  # what name look-up does, and fails at with a stranger's error
    except (httpx.InvalidURL, UnicodeError):
        raise _bad_address("is no address") from None
    if url.scheme not in ("http", "https") or not url.host:
        raise _bad_address("names no http or https host")
    if url.port is not None and not 0 < url.port < 65536:
        raise _bad_address("names a port that does not exist")
    if url.userinfo or url.query or url.fragment:
        raise _bad_address("holds more than host and path")
    return base_url.rstrip("/") + "/embeddings"


def _bad_address(problem: str) -> InvalidInputError:
    # The value stays out of the message: a password may be part of it.
    accepted = "such as https://api.openai.com/v1; the key has its own setting"
    return InvalidInputError("AFTERWORD_EMBEDDING_BASE_URL", problem, accepted)


def _headers(api_key: SecretStr) -> dict[str, str]:
    # Compressed, a small reply could unfold into more than memory holds.
    headers = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
    key = api_key.get_secret_value()
    if key and not _KEY.fullmatch(key):
        accepted = "printable ASCII without spaces"
        raise InvalidInputError("AFTERWORD_EMBEDDING_API_KEY", "cannot be a header", accepted)
    return headers | ({"Authorization": f"Bearer {key}"} if key else {})

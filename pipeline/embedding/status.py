"""What the status of a reply means for whoever asked."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from pipeline.embedding.model import AskFailedError
from pipeline.embedding.wire import Received
from pipeline.errors import InvalidInputError, PipelineError

_KEY = ("AFTERWORD_EMBEDDING_API_KEY", "a key that may use this service and model")
_URL = ("AFTERWORD_EMBEDDING_BASE_URL", "the address whose /embeddings answers, and its model")
_TEXTS = ("texts", "texts and an AFTERWORD_EMBEDDING_MODEL that the service takes")

PERMANENT: Final[Mapping[int, tuple[str, str]]] = {
    301: _URL,
    302: _URL,
    303: _URL,
    307: _URL,
    308: _URL,
    400: _TEXTS,
    401: _KEY,
    403: _KEY,
    404: _URL,
    405: _URL,
    410: _URL,
    413: _TEXTS,
    415: _URL,
    422: _TEXTS,
}
"""Statuses that will be the same tomorrow, and what would have to change: field, accepted."""

REASONS: Final = frozenset(
    {
        "context_length_exceeded",
        "insufficient_quota",
        "invalid_api_key",
        "invalid_request_error",
        "model_not_found",
        "rate_limit_exceeded",
        "server_error",
        "tokens",
    }
)
"""The `error.code` words that may be repeated; a reply can hold anything, keys and texts too."""

LONGEST_PAUSE_S: Final = 86_400.0
"""A service that asks for more than a day is asked again after one."""


def failure(received: Received, now: datetime) -> PipelineError:
    """Return the error that a reply other than 200 stands for.

    Args:
        now: for a Retry-After that names a moment; aware UTC.
    """
    reason = _reason(received.body)
    said = f"HTTP {received.status}" + (f" ({reason})" if reason else "")
    if received.status in PERMANENT:
        field, accepted = PERMANENT[received.status]
        return InvalidInputError(field, f"refused by the embedding service, {said}", accepted)
    pause_s = _pause(received.retry_after, now)
    when = "later" if pause_s is None else f"in {pause_s:g} s"
    return AskFailedError(
        f"embedding service answered {said}; try again {when}", retry_after_s=pause_s
    )


def _reason(body: bytes) -> str | None:
    try:
        code = json.loads(body)["error"]["code"]
    except (ValueError, RecursionError, LookupError, TypeError):
        return None
    return code if isinstance(code, str) and code in REASONS else None


def _pause(retry_after: str | None, now: datetime) -> float | None:
    """Return the seconds of a Retry-After, which is a count or a date (RFC 9110, 10.2.3)."""
    if retry_after is None:
        return None
    try:
        if retry_after.isascii() and retry_after.isdigit():
            seconds = float(retry_after)
        else:
            then = parsedate_to_datetime(retry_after)
            seconds = (then.replace(tzinfo=then.tzinfo or UTC) - now).total_seconds()
    except (ValueError, OverflowError):
        return None
    return min(max(seconds, 0.0), LONGEST_PAUSE_S)

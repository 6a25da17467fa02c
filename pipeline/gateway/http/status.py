"""The error for each HTTP status other than 200."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from afterword.pipeline.errors import PipelineError
from afterword.pipeline.gateway.http.model import (
    LONGEST_PAUSE_S,
    AskFailedError,
    BusyError,
    ErrorReplyError,
    RateLimitError,
    RefusedError,
    Service,
    SetupError,
)
from afterword.pipeline.gateway.http.wire import HttpReply

WRONG_ADDRESS: Final = frozenset({301, 302, 303, 307, 308, 404, 405, 410, 415})
"""The service is not at this address, or it does not have the model."""

WRONG_KEY: Final = frozenset({401, 402, 403})
"""The key is wrong, has no permission, or its account has no money."""

WRONG_REQUEST: Final = frozenset({400, 413, 422})
"""The service would reject the same request again."""

_BUSY: Final[Mapping[int, type[AskFailedError]]] = {
    429: RateLimitError,
    503: BusyError,
    529: BusyError,
}
"""The service runs and accepts nothing for now; 529 is Anthropic's status for overloaded."""

UNBILLED: Final = frozenset({*range(300, 500), 500, 503, 529} - {408, 499})
"""Statuses that the service sends without having served the request. Others (408, 499, 502, 504,
520 to 527) come from a proxy that stopped waiting: the service may have done the work and bill
it."""

_REASONS: Final = frozenset(
    {
        "api_error",
        "authentication_error",
        "billing_error",
        "context_length_exceeded",
        "insufficient_quota",
        "invalid_api_key",
        "invalid_request_error",
        "model_not_found",
        "not_found_error",
        "overloaded_error",
        "permission_error",
        "rate_limit_error",
        "rate_limit_exceeded",
        "request_too_large",
        "server_error",
        "timeout_error",
        "tokens",
    }
)
"""Values of `error.code` and `error.type` that a message may repeat. Others stay out: a reply can
hold any text."""


def failure(service: Service, received: HttpReply, now: datetime) -> PipelineError:
    """Return the error for a reply with a status other than 200.

    The error is a `NoCharge` if the service does not bill the request. A status outside
    `UNBILLED`, or a body that names usage, may be billed.

    Args:
        now: the present, to turn a Retry-After date into a pause; aware UTC.
    """
    status, reason = received.status, _reason(received.body)
    said = f"HTTP {status}" + (f" ({reason})" if reason else "")
    pause_s = _pause(received.headers.get("retry-after"), now)
    when = "later" if pause_s is None else f"in {pause_s:g} s"
    again = f"{service.name} answered {said}; try again {when}"
    if status not in UNBILLED or _names_usage(received.body):
        return AskFailedError(again, retry_after_s=pause_s)
    if status in WRONG_REQUEST:
        accepted = f"{service.input_name} and {service.model} that the service accepts"
        problem = f"rejected by the {service.name}, {said}"
        return RefusedError(service.input_name, problem, accepted)
    if status in WRONG_KEY:
        return SetupError(f"{service.name} answered {said}; check {service.api_key}")
    if status in WRONG_ADDRESS:
        where = f"{service.base_url} and {service.model}"
        return SetupError(f"{service.name} answered {said}; check {where}")
    return _BUSY.get(status, ErrorReplyError)(again, retry_after_s=pause_s)


def _names_usage(body: bytes) -> bool:
    try:
        reply = json.loads(body)
    except (ValueError, RecursionError):
        return False
    places = (reply, reply.get("error")) if isinstance(reply, dict) else ()
    return any(isinstance(place, dict) and place.get("usage") for place in places)


def _reason(body: bytes) -> str | None:
    try:
        error = json.loads(body)["error"]
        words = [error.get("code"), error.get("type")]
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return None
    return next((word for word in words if isinstance(word, str) and word in _REASONS), None)


def _pause(retry_after: str | None, now: datetime) -> float | None:
    """Return the seconds of a Retry-After header: a count or a date (RFC 9110, 10.2.3)."""
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

"""An error as an answer: RFC 9457 problem details, in the words of every other door."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from math import ceil
from typing import Any, Final

from afterword.pipeline.errors import (
    BudgetExceededError,
    CircuitOpenError,
    ConflictError,
    CorruptStoreError,
    InvalidInputError,
    NotFoundError,
    PipelineError,
    UnavailableError,
)

PROBLEM_TITLES: Final = {
    400: ("malformed", "The request is malformed."),
    401: ("unauthorized", "A live token is needed."),
    403: ("forbidden", "This caller may not do that."),
    404: ("not_found", "There is nothing of that name."),
    405: ("method_not_allowed", "The route has no such method."),
    408: ("too_slow", "The request took too long to arrive."),
    409: ("conflict", "Another writer was first."),
    413: ("too_large", "The body is too large."),
    415: ("unsupported_media_type", "The body must be JSON."),
    421: ("wrong_host", "This server is not called by that name."),
    422: ("invalid_input", "An argument cannot be accepted."),
    429: ("limit_reached", "A limit is reached."),
    431: ("too_large", "The headers are too large."),
    500: ("failed", "The memory failed."),
    503: ("unavailable", "Something did not answer; try again later."),
}
"""The code and the title of each status."""

UNEXPECTED_PROBLEM: Final = "the memory failed unexpectedly; its owner finds the reason in the log"

_DEFAULT_RETRY_S: Final = 1
"""When to try again where an error does not say it; seconds."""


@dataclass(frozen=True, slots=True)
class Problem:
    """An answer that refuses.

    Args:
        detail: what is wrong, for a person.
        more: fields beside those of RFC 9457.
        retry_after_s: when to try again; seconds. None where it would not help.
        code: instead of the code of the status.
    """

    status: int
    detail: str
    more: Mapping[str, Any] = field(default_factory=dict)
    retry_after_s: int | None = None
    code: str | None = None

    @property
    def name(self) -> str:
        """The code, as programs read it."""
        return self.code or PROBLEM_TITLES[self.status][0]

    def body(self, uid: str) -> bytes:
        """Return the answer's JSON; see `fields`."""
        return json.dumps(self.fields(uid), ensure_ascii=False).encode()

    def fields(self, uid: str) -> dict[str, Any]:
        """Return the fields of the answer.

        Args:
            uid: which the log has, too.
        """
        fields = {
            "type": f"urn:afterword:{self.name}",
            "title": PROBLEM_TITLES[self.status][1],
            "status": self.status,
            "detail": self.detail,
            "code": self.name,
            "id": uid,
        }
        if self.retry_after_s is not None:
            fields["retry_after"] = self.retry_after_s
        return fields | dict(self.more)

    def headers(self) -> dict[str, str]:
        """Return the headers of the answer beside its type and length."""
        headers = {"cache-control": "no-store"}
        if self.retry_after_s is not None:
            headers["retry-after"] = str(self.retry_after_s)
        if self.status == 401:
            headers["www-authenticate"] = 'Bearer realm="afterword"'
        return headers


def problem_from(error: PipelineError, now: datetime) -> Problem:
    """Return the answer for an error of a verb."""
    detail = str(error)
    match error:
        case InvalidInputError():
            return Problem(422, detail, {"field": error.field, "accepted": error.accepted})
        case NotFoundError():
            return Problem(404, detail)
        case ConflictError():
            return Problem(409, detail)
        case BudgetExceededError():
            return Problem(429, detail, retry_after_s=_seconds_until(error.reopens_at, now))
        case CircuitOpenError():
            return Problem(503, detail, retry_after_s=_seconds_until(error.reopens_at, now))
        case UnavailableError():
            wait_s = error.retry_after_s or _DEFAULT_RETRY_S
            return Problem(503, detail, retry_after_s=max(1, ceil(wait_s)))
        case CorruptStoreError():
            return Problem(500, detail, code="corrupt_store")
    return Problem(500, detail)


def _seconds_until(moment: datetime | None, now: datetime) -> int | None:
    """Return whole seconds; None if only a person can change it."""
    return None if moment is None else max(1, ceil((moment - now).total_seconds()))

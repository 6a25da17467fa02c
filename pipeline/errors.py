"""The errors of Afterword, and the effect of each on the job that raised it.

| raise | when | HTTP | the job then |
|---|---|---|---|
| `InvalidInputError` | it can never succeed | 422 | fails, no retry |
| `NotFoundError` | the object does not exist | 404 | ends without effect |
| `ConflictError` | another writer won | 409 | retries at once |
| `UnavailableError` | an outside service or a limit failed it | 503 | retries with backoff |
| `BudgetExceededError` | the budget is spent until `reopens_at` | 429 | is postponed |
| `CircuitOpenError` | the circuit is open until `reopens_at` | 503 | is postponed |
| `CorruptStoreError` | an invariant is broken | 500 | stops and alerts |

A message names the operation, the object and the remedy, in one line.
"""

from collections.abc import Callable
from datetime import datetime


class PipelineError(Exception):
    """Base of all errors of Afterword; its message is written for a user."""

    def reword(self, change: Callable[[str], str]) -> None:
        """Change the words of the message, such as by masking what they repeat."""
        self.args = (change(str(self)),)


class InvalidInputError(PipelineError):
    """An input that can never be accepted.

    Args:
        field: name of the wrong field, as its caller knows it.
        problem: the fault.
        accepted: the values that would be accepted.
    """

    def __init__(self, field: str, problem: str, accepted: str) -> None:
        super().__init__(f"{field}: {problem}; accepted: {accepted}")
        self.field = field
        self.problem = problem
        self.accepted = accepted

    def reword(self, change: Callable[[str], str]) -> None:
        """Change the words of the message and of its parts."""
        super().reword(change)
        self.field, self.problem = change(self.field), change(self.problem)
        self.accepted = change(self.accepted)


class NotFoundError(PipelineError):
    """The named object does not exist, or no longer exists."""


class ConflictError(PipelineError):
    """Another writer won; the same request may succeed if it is repeated."""


class UnavailableError(PipelineError):
    """A service, a disk or another process did not answer, or a limit is reached; try later."""

    retry_after_s: float | None = None
    """The pause that the service asked for; seconds."""


class PostponedError(PipelineError):
    """A gate is closed and nothing was tried, so a job waits at no cost.

    Args:
        message: the gate, and why it is closed.
        reopens_at: when to try again (aware UTC); None until a person acts.
        gate: name of the gate, such as `budget:learning`, if its headroom can be checked earlier.
        requested_micro_usd: the amount that did not fit; 0 for a gate without money.
    """

    def __init__(
        self,
        message: str,
        reopens_at: datetime | None,
        gate: str | None = None,
        requested_micro_usd: int = 0,
    ) -> None:
        super().__init__(message)
        self.reopens_at = reopens_at
        self.gate = gate
        self.requested_micro_usd = requested_micro_usd


class BudgetExceededError(PostponedError):
    """A budget is spent until its window ends; `reopens_at` is None until a person acts."""


class CircuitOpenError(PostponedError):
    """A service failed too often or rejects these settings; `reopens_at` is the next probe."""


class CorruptStoreError(PipelineError):
    """An invariant of a stored file is broken; further writes would make it worse."""

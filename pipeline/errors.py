"""The ways an operation can fail, and what each means for the job that met it.

| raise | when | HTTP | the job then |
|---|---|---|---|
| `InvalidInputError` | it can never succeed | 422 | fails, no retry |
| `NotFoundError` | the thing is gone | 404 | ends quietly |
| `ConflictError` | another writer won | 409 | retries at once |
| `UnavailableError` | the outside did not answer | 503 | retries with backoff |
| `BudgetExceededError` | spent until `reopens_at` | 429 | is postponed |
| `CircuitOpenError` | a service is left alone until `reopens_at` | 503 | is postponed |
| `CorruptStoreError` | an invariant is broken | 500 | stops and alerts |

A message names the operation, the object and the remedy, in one line.
"""

from datetime import datetime


class PipelineError(Exception):
    """Anything Afterword refuses or fails to do, with a message fit for a user."""


class InvalidInputError(PipelineError):
    """What was given can never be accepted.

    Args:
        field: the name of the offending field, as the caller knows it.
        problem: what is wrong with it.
        accepted: what would be accepted instead.
    """

    def __init__(self, field: str, problem: str, accepted: str) -> None:
        super().__init__(f"{field}: {problem}; accepted: {accepted}")
        self.field = field
        self.problem = problem
        self.accepted = accepted


class NotFoundError(PipelineError):
    """The thing named does not exist, or no longer does."""


class ConflictError(PipelineError):
    """Another writer won; the same request may succeed when made again."""


class UnavailableError(PipelineError):
    """Something outside did not answer, or a limit of ours is reached; try later."""

    retry_after_s: float | None = None
    """Seconds the outside asked us to wait, where it said so."""


class PostponedError(PipelineError):
    """Nothing was tried, and nobody is to blame: what waits for it waits at no cost.

    Args:
        message: what is closed, and why.
        reopens_at: when to ask again (aware UTC); None while a person must act.
        gate: what is closed, such as `budget:learning`, where it can be asked before that.
        asked_micro_usd: what did not fit; 0 where it is no question of money.
    """

    def __init__(
        self,
        message: str,
        reopens_at: datetime | None,
        gate: str | None = None,
        asked_micro_usd: int = 0,
    ) -> None:
        super().__init__(message)
        self.reopens_at = reopens_at
        self.gate = gate
        self.asked_micro_usd = asked_micro_usd


class BudgetExceededError(PostponedError):
    """A budget is spent until its window ends, or for good where `reopens_at` is None."""


class CircuitOpenError(PostponedError):
    """A service failed too often or refuses these settings; the next look at it is due then."""


class CorruptStoreError(PipelineError):
    """An invariant of a stored file is broken; writing on would make it worse."""

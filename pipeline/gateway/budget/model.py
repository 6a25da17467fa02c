"""What money is spent for, what is held for a call, what it used, and what a window holds."""

from dataclasses import dataclass
from datetime import datetime

from afterword.pipeline.core.store.names import checked_group
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.budget.amounts import MOST_MICRO_USD, MOST_TOKENS, checked_count
from afterword.pipeline.gateway.budget.windows import Scope

CATEGORIES = ("learning", "agent", "workflow", "experiment")
"""Who spends. Source: R5, Budget tracking."""


def checked_category(category: str) -> str:
    """Return the category if there is one of that name.

    Raises:
        InvalidInputError: there is none.
    """
    if category not in CATEGORIES:
        raise InvalidInputError("category", f"{category!r} is no budget", ", ".join(CATEGORIES))
    return category


@dataclass(frozen=True, slots=True)
class Purpose:
    """What a call is for.

    Args:
        category: one of `CATEGORIES`; whose caps hold.
        group: the group it is for; its optional cap holds too.
        task: what is done, a stable word such as `embed_memories`.
        model: the model asked, as its service names it.

    Raises:
        InvalidInputError: an unknown category, no group name, an empty task or model.
    """

    category: str
    group: str
    task: str
    model: str

    def __post_init__(self) -> None:
        checked_category(self.category)
        checked_group(self.group)
        for field, text in (("task", self.task), ("model", self.model)):
            if not text:
                raise InvalidInputError(field, "empty", "a stable name")


@dataclass(frozen=True, slots=True)
class Usage:
    """What a call really used.

    Args:
        input_tokens: tokens read; count.
        output_tokens: tokens written; count.
        cost_micro_usd: what that costs, rounded up.

    Raises:
        InvalidInputError: one of them is negative, absurdly large or no integer.
    """

    input_tokens: int
    output_tokens: int
    cost_micro_usd: int

    def __post_init__(self) -> None:
        checked_count(self.input_tokens, "input_tokens", MOST_TOKENS)
        checked_count(self.output_tokens, "output_tokens", MOST_TOKENS)
        checked_count(self.cost_micro_usd, "cost_micro_usd", MOST_MICRO_USD)


@dataclass(frozen=True, slots=True)
class Reservation:
    """Money held for one call.

    Args:
        estimate_micro_usd: the most the call may cost.
        day_key: the UTC day that pays, and with it the month, however late it is settled.
        expires_at: from then on it counts as spent (aware UTC).
        outside: held by `afterword budget reserve` for a call made elsewhere.
    """

    uid: str
    purpose: Purpose
    estimate_micro_usd: int
    day_key: str
    expires_at: datetime
    outside: bool = False


@dataclass(frozen=True, slots=True)
class Window:
    """What is gone from a category's day or month, or from a group's day.

    Args:
        spent_micro_usd: booked, or held by a reservation that has expired.
        reserved_micro_usd: held by calls on their way.
        frees_at: the earliest expiry among those; by then one of them is decided.
        warned_at: when its soft threshold was crossed.
    """

    scope: Scope
    name: str
    key: str
    spent_micro_usd: int
    reserved_micro_usd: int
    frees_at: datetime | None
    warned_at: datetime | None

    @property
    def used_micro_usd(self) -> int:
        """Spent and reserved together: what a cap bounds."""
        return self.spent_micro_usd + self.reserved_micro_usd


@dataclass(frozen=True, slots=True)
class SpendingStop:
    """Since when all spending is stopped, and why."""

    since: datetime
    note: str


@dataclass(frozen=True, slots=True)
class UsageSum:
    """The calls of one category, model and basis.

    Args:
        last_id: id of the last of them in the usage table.
    """

    category: str
    model: str
    basis: str
    calls: int
    input_tokens: int
    output_tokens: int
    cost_micro_usd: int
    last_id: int

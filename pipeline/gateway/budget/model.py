"""The values of the budget: purpose, usage, reservation, window."""

from dataclasses import dataclass
from datetime import datetime

from afterword.pipeline.core.store.names import checked_address
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.budget.amounts import MOST_MICRO_USD, MOST_TOKENS, checked_count
from afterword.pipeline.gateway.budget.windows import BudgetScope

SPENDING_CATEGORIES = ("learning", "agent", "workflow", "experiment")
"""Budget categories. Source: R5, Budget tracking."""


def checked_category(category: str) -> str:
    """Return the category if it exists.

    Raises:
        InvalidInputError: no category has this name.
    """
    if category not in SPENDING_CATEGORIES:
        problem = f"unknown category {category!r}"
        raise InvalidInputError("category", problem, ", ".join(SPENDING_CATEGORIES))
    return category


@dataclass(frozen=True, slots=True)
class Purpose:
    """The purpose of a call, for the ledger.

    Args:
        category: one of `SPENDING_CATEGORIES`; its caps apply.
        group: the group that the call serves; its cap, if it has one, applies too.
        task: a stable word such as `embed_memories`.
        model: name of the model at its service.

    Raises:
        InvalidInputError: an unknown category, an invalid group name, an empty task or model.
    """

    category: str
    group: str
    task: str
    model: str

    def __post_init__(self) -> None:
        checked_category(self.category)
        checked_address(self.group)
        for field, text in (("task", self.task), ("model", self.model)):
            if not text:
                raise InvalidInputError(field, "empty", "a stable name")


@dataclass(frozen=True, slots=True)
class Usage:
    """The measured tokens and cost of a call.

    Args:
        input_tokens: tokens read; count.
        output_tokens: tokens written; count.
        cost_micro_usd: their cost, rounded up.

    Raises:
        InvalidInputError: a value is negative, absurdly large or not an integer.
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
    """Money reserved for one call.

    Args:
        estimate_micro_usd: the greatest possible cost of the call.
        day_key: the UTC day that pays, with its month, even if the call is settled later.
        expires_at: from this moment the reservation counts as spent; aware UTC.
        outside: made by `afterword budget reserve` for a call of another program.
    """

    uid: str
    purpose: Purpose
    estimate_micro_usd: int
    day_key: str
    expires_at: datetime
    outside: bool = False


@dataclass(frozen=True, slots=True)
class Window:
    """Spent and reserved money of one window: a category's day or month, or a group's day.

    Args:
        spent_micro_usd: booked costs and expired reservations.
        reserved_micro_usd: reservations of running calls.
        frees_at: the earliest expiry of those reservations; aware UTC.
        warned_at: when the warning for the soft threshold was logged; aware UTC.
    """

    scope: BudgetScope
    name: str
    key: str
    spent_micro_usd: int
    reserved_micro_usd: int
    frees_at: datetime | None
    warned_at: datetime | None

    @property
    def used_micro_usd(self) -> int:
        """Spent plus reserved, which a cap limits."""
        return self.spent_micro_usd + self.reserved_micro_usd


@dataclass(frozen=True, slots=True)
class SpendingStop:
    """The moment at which an operator or an overrun stopped all spending, and the reason."""

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

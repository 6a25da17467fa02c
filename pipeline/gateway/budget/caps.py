"""The caps of this installation in whole micro-dollars, built from the settings."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, Decimal
from math import isfinite
from typing import TYPE_CHECKING, Final

from afterword.pipeline.core.store.names import checked_group
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.budget.amounts import MOST_MICRO_USD, checked_count, micro_usd
from afterword.pipeline.gateway.budget.model import SPENDING_CATEGORIES
from afterword.pipeline.gateway.budget.windows import BudgetScope

if TYPE_CHECKING:  # pydantic: loaded by who reads the settings
    from afterword.pipeline.settings import Settings


@dataclass(frozen=True, slots=True)
class Caps:
    """Hard caps, and the share of them at which a warning is logged.

    Args:
        daily: micro-USD per UTC day for each category.
        monthly: micro-USD per UTC month for each category.
        groups: micro-USD per UTC day for a group, over all categories; other groups have no cap.
        soft_ratio: share of a cap, in (0, 1].

    Raises:
        InvalidInputError: a cap is missing, negative, not an integer or above a million dollars.
    """

    daily: Mapping[str, int]
    monthly: Mapping[str, int]
    groups: Mapping[str, int] = field(default_factory=dict)
    soft_ratio: float = 0.8

    def __post_init__(self) -> None:
        for category in SPENDING_CATEGORIES:
            for period, caps in (("daily", self.daily), ("monthly", self.monthly)):
                checked_count(caps.get(category), f"{category}_{period}_cap", MOST_MICRO_USD)
        for group, cap in self.groups.items():
            checked_count(cap, f"group_caps.{checked_group(group)}", MOST_MICRO_USD)
        if not (isfinite(self.soft_ratio) and 0 < self.soft_ratio <= 1):
            problem = f"{self.soft_ratio} is not a share"
            raise InvalidInputError("soft_ratio", problem, "above 0, to 1")

    def of(self, scope: BudgetScope, name: str) -> int | None:
        """Return the hard cap of a window in micro-USD; None for a group without a cap."""
        if scope == "group_day":
            return self.groups.get(name)
        return self.daily[name] if scope == "category_day" else self.monthly[name]

    def soft_of(self, scope: BudgetScope, name: str) -> int | None:
        """Return the micro-USD at which a window logs its one warning; None without a cap."""
        cap = self.of(scope, name)
        if cap is None:
            return None
        return int((cap * Decimal(str(self.soft_ratio))).to_integral_value(ROUND_CEILING))


def caps_of(settings: "Settings") -> Caps:
    """Return the caps of the settings, rounded down to whole micro-dollars."""

    def of_categories(period: str) -> dict[str, int]:
        names = {category: f"{category}_{period}_cap_usd" for category in SPENDING_CATEGORIES}
        return {c: micro_usd(getattr(settings, name), name) for c, name in names.items()}

    return Caps(
        daily=of_categories("daily"),
        monthly=of_categories("monthly"),
        groups={
            _group(group): micro_usd(cap, f"{_GROUP_CAPS}.{group}")
            for group, cap in settings.group_caps_usd.items()
        },
        soft_ratio=settings.budget_soft_ratio,
    )


def _group(name: str) -> str:
    try:
        return checked_group(name)
    except InvalidInputError as error:
        raise InvalidInputError(_GROUP_CAPS, error.problem, error.accepted) from None


_GROUP_CAPS: Final = "AFTERWORD_GROUP_CAPS_USD"


def setting_of(scope: BudgetScope, name: str) -> str:
    """Return the name of the environment variable of a cap, for messages."""
    if scope == "group_day":
        return _GROUP_CAPS
    period = "DAILY" if scope == "category_day" else "MONTHLY"
    return f"AFTERWORD_{name.upper()}_{period}_CAP_USD"

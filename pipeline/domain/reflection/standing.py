"""The standing of a setup: how such decisions of a role had turned out when one was made."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, Literal

from sqlalchemy import Connection

from afterword.pipeline.domain.outcomes.model import TrendBefore
from afterword.pipeline.domain.reflection.measure import Measurement
from afterword.pipeline.domain.skills import Role
from afterword.pipeline.rules.evidence.model import PatternState

_AFTER: Final[Mapping[TrendBefore, str]] = {
    "down": "after a fall",
    "flat": "after no clear move",
    "up": "after a rise",
}


@dataclass(frozen=True, slots=True)
class SetupStanding:
    """What the record of a decision's setup said when it was made, by outcomes known by then.

    Args:
        asset_class: with the role, the family whose record it is.
        n: decisions; count.
        n_eff: stretches of them that moved beyond the band; count.
        hits: stretches that were right; count, with a fraction where assets share one.
        expected: hits without skill.
        failing: state of the pattern that such decisions go wrong; `works` that they go right.
        is_told: whether the failing pattern may be told of the asset of the decision.
    """

    asset_class: str
    direction: Literal["long", "short"]
    trend: TrendBefore
    n: int = 0
    n_eff: int = 0
    hits: Decimal = Decimal(0)
    expected: Decimal = Decimal(0)
    failing: PatternState = "single"
    works: PatternState = "single"
    is_told: bool = False

    @property
    def is_confirmed_failing(self) -> bool:
        """Whether such decisions were known to go wrong, its own asset among them."""
        return self.failing == "confirmed" and self.is_told

    @property
    def setup(self) -> str:
        """The setup in words, such as `long after a rise`."""
        return f"{self.direction} {_AFTER[self.trend]}"

    @property
    def numbers(self) -> dict[str, Any]:
        """The standing as JSON, its numbers as text where they have a fraction."""
        return {
            "setup": self.setup,
            "asset_class": self.asset_class,
            "decisions": self.n,
            "stretches": self.n_eff,
            "hits": _plain(self.hits),
            "hits_without_skill": _plain(self.expected),
            "failing": self.failing,
            "works": self.works,
            "told_of_this_asset": self.is_told,
        }

    @property
    def count(self) -> str:
        """The record in words, such as `right 7 of 31, 15.2 without skill`."""
        hits, expected = round(self.hits, 1), round(self.expected, 1)
        return f"right {_plain(hits)} of {self.n_eff}, {_plain(expected)} without skill"


Standings = Callable[[Connection, Role, Sequence[Measurement]], Mapping[int, SetupStanding]]
"""Returns the standings of the setups of decisions, by decision id; none for a decision whose setup
is unknown. Only outcomes whose exit is at or before a decision's moment count for it."""


def _plain(number: Decimal) -> str:
    return f"{number.normalize():f}"

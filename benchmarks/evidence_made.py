"""Roles without skill on made prices: what they decide, and whether they were told of a pattern.

A world makes the prices of some assets anew for each run. Outcomes are measured and judged by the
shipped measurement and rules.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any, Final, Literal, NamedTuple

import numpy as np

from afterword.pipeline.domain.outcomes.measure import OutcomeMeasurer
from afterword.pipeline.domain.outcomes.model import MeasuredOutcome, Subject
from afterword.pipeline.domain.patterns.family import families_by_class
from afterword.pipeline.domain.patterns.rows import OutcomeRow
from afterword.pipeline.domain.prices.book import PriceBook
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.rules.evidence.family import CONFIRMED_LEVEL
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.rules.market.outcome import Stance
from benchmarks.answer import note
from benchmarks.evidence_worlds import Chance, Floats, chance_of

MadeStyle = Literal["coin", "view", "fixed"]
"""A coin for each asset, one coin for all assets, one side for the whole run."""

STYLES: Final[dict[MadeStyle, int]] = {"coin": 10, "view": 10, "fixed": 2}
"""How many roles of a style decide on the same prices; of the last a long and a short one."""

HOUR: Final = timedelta(hours=1)
DAY: Final = timedelta(days=1)
BEGIN: Final = datetime(2024, 1, 1, tzinfo=UTC)  # a Monday
LATER: Final = datetime(2034, 1, 1, tzinfo=UTC)
_SIDES: Final[tuple[Stance, Stance]] = ("long", "short")
WARM: Final = 35
"""Days of prices before the first decision."""

COINS: Final = ("SOL", "AVAX", "NEAR", "SUI", "DOT")
STOCKS: Final = ("AAPL", "IBM", "KO", "NKE", "PFE")


class MadeMarkets(NamedTuple):
    """The prices of one run.

    Args:
        bars: of each asset, in order of time.
        moments: at which each asset is decided on.
        window: of a decision; hours.
    """

    bars: dict[Series, list[Bar]]
    moments: Sequence[datetime]
    window: int


def made_roles(name: str, runs: int, make: Callable[[Chance], MadeMarkets]) -> dict[str, float]:
    """Count the roles that are ever told of a pattern, by style: some on the prices of each run."""
    told: dict[MadeStyle, list[bool]] = {style: [] for style in STYLES}
    for run in range(runs):
        chance = chance_of(name, str(run))
        both = _both_sides(make(chance))
        for style, roles in STYLES.items():
            for role in range(roles):
                told[style].append(is_told(list(_decided(both, style, role, chance))))
    measured = {}
    for style, found in told.items():
        share = sum(found) / len(found)
        note(f"{name} {style}: told {share:.1%} of {len(found)} roles, {runs} times made prices")
        measured[f"{name}_{style}_told"] = share
    return measured


def is_told(rows: Sequence[OutcomeRow]) -> bool:
    """Return whether a role was told of a pattern at any time, of any class of assets."""
    families = families_by_class(sorted(rows, key=lambda row: row.entry_at), CONFIRMED_LEVEL)
    return any(family.was_confirmed for family in families.values())


def outcome_row(found: MeasuredOutcome) -> OutcomeRow:
    """Return an outcome as patterns read it."""
    known: dict[str, Any] = found._asdict() | {"id": found.subject_id, "confidence": None}
    return OutcomeRow(**{name: known[name] for name in OutcomeRow._fields})


def bars_of(interval: timedelta, start: datetime, path: Floats) -> list[Bar]:
    """Return bars that each open at the close before.

    Args:
        path: the first open, then every close.
    """
    return [
        bar_of(start + place * interval, interval, float(path[place]), float(path[place + 1]))
        for place in range(len(path) - 1)
    ]


def hourly(coin: str, moves: Floats) -> tuple[Series, list[Bar]]:
    """Return the hourly bars of a coin.

    Args:
        moves: of each hour from `BEGIN` on; logarithms.
    """
    path = 100 * np.exp(np.cumsum(np.insert(moves, 0, 0.0)))
    return Series("bench", f"{coin}USDT", HOUR), bars_of(HOUR, BEGIN, path)


def bar_of(at: datetime, interval: timedelta, first: float, close: float) -> Bar:
    """Return a bar that goes straight from its open to its close."""
    was, now = Decimal(f"{first:.5f}"), Decimal(f"{close:.5f}")
    return Bar(at, interval, was, max(was, now), min(was, now), now, Decimal(0))


def daily(first: int, days: int, *, weekdays: bool) -> list[datetime]:
    """Return a moment of each day, noon; of a market that closes only those of weekdays."""
    found = [BEGIN + day * DAY + 12 * HOUR for day in range(first, days)]
    return [at for at in found if not weekdays or at.weekday() < 5]


def _both_sides(markets: MadeMarkets) -> list[list[tuple[OutcomeRow, OutcomeRow]]]:
    """Return what a long and a short would become: of each moment, of each asset with a price."""
    measurer = OutcomeMeasurer(PriceBook(markets.bars), LATER)
    found = []
    for at in markets.moments:
        of_moment = []
        for series in markets.bars:
            sides: list[OutcomeRow] = []
            for stance in _SIDES:
                subject = Subject("decision", 0, series.symbol, stance, at)
                (one,) = measurer.over(subject, (markets.window,))
                if isinstance(one, MeasuredOutcome):
                    sides.append(outcome_row(one))
            if len(sides) == len(_SIDES):
                of_moment.append((sides[0], sides[1]))
        found.append(of_moment)
    return found


def _decided(
    both: Sequence[Sequence[tuple[OutcomeRow, OutcomeRow]]],
    style: MadeStyle,
    role: int,
    chance: Chance,
) -> Iterator[OutcomeRow]:
    """Yield the outcomes of a role."""
    for of_moment in both:
        side = role if style == "fixed" else int(chance.integers(2))
        for sides in of_moment:
            yield sides[int(chance.integers(2)) if style == "coin" else side]

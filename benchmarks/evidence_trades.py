"""Books of trades on real prices, without and with a habit, for the trader's report."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from afterword.pipeline.rules.evidence.habits import (
    FILE_LEVEL,
    RENEWAL_LEVEL,
    HabitReport,
    ScoredTrip,
    examine,
    is_renewal_due,
)
from benchmarks.answer import note
from benchmarks.evidence_worlds import Chance, Market

HOUR_US: Final = 3_600_000_000
COST: Final = 0.0013
TRENDS: Final = ("down", "flat", "up")
WEEKS: Final = 104
RE_ENTRY: Final = frozenset({"re-entry"})


class Effect(NamedTuple):
    """What is planted in a book.

    Args:
        attribute, value: the trips that have it.
        by: what they lose more: a share of the price, or σ.
        is_share: whether `by` is a share of the price.
    """

    attribute: str
    value: str
    by: float
    is_share: bool


class Book(NamedTuple):
    """Trips, and the σ of each asset over the holding time."""

    trips: list[ScoredTrip]
    sigmas: list[float]


QUICK_2: Final = Effect("re-entry", "quick", 0.02, True)
QUICK_1: Final = Effect("re-entry", "quick", 0.01, True)
HALF: Final = Effect("setup", "short after down", 0.5, False)
QUARTER: Final = Effect("setup", "short after down", 0.25, False)


def report_numbers(markets: Sequence[Market], runs: int, seed: int) -> dict[str, float]:
    """Measure how often chance, and how often a planted habit, is named.

    Args:
        markets: hourly, with windows of one to six hours.
        runs: of the rarer books; others take more.
    """
    chance = np.random.default_rng([seed, 1])
    measured: dict[str, float] = {}
    for trips, count in ((200, 17 * runs), (1_000, 5 * runs)):
        plain = book(markets, trips, chance)
        named = [is_anything(_examined(shuffled_results(plain, chance))) for _ in range(count)]
        measured[f"shuffled_named_{trips}"] = float(np.mean(named))
        measured[f"sigma_{trips}"] = float(np.mean(plain.sigmas))
        measured[f"cells_{trips}"] = float(_examined(plain.trips).tried)
        note(f"{count} shuffles of {trips} trips: {np.mean(named):.1%} name something")
    looks = [_weekly(markets, 4 * WEEKS, chance) for _ in range(10 * runs)]
    measured["weekly_named"] = float(np.mean(looks))
    note(f"kept account, 416 trips in two years: {np.mean(looks):.1%}")
    names: list[int] = []
    for name, effect, trips, count in (
        ("quick_2_percent_200", QUICK_2, 200, 3 * runs),
        ("quick_2_percent_1000", QUICK_2, 1_000, runs),
        ("quick_1_percent_1000", QUICK_1, 1_000, runs),
        ("setup_half_sigma_1000", HALF, 1_000, runs),
        ("setup_quarter_sigma_1000", QUARTER, 1_000, runs),
        ("setup_quarter_sigma_5000", QUARTER, 5_000, max(5, runs // 4)),
    ):
        found = [_examined(_with(book(markets, trips, chance), effect)) for _ in range(count)]
        hits = [_names(one, effect) for one in found]
        measured[name] = float(np.mean(hits))
        names += [len(one.named) for one, is_hit in zip(found, hits, strict=True) if is_hit]
        note(f"{name}: {measured[name]:.1%} of {count}")
    measured["names_per_planted"] = float(np.mean(names))
    measured["cut_fills_differ"] = _cut_differ(markets, chance, max(5, runs // 6))
    return measured


def book(markets: Sequence[Market], count: int, chance: Chance) -> Book:
    """Make trips at random moments of real hourly prices, in random directions.

    They last one to six hours. Their clock runs on, trip after trip, so that none overlaps.
    """
    trips, sigmas = [], []
    was_loss = False
    for number in range(count):
        one = markets[int(chance.integers(len(markets)))]
        bar = int(chance.integers(720, len(one.moves) - one.window))
        is_long = bool(chance.random() < 0.5)
        sigma = float(one.bands[bar] - COST) / 0.25
        result = (1 if is_long else -1) * float(one.moves[bar])
        direction = "long" if is_long else "short"
        trend = TRENDS[int(one.trends[bar])]
        hour = int(chance.integers(24))
        size = ("small", "usual", "large")[int(chance.integers(3))]
        wild = ("calm", "usual", "wild")[min(2, int(sigma / one.window**0.5 / 0.0075))]
        labels = {
            "asset": one.name,
            "direction": direction,
            "asset and direction": f"{one.name} {direction}",
            "trend": trend,
            "setup": f"{direction} after {trend}",
            "hour": str(hour),
            "session": ("asia", "europe", "america")[hour // 8],
            "weekday": str(int(chance.integers(7))),
            "size": size,
            "size and direction": f"{size} {direction}",
            "volatility": wild,
            "volatility and direction": f"{wild} {direction}",
        }
        if was_loss:
            # A fifth after a loss, a tenth of all.
            labels["re-entry"] = "quick" if chance.random() < 0.2 else "slow"
        was_loss = result < 0
        entry_at = 2 * number * HOUR_US  # the clock of the book, not of the prices
        score = result / sigma
        trips.append(
            ScoredTrip(one.name, direction, entry_at, entry_at + HOUR_US, score, score, labels)
        )
        sigmas.append(sigma)
    return Book(trips, sigmas)


def shuffled_results(plain: Book, chance: Chance) -> list[ScoredTrip]:
    """Give every trip the result of another one."""
    order = chance.permutation(len(plain.trips)).tolist()
    return [
        one._replace(score=plain.trips[other].score, residual=plain.trips[other].residual)
        for one, other in zip(plain.trips, order, strict=True)
    ]


def is_anything(report: HabitReport) -> bool:
    """Say whether a report names an edge or a habit."""
    return bool(report.named) or report.is_book_named


def _examined(trips: Sequence[ScoredTrip], level: float = FILE_LEVEL) -> HabitReport:
    return examine(trips, level, RE_ENTRY)


def _with(plain: Book, effect: Effect) -> list[ScoredTrip]:
    """Plant an effect into the trips that have its label."""
    return [
        one._replace(score=one.score - lost, residual=one.score - lost)
        if one.labels.get(effect.attribute) == effect.value
        and (lost := effect.by / sigma if effect.is_share else effect.by)
        else one
        for one, sigma in zip(plain.trips, plain.sigmas, strict=True)
    ]


def _names(report: HabitReport, effect: Effect) -> bool:
    """Say whether a report names the planted trips as what they are."""
    return any(
        (one.attribute, one.value) == (effect.attribute, effect.value) for one in report.named
    )


def _weekly(markets: Sequence[Market], count: int, chance: Chance) -> bool:
    """Look at a kept account every week for two years."""
    trips = shuffled_results(book(markets, count, chance), chance)
    last = 0
    for week in range(1, WEEKS + 1):
        known = trips[: week * count // WEEKS]
        if is_renewal_due(len(known), last):
            last = len(known)
            if is_anything(_examined(known, RENEWAL_LEVEL)):
                return True
    return False


def _cut_differ(markets: Sequence[Market], chance: Chance, runs: int) -> int:
    """Count books whose verdict changes when each trip comes as four overlapping fills."""
    differ = 0
    for _ in range(runs):
        whole = _with(book(markets, 600, chance), HALF)
        parts = [
            one._replace(
                entry_at=one.entry_at + part * HOUR_US // 10,
                exit_at=one.exit_at - (3 - part) * HOUR_US // 10,
            )
            for one in whole
            for part in range(4)
        ]
        names = [
            [(cell.attribute, cell.value) for cell in _examined(trips).named]
            for trips in (whole, parts)
        ]
        differ += names[0] != names[1]
    return differ

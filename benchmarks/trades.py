"""Whether a trader's report names chance, finds habits, and is fast: by the shipped labels."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, timedelta
from pathlib import Path
from typing import Final

import numpy as np

from afterword.pipeline.domain.prices.book import PriceBook
from afterword.pipeline.domain.trades.labels import FROM_RESULTS
from afterword.pipeline.domain.trades.measure import measure_trips
from afterword.pipeline.domain.trades.model import TradeVerdict, TripOutcome
from afterword.pipeline.domain.trades.report import TradesMaterial, material_of, report_of
from afterword.pipeline.domain.trades.verdict_rule import rule_for
from afterword.pipeline.domain.trips.trip import Trip
from afterword.pipeline.rules.evidence.habits import FILE_LEVEL, ScoredTrip, examine
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.timing import seconds
from benchmarks.trade_markets import flipped, read_hours
from benchmarks.trade_worlds import WORLDS, verdict_on, world_shares
from benchmarks.trades_books import (
    Chance,
    Prices,
    account,
    data_folder,
    outcomes,
    read_prices,
    worse,
)

SEED: Final = 20_261_123
WEEKS: Final = 104
SETUP: Final = ("setup", "short after a fall")
NO_PRICES: Final = PriceBook({})

TARGETS: Final = {
    "shuffled_named": Target(at_most=0.05),
    "shuffled_named_without_prices": Target(at_most=0.05),
    "random_cells_named": Target(at_most=0.05),
    "random_btc_cells_named": Target(at_most=0.05),
    "weekly_named": Target(at_most=0.05),
    "quick_2_percent_200": Target(at_least=0.70),
    "quick_2_percent_1000": Target(at_least=0.95),
    "quick_1_percent_1000": Target(at_least=0.85),
    "setup_half_sigma_1000": Target(at_least=0.90),
    "setup_quarter_sigma_5000": Target(at_least=0.90),
    "cut_into_four_differ": Target(at_most=0),
    "worlds_above_5_percent": Target(at_most=0),
    "measure_10000_s": Target(at_most=6),
    "cells_50000_s": Target(at_most=5),
}


def ask(path: Path, runs: int, accounts: int, only: str) -> Answer:
    """Measure every figure, or those of some parts."""
    prices = read_prices(path / "ohlcv")
    parts = _PARTS | {
        "thousands": lambda _prices, runs, chance: thousands(path, runs, chance),
        "worlds": lambda _prices, _runs, _chance: world_shares(path, accounts, list(WORLDS)),
    }
    measured: dict[str, float] = {}
    for part in only.split(",") if only else parts:
        chance = np.random.default_rng([SEED, *part.encode()])
        took = seconds(
            lambda part=part, chance=chance: measured.update(parts[part](prices, runs, chance))  # type: ignore[misc]
        )
        note(f"{part}: {took:.0f} s")
    targets = {name: target for name, target in TARGETS.items() if name in measured}
    sizes = {"runs": runs, "accounts": accounts, "seed": SEED}
    return Answer("trades", measured, targets, sizes=sizes)


def shuffled(prices: Prices, runs: int, chance: Chance) -> dict[str, float]:
    """Exchange the results of trips: whatever is named then is named by chance."""
    trips = account(prices, 1_000, chance)
    found = {}
    for name, book in (("", prices.book), ("_without_prices", NO_PRICES)):
        scored = material(measure_trips(book, trips, prices.last)).book.scored
        named = [_is_anything(_shuffled(scored, chance)) for _ in range(10 * runs)]
        found[f"shuffled_named{name}"] = float(np.mean(named))
    found["cells"] = float(examine(scored, FILE_LEVEL, FROM_RESULTS).tried)
    return found


def random(prices: Prices, runs: int, chance: Chance) -> dict[str, float]:
    """Trade by chance on real prices: no cell may be named; fees may name the book."""
    few = prices.only(("BTC",))
    found = {}
    for name, market in (("random", prices), ("random_btc", few)):
        named = [
            bool(_examined(outcomes(market, account(market, 1_000, chance))))
            for _ in range(2 * runs)
        ]
        found[f"{name}_cells_named"] = float(np.mean(named))
    return found


def weekly(prices: Prices, runs: int, chance: Chance) -> dict[str, float]:
    """Look at a kept account every week for two years, by the rule that decides on verdicts."""
    scored = material(outcomes(prices, account(prices, 4 * WEEKS, chance))).book.scored
    named = [_is_named_in_weeks(_exchanged(scored, chance)) for _ in range(5 * runs)]
    return {"weekly_named": float(np.mean(named))}


def planted(prices: Prices, runs: int, chance: Chance) -> dict[str, float]:
    """Plant habits, and count the reports that name them."""
    found = {}
    for name, by, count in (
        ("quick_2_percent_200", 0.02, 200),
        ("quick_2_percent_1000", 0.02, 1_000),
        ("quick_1_percent_1000", 0.01, 1_000),
    ):
        hits = [
            ("re-entry", "quick") in _examined(outcomes(prices, one))
            for one in (account(prices, count, chance, by) for _ in range(runs))
        ]
        found[name] = float(np.mean(hits))
        note(f"{name}: {found[name]:.1%} of {runs}")
    hits = [_finds_setup(outcomes(prices, account(prices, 1_000, chance))) for _ in range(runs)]
    return found | {"setup_half_sigma_1000": float(np.mean(hits))}


def thousands(path: Path, runs: int, chance: Chance) -> dict[str, float]:
    """Plant half as much into five times as many trades, in six times as long a market."""
    prices = Prices(flipped(read_hours(path / "ohlcv"), chance, 6).bars())
    count = max(5, runs // 5)
    made = (outcomes(prices, account(prices, 5_000, chance)) for _ in range(count))
    found = float(np.mean([_finds_setup(one, 0.25) for one in made]))
    note(f"setup_quarter_sigma_5000: {found:.1%} of {count}")
    return {"setup_quarter_sigma_5000": found}


def cut(prices: Prices, runs: int, chance: Chance) -> dict[str, float]:
    """Cut each trip into four that overlap: partial exits of one entry."""
    differ = 0
    for _ in range(max(3, runs // 10)):
        whole = account(prices, 600, chance, 0.03)
        names = [
            _examined(outcomes(prices, trips))
            for trips in (whole, [part for one in whole for part in in_four(one)])
        ]
        differ += names[0] != names[1]
    return {"cut_into_four_differ": differ}


def speed(prices: Prices, runs: int, chance: Chance) -> dict[str, float]:
    """Measure 10,000 trips on hourly bars, and cut 50,000: the trips of 100,000 fills."""
    del runs  # one is enough
    trips = _many(account(prices, 1_000, chance), 10_000)
    many = _many(trips, 50_000)
    made = measure_trips(NO_PRICES, many, prices.last)
    return {
        "measure_10000_s": seconds(lambda: measure_trips(prices.book, trips, prices.last)),
        "cells_50000_s": seconds(
            lambda: report_of(
                material(made), None, is_kept=False, account=None, as_of=None, at=prices.last
            )
        ),
    }


def in_four(one: Trip) -> list[Trip]:
    """Return the lots of a trip: entered within seconds, closed one after another."""
    held = one.closed_at - (one.opened_at or one.closed_at)
    return [
        replace(
            one,
            trip_uid=f"{part}{one.trip_uid[1:]}",
            opened_at=(one.opened_at or one.closed_at) + part * timedelta(seconds=5),
            closed_at=one.closed_at - (3 - part) * held / 10,
            net=one.net / 4,
            gross=None if one.gross is None else one.gross / 4,
            notional=None if one.notional is None else one.notional / 4,
        )
        for part in range(4)
    ]


def material(found: Sequence[TripOutcome]) -> TradesMaterial:
    """Label and score trips."""
    return material_of(found, UTC, {})


def _examined(found: Sequence[TripOutcome]) -> list[tuple[str, str]]:
    report = material(found).book.examined(FILE_LEVEL)
    return [(one.attribute, one.value) for one in report.named]


def _finds_setup(found: Sequence[TripOutcome], sigmas: float = 0.5) -> bool:
    is_short = [one.trend == "down" and one.trip.direction == "short" for one in found]
    flawed = [worse(one, sigmas) if hit else one for one, hit in zip(found, is_short, strict=True)]
    return SETUP in _examined(flawed)


def _exchanged(scored: Sequence[ScoredTrip], chance: Chance) -> list[ScoredTrip]:
    order = chance.permutation(len(scored)).tolist()
    return [
        one._replace(score=scored[other].score, residual=scored[other].residual)
        for one, other in zip(scored, order, strict=True)
    ]


def _shuffled(scored: Sequence[ScoredTrip], chance: Chance) -> list[ScoredTrip]:
    """Exchange results, and take the mean off: fees make a losing book, which is no cell."""
    trips = _exchanged(scored, chance)
    mean = float(np.mean([one.score for one in trips]))
    return [one._replace(score=one.score - mean) for one in trips]


def _is_anything(trips: Sequence[ScoredTrip], level: float = FILE_LEVEL) -> bool:
    report = examine(trips, level, FROM_RESULTS)
    return bool(report.named) or report.is_book_named


def _is_named_in_weeks(trips: Sequence[ScoredTrip]) -> bool:
    last: TradeVerdict | None = None
    for week in range(1, WEEKS + 1):
        known = trips[: week * len(trips) // WEEKS]
        rule = rule_for(True, len(known), last)
        if rule.is_due:
            report = examine(known, rule.level, FROM_RESULTS)
            if report.named:
                return True
            last = verdict_on(report)
    return False


def _many(trips: Sequence[Trip], count: int) -> list[Trip]:
    found = []
    for number in range(count):
        one = trips[number % len(trips)]
        shift = timedelta(minutes=7 * (number // len(trips)))
        opened = (one.opened_at or one.closed_at) - shift
        uid = f"{number:032x}"
        found.append(replace(one, trip_uid=uid, opened_at=opened, closed_at=one.closed_at - shift))
    return found


_PARTS: Final[dict[str, Callable[[Prices, int, Chance], dict[str, float]]]] = {
    "shuffled": shuffled,
    "random": random,
    "weekly": weekly,
    "planted": planted,
    "cut": cut,
    "speed": speed,
}

if __name__ == "__main__":
    answers(
        ask,
        path=(Path, data_folder(), "folder of real data with `ohlcv/`"),
        runs=(int, 60, "planted accounts of each kind; shuffles take ten times as many"),
        accounts=(int, 30, "accounts of each world without skill, and size"),
        only=(str, "", "parts to measure, with commas between; all if empty"),
    )

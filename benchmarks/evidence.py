"""Whether patterns of decisions are told by evidence only: false ones, planted ones, lost ones.

Decisions without skill on real prices and on their block-shuffled twins; planted flaws; effects
that are lost; neutral calls; and books of trades with planted habits. Everything is read from the
shipped rules.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, get_args

import numpy as np

from afterword.pipeline.rules.evidence.family import FamilyRecord
from afterword.pipeline.rules.evidence.model import HYPOTHESES, SETUPS, Hypothesis, Side, Vote
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.evidence_neutral import neutral_shares
from benchmarks.evidence_trades import report_numbers
from benchmarks.evidence_worlds import (
    COINS,
    DAILY,
    FIRST,
    HOURLY,
    US,
    Closes,
    Flaw,
    Market,
    Style,
    aligned,
    decide,
    market,
    series,
    shuffled,
)
from benchmarks.timing import seconds

SEED: Final = 20240601
STYLES: Final[tuple[Style, ...]] = ("random", "fixed", "momentum")
SIDES: Final[tuple[Side, ...]] = get_args(Side)

MIN_WINDOWS: Final = 200
"""Independent windows from which a share of neutral calls is held to 45-55 %."""


class Shown(NamedTuple):
    """What was ever shown of a role at its weekly looks.

    Args:
        is_confirmed: whether any pattern was confirmed.
        is_told: whether any of them had an asset it may be told of.
        is_emerging: whether any pattern was emerging or confirmed.
    """

    is_confirmed: bool
    is_told: bool
    is_emerging: bool


Reader = Callable[[Iterator[list[Vote]], int], Shown]
"""Reads what a user is shown of a role: its votes by bar, and the bars between two looks.

`from_engine` reads the states of the rules. A reader of the default prompt has the same form.
"""


@dataclass
class Rates:
    """Shares of runs, by world."""

    confirmed: dict[str, float] = field(default_factory=dict)
    emerging: dict[str, float] = field(default_factory=dict)
    runs: int = 0

    def add(self, world: str, shown: Sequence[Shown]) -> None:
        """Add the runs of one world."""
        self.confirmed[world] = float(np.mean([one.is_told for one in shown]))
        self.emerging[world] = float(np.mean([one.is_emerging for one in shown]))
        self.runs += len(shown)

    def worst(self) -> tuple[str, float]:
        """Return the world with the most false patterns."""
        world = max(self.confirmed, key=lambda name: self.confirmed[name])
        return world, self.confirmed[world]


def ask(path: Path, runs: int, only: str) -> Answer:
    """Measure every figure, or those of one part."""
    folder = path / "ohlcv"
    wanted = only.split(",") if only else list(_PARTS)
    measured: dict[str, float] = {}
    for part in wanted:
        took = seconds(lambda part=part: measured.update(_PARTS[part](folder, runs)))  # type: ignore[misc]
        note(f"{part}: {took:.0f} s")
    targets = {name: target for name, target in TARGETS.items() if name in measured}
    return Answer("evidence", measured, targets, sizes={"runs": runs, "seed": SEED})


def from_engine(bars: Iterator[list[Vote]], week: int) -> Shown:
    """Read the states of the rules every week."""
    record = FamilyRecord()
    is_confirmed = is_told = is_emerging = False
    last = -1
    for votes in bars:
        for vote in votes:
            record.add(vote)
            last = vote.entry_at
        if last % week == 0:
            record.close(last)
            states = record.states()
            is_emerging = is_emerging or "emerging" in states
            if "confirmed" in states and not is_told:
                is_confirmed = True
                scopes = [
                    record.pattern(hypothesis).scope
                    for hypothesis, state in zip(HYPOTHESES, states, strict=True)
                    if state == "confirmed"
                ]
                is_told = any(scope.is_class or scope.assets for scope in scopes)
    return Shown(is_confirmed, is_told, is_emerging or is_confirmed)


# -- decisions without skill


def single_roles(folder: Path, runs: int, reader: Reader = from_engine) -> dict[str, float]:
    """Count roles of one asset without skill that are shown a pattern."""
    measured: dict[str, float] = {}
    single = Rates()
    for name in (*DAILY, *HOURLY):
        closes = series(folder, name)
        for kind in ("real", "twin"):
            for style in STYLES:
                world = f"{name} {kind} {style}"
                single.add(world, _random_runs([closes], kind, style, runs, reader))
    _by_kind(single, measured, "single")
    return measured


def family_roles(folder: Path, runs: int, reader: Reader = from_engine) -> dict[str, float]:
    """Count roles of several assets without skill that are shown a pattern."""
    measured: dict[str, float] = {}
    families = Rates()
    styles: tuple[Style, ...] = (*STYLES, "reversal", "long")
    for label, names, share in (("us5", US, 1.0), ("coins10", COINS, 0.5)):
        together = aligned([series(folder, name) for name in names])
        for kind in ("real", "twin"):
            for style in styles:
                world = f"{label} {kind} {style}"
                count = max(10, round(2 * share * runs))
                families.add(world, _random_runs(together, kind, style, count, reader))
                note(
                    f"{world}: {families.confirmed[world]:.1%} told, "
                    f"{families.emerging[world]:.1%} at least emerging, {count} runs"
                )
    _by_kind(families, measured, "family")
    return measured


def overlapping_roles(folder: Path, runs: int, reader: Reader = from_engine) -> dict[str, float]:
    """Count roles that decide each day for a week: five decisions in each stretch."""
    measured: dict[str, float] = {}
    overlapping = Rates()
    together = aligned([series(folder, name) for name in US])
    for style in STYLES:
        world = f"us5 twin {style}, a week each day"
        overlapping.add(world, _random_runs(together, "twin", style, 2 * runs, reader, window=5))
    measured["overlap_confirmed"] = float(np.mean(list(overlapping.confirmed.values())))
    note(f"overlapping windows: {overlapping.confirmed}")
    return measured


def _by_kind(rates: Rates, measured: dict[str, float], name: str) -> None:
    for kind in ("real", "twin"):
        own = [share for world, share in rates.confirmed.items() if f" {kind} " in world]
        hints = [share for world, share in rates.emerging.items() if f" {kind} " in world]
        measured[f"{name}_{kind}_confirmed"] = float(np.mean(own))
        measured[f"{name}_{kind}_emerging"] = float(np.mean(hints))
    by_series: dict[str, list[float]] = {}
    for world, share in rates.confirmed.items():
        by_series.setdefault(world.rsplit(" ", 1)[0], []).append(share)
    worst = max(by_series, key=lambda one: np.mean(by_series[one]))
    measured[f"{name}_worst_series"] = float(np.mean(by_series[worst]))
    world, share = rates.worst()
    measured[f"{name}_worst_entry"] = share
    note(f"{name}: worst series {worst} {np.mean(by_series[worst]):.1%}; entry {world} {share:.1%}")


def _random_runs(
    together: Sequence[Closes],
    kind: str,
    style: Style,
    runs: int,
    reader: Reader,
    window: int = 1,
) -> list[Shown]:
    chance = _chance(together[0].name, kind, style, str(len(together)), str(window))
    bars = len(together[0].at)
    span = min(together[0].span, bars - FIRST - window)
    real = [market(one, None, window) for one in together]
    shown = []
    for _ in range(runs):
        markets = real
        if kind == "twin":
            order = shuffled(bars, chance)
            markets = [market(one, order, window) for one in together]
        start = FIRST + int(chance.integers(0, bars - window - FIRST - span + 1))
        votes = decide(markets, np.arange(start, start + span), style, chance)
        shown.append(reader(votes, together[0].week))
    return shown


# -- planted effects


class Found(NamedTuple):
    """What became of a planted effect.

    Args:
        is_found: whether its hypothesis was confirmed and told of an asset that has it.
        is_told_of_another: whether it was told of an asset that does not have it.
    """

    is_found: bool
    is_told_of_another: bool


def planted(folder: Path, runs: int) -> dict[str, float]:
    """Count planted effects that are found, of a setup and of one asset of five."""
    together = aligned([series(folder, name) for name in US])
    real = [market(one) for one in together]
    measured = {}
    count = max(10, 3 * runs)
    for share, n in ((0.5, 60), (0.3, 125), (0.3, 190), (0.5, 20), (0.3, 60)):
        found = [_planted_run(real, share, n, None, seed) for seed in range(count)]
        measured[f"setup_{share:.0%}_at_{n}".replace("%", "")] = _share(found)
        note(f"setup-wide, {share:.0%}, {n} stretches: {_share(found):.1%} of {count}")
    for share, n in ((0.5, 115), (0.5, 57), (0.3, 116)):
        found = [_planted_run(real, share, n, US[seed % 5], seed) for seed in range(count)]
        measured[f"asset_{share:.0%}_at_{n}".replace("%", "")] = _share(found)
        others = float(np.mean([one.is_told_of_another for one in found]))
        measured[f"told_of_another_{share:.0%}_at_{n}".replace("%", "")] = others
        note(f"one asset, {share:.0%}, {n}: {_share(found):.1%}, told of another {others:.1%}")
    certain = [_planted_run(real, 1.0, 20, None, seed) for seed in range(max(10, runs // 2))]
    measured["setup_100_at_20"] = _share(certain)
    return measured


def _share(found: Sequence[Found]) -> float:
    return float(np.mean([one.is_found for one in found]))


def _planted_run(
    markets: Sequence[Market], share: float, n: int, asset: str | None, seed: int
) -> Found:
    """Let a flaw run until its setup, or the asset in it, has so many votes."""
    chance = _chance("planted", str(share), str(n), str(asset), str(seed))
    hypothesis = Hypothesis(SETUPS[int(chance.integers(6))], SIDES[int(chance.integers(2))])
    bars = len(markets[0].moves) - 1
    # As many bars as the rarest setup may need, from any start that leaves them.
    start = FIRST + int(chance.integers(0, max(1, bars - FIRST - 25 * n)))
    record = FamilyRecord()
    is_found = is_other = False
    flaw = Flaw(hypothesis, share, asset)
    for place, votes in enumerate(
        decide(markets, np.arange(start, bars), "random", chance, [flaw])
    ):
        for vote in votes:
            record.add(vote)
        if place % 5 == 0:
            record.close(start + place)
            found = record.pattern(hypothesis)
            if found.state == "confirmed":
                others = [one.name for one in markets if one.name != asset]
                is_other = is_other or any(found.is_in_scope(one) for one in others)
                is_found = is_found or (
                    found.is_in_scope(asset) if asset else bool(found.scope.assets) or is_other
                )
            own = found.asset_evidence.get(asset or "")
            if (own.n_eff if own else 0 if asset else found.n_eff) >= n:
                break
    return Found(is_found, is_other and asset is not None)


# -- effects that are lost


class Ending(NamedTuple):
    """How a confirmed effect ended.

    Args:
        is_retired_true: whether it was retired while it held.
        after: stretches from its loss until it was retired; None if it never was.
    """

    is_retired_true: bool
    after: int | None


def lost(folder: Path, runs: int) -> dict[str, float]:
    """Count lost effects that are retired within some stretches, and true ones that are."""
    together = aligned([series(folder, name) for name in US])
    real = [market(one) for one in together]
    count = max(10, 3 * runs)
    true = [one for seed in range(count) if (one := _held_run(real, 0.3, 120, 0, seed))]
    ends = [one for seed in range(count) if (one := _held_run(real, 0.3, 60, 150, seed))]
    watched = [one.after for one in ends if not one.is_retired_true]
    measured = {"true_retired_in_120": float(np.mean([one.is_retired_true for one in true]))}
    for within in (30, 60, 100, 150):
        found = [after is not None and after <= within for after in watched]
        measured[f"lost_retired_in_{within}"] = float(np.mean(found))
    note(f"{len(true)} effects held, {len(watched)} lost: {measured}")
    return measured


def _held_run(
    markets: Sequence[Market], share: float, hold: int, lose: int, seed: int
) -> Ending | None:
    """Hold an effect for some stretches after it was confirmed, then lose it for some.

    Returns:
        None if it was never confirmed, or the prices ended before.
    """
    chance = _chance("lost", str(share), str(hold), str(seed))
    setup = SETUPS[int(chance.integers(6))]
    hypothesis = Hypothesis(setup, SIDES[int(chance.integers(2))])
    number = HYPOTHESES.index(hypothesis)
    bars = len(markets[0].moves) - 1
    at = np.arange(FIRST + int(chance.integers(0, 300)), bars)
    state = chance.bit_generator.state
    with_flaw = decide(markets, at, "random", chance, [Flaw(hypothesis, share)])
    again = np.random.default_rng()
    again.bit_generator.state = state
    without = decide(markets, at, "random", again, [Flaw(hypothesis, 0.0)])
    record = FamilyRecord()
    confirmed_at = lost_at = -1
    for bar, turned, plain in zip(at.tolist(), with_flaw, without, strict=True):
        for vote in plain if lost_at >= 0 else turned:
            record.add(vote)
        record.close(bar)
        is_retired = record.states()[number] != "confirmed"
        n_eff = record.record(setup).n_eff
        if confirmed_at < 0:
            confirmed_at = -1 if is_retired else n_eff
        elif lost_at < 0:
            if is_retired:
                return Ending(True, None)
            if n_eff >= confirmed_at + hold:
                if not lose:
                    return Ending(False, None)
                lost_at = n_eff
        elif is_retired:
            return Ending(False, n_eff - lost_at)
        elif n_eff >= lost_at + lose:
            return Ending(False, None)
    return None


# -- neutral calls, the report, speed


def neutral(folder: Path, runs: int) -> dict[str, float]:
    """Count neutral calls at every moment that are right, by series and length of window."""
    del runs  # every moment of every series is one call
    shares = [one for name in (*DAILY, *HOURLY) for one in neutral_shares(series(folder, name))]
    long = [one for one in shares if one.windows >= MIN_WINDOWS]
    short = [one for one in shares if one.windows < MIN_WINDOWS]
    for one in shares:
        if not one.is_within():
            note(
                f"neutral {one.name}, {one.days:g} d: {one.right:.1%} of {one.windows:.0f} windows"
            )
    inside = [one for one in shares if 0.45 <= one.right <= 0.55]
    note(f"neutral: {len(inside)} of {len(shares)} series and windows within 45-55 %")
    return {
        "neutral_least_right": min(one.right for one in long),
        "neutral_most_right": max(one.right for one in long),
        "neutral_tables": len(shares),
        "neutral_long_tables": len(long),
        "neutral_long_outside": sum(not 0.45 <= one.right <= 0.55 for one in long),
        "neutral_short_outside_2_se": sum(not one.is_within() for one in short),
        "neutral_noise": float(np.mean([one.noise for one in shares])),
    }


def report(folder: Path, runs: int) -> dict[str, float]:
    """Count what the report names in books of trades, with and without a habit."""
    hourly = [series(folder, name, per_day=24) for name in COINS]
    markets = [market(one, None, hours) for one in hourly for hours in range(1, 7)]
    return report_numbers(markets, runs, SEED)


def speed(folder: Path, runs: int) -> dict[str, float]:
    """Measure how many votes a second a family takes in, every stretch closed and judged."""
    del folder, runs
    measured = {}
    for assets in (1, 10):
        chance = np.random.default_rng(SEED)
        votes = [
            Vote(
                number,
                f"asset {number % assets}",
                SETUPS[int(chance.integers(6))],
                number // assets,
                number // assets + 1,
                float(chance.normal(0, 0.05)),
                0.0125,
                0.5,
            )
            for number in range(100_000)
        ]
        record = FamilyRecord()
        took = min(seconds(partial(_feed, FamilyRecord(), votes)) for _ in range(3))
        _feed(record, votes)
        measured[f"votes_per_s_{assets}_assets"] = len(votes) / took
        measured[f"patterns_ms_{assets}_assets"] = seconds(record.patterns) * 1000
    return measured


def _feed(record: FamilyRecord, votes: Sequence[Vote]) -> None:
    for vote in votes:
        record.add(vote)
    record.close(votes[-1].exit_at)


def _chance(*words: str) -> np.random.Generator:
    return np.random.default_rng([SEED, *"/".join(words).encode()])


_PARTS: Final[dict[str, Callable[[Path, int], dict[str, float]]]] = {
    "single": single_roles,
    "family": family_roles,
    "overlapping": overlapping_roles,
    "planted": planted,
    "lost": lost,
    "neutral": neutral,
    "report": report,
    "speed": speed,
}

TARGETS: Final = {
    "single_real_confirmed": Target(at_most=0.05),
    "single_twin_confirmed": Target(at_most=0.05),
    "family_real_confirmed": Target(at_most=0.05),
    "family_twin_confirmed": Target(at_most=0.05),
    "single_real_emerging": Target(at_most=0.20),
    "single_twin_emerging": Target(at_most=0.20),
    "family_real_emerging": Target(at_most=0.20),
    "family_twin_emerging": Target(at_most=0.20),
    "setup_50_at_60": Target(at_least=0.60),
    "setup_30_at_190": Target(at_least=0.70),
    "setup_30_at_125": Target(at_least=0.45),
    "setup_100_at_20": Target(at_least=1.0),
    "asset_50_at_115": Target(at_least=0.80),
    "told_of_another_50_at_115": Target(at_most=0.05),
    "told_of_another_50_at_57": Target(at_most=0.05),
    "told_of_another_30_at_116": Target(at_most=0.05),
    "lost_retired_in_60": Target(at_least=0.50),
    "lost_retired_in_100": Target(at_least=0.75),
    "true_retired_in_120": Target(at_most=0.10),
    "neutral_long_outside": Target(at_most=0),
    "neutral_short_outside_2_se": Target(at_most=0),
    "shuffled_named_200": Target(at_most=0.05),
    "shuffled_named_1000": Target(at_most=0.05),
    "weekly_named": Target(at_most=0.05),
    "cut_fills_differ": Target(at_most=0),
    "quick_2_percent_200": Target(at_least=0.70),
    "quick_2_percent_1000": Target(at_least=0.95),
    "quick_1_percent_1000": Target(at_least=0.85),
    "setup_half_sigma_1000": Target(at_least=0.90),
    "setup_quarter_sigma_5000": Target(at_least=0.90),
    "names_per_planted": Target(at_most=1.1),
}


if __name__ == "__main__":
    answers(
        ask,
        path=(Path, Path("data"), "folder of real data with `ohlcv/`"),
        runs=(int, 60, "runs of each world; planted effects take three times as many"),
        only=(str, "", "parts to measure, with commas between; all if empty"),
    )

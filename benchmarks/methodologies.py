"""Whether luck gets a methodology into prompts: placebos, planted edges, lost ones, many at once.

Methods without skill on real prices and on their block-shuffled twins, weekly looks, ever; the
verdicts are those of the shipped rules. The literal rule of the requirements stands beside them.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from functools import cache, partial
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from afterword.pipeline.domain.synthesis.judge import (
    FLAGGED_AT,
    FLAGS_TO_DEMOTE,
    RECOVERED_BELOW,
)
from afterword.pipeline.rules.evidence.graduation import (
    FDR,
    graduating,
    graduation_bar,
    is_demoted,
    is_literally_graduated,
    is_promising,
    uses_needed,
)
from afterword.pipeline.rules.evidence.method_record import (
    MethodStretch,
    MethodTally,
    MethodVote,
    method_record,
    method_stretches,
)
from afterword.pipeline.rules.evidence.rates import wilson_interval
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.evidence_worlds import SEED, Chance, Floats, chance_of
from benchmarks.methodology_worlds import (
    KINDS,
    WINDOWS,
    YEARS,
    Kind,
    Span,
    Windows,
    calls,
    spans,
    stretches,
    stretches_apart,
    worlds,
)
from benchmarks.timing import seconds

WEEK: Final = 5
"""Trading days."""

LADDER: Final = (1, WEEK, 21, 63, 126, YEARS)
"""Trading days of 1, 7, 30, 90, 180 and 365 days: the literal gate counts each."""

EDGE: Final = 0.3
"""Share of the misses that a method with an edge turns into hits."""


FIRST_OF_200: Final = 200 / FDR
"""The e-value that e-BH asks of the first graduate of 200 tried."""


class Seen(NamedTuple):
    """What was ever said of a method at its looks.

    Args:
        chosen: whether e-BH would have let it through as the first of 200 tried.
    """

    literal: bool
    promising: bool
    chosen: bool


class Panel(NamedTuple):
    """What became of many methods that were tried together.

    Args:
        false: graduates without an edge; `true` those with one; count, of `skilled`.
        alone: methods without an edge that were promising at some time; count.
        alone_true: those with one that were.
    """

    false: int
    true: int
    skilled: int
    alone: int
    alone_true: int


def is_ever_promising(found: Sequence[MethodStretch], least: float = 20) -> bool:
    """Read the strict gate after every stretch: nothing changes between two.

    Args:
        least: the e-value that lets it through.
    """
    tally = MethodTally()
    for one in found:
        tally.add(one)
        # The same as `is_promising`, asked only where it can be true.
        if tally.n_eff >= 20 and tally.wager.value >= least and is_promising(tally.record()):
            return True
    return False


def is_ever_literal(windows: Sequence[Windows], made: Floats, edge: float, chance: Chance) -> bool:
    """Read the literal gate after every outcome: each window of the ladder is a use."""
    outcomes = [
        found
        for one in windows
        for found in stretches_apart(one, made[:, made[0] < one.count], edge, chance)
    ]
    used = correct = 0
    for found in sorted(outcomes, key=lambda one: one.exit_at):
        if found.voted:
            used += 1
            correct += found.hits == 1
            if is_literally_graduated(correct, used):
                return True
    return False


@cache
def _worlds(folder: Path, bars: int, is_twin: bool) -> tuple[Windows, ...]:
    return tuple(worlds(folder, bars, is_twin))


@cache
def _ladder(folder: Path, name: str, is_twin: bool) -> tuple[Windows, ...]:
    """Return the windows of the ladder on one series: a day to a year."""
    every = (_worlds(folder, bars, is_twin) for bars in LADDER)
    return tuple(one for windows in every for one in windows if one.name == name)


def placebos(folder: Path, runs: int) -> dict[str, float]:
    """Count methods without skill that each gate ever lets through, by kind and horizon."""
    measured: dict[str, float] = {}
    for horizon, bars in WINDOWS.items():
        for is_twin in (False, True):
            for kind in KINDS:
                measured |= _placebo(folder, runs, horizon, bars, kind, is_twin)
    return measured


def _placebo(
    folder: Path, runs: int, horizon: str, bars: int, kind: Kind, is_twin: bool
) -> dict[str, float]:
    """Tell one row of the table: the mean over series, each the mean over its spans."""
    world = "twin" if is_twin else "real"
    # One that draws nothing differs between runs by its first call alone.
    each = runs if kind in ("fixed", "anew") else min(runs, max(bars, WEEK))
    by_series: dict[str, list[Seen]] = defaultdict(list)
    every = max(bars, WEEK) if bars > 1 else 1
    for one in _worlds(folder, bars, is_twin):
        ladder = _ladder(folder, one.name, is_twin)
        for number, span in enumerate(spans(one, 2)):
            for run in range(each):
                chance = chance_of(kind, one.name, horizon, world, str(number), str(run))
                made = calls(one, span, kind, chance, every)
                found = stretches(one, made, 0.0, chance)
                seen = Seen(
                    is_ever_literal(ladder, made, 0.0, chance),
                    is_ever_promising(found),
                    is_ever_promising(found, FIRST_OF_200),
                )
                by_series[one.name].append(seen)
    rates = {name: np.mean(found, axis=0) for name, found in by_series.items()}
    literal, promising, chosen = np.mean(list(rates.values()), axis=0)
    worst = max(rates, key=lambda name: float(rates[name][1]))
    note(
        f"{horizon} {world} {kind:8s} literal {literal:6.1%}  promising {promising:5.1%}"
        f"  first of 200 {chosen:5.2%}"
        f"  worst {worst} {rates[worst][1]:.1%} of {len(by_series[worst])}"
    )
    if kind == "fixed":
        for name, (own_literal, own, first) in rates.items():
            note(
                f"    {name}: literal {own_literal:.1%}, promising {own:.1%}, first of 200 "
                f"{first:.2%}"
            )
    prefix = f"{kind}_{horizon}_{world}"
    return {f"{prefix}_literal": float(literal), f"{prefix}_promising": float(promising)}


def edges(folder: Path, runs: int) -> dict[str, float]:
    """Count methods with an edge that are promising within two years; all misses turned last."""
    measured: dict[str, float] = {}
    for horizon, kind, edge in (
        ("7d", "fixed", EDGE),
        ("7d", "fixed", 0.2),
        ("7d", "neutral", EDGE),
        ("1d", "fixed", EDGE),
        ("30d", "fixed", EDGE),
        ("7d", "fixed", 1.0),
    ):
        bars = WINDOWS[horizon]
        every = max(bars, WEEK) if bars > 1 else 1
        by_series: dict[str, list[bool]] = defaultdict(list)
        for one in _worlds(folder, bars, False):
            for number, span in enumerate(spans(one, 2)):
                for run in range(max(1, runs // 2)):
                    chance = chance_of("edge", kind, one.name, horizon, str(number), str(run))
                    made = calls(one, span, kind, chance, every)  # type: ignore[arg-type]
                    found = stretches(one, made, edge, chance)
                    by_series[one.name].append(is_ever_promising(found))
        promising = float(np.mean([np.mean(one) for one in by_series.values()]))
        note(f"edge {edge:.0%} {horizon} {kind}: promising {promising:.1%}")
        measured[f"edge_{edge * 100:.0f}_{horizon}_{kind}"] = promising
    return measured


def panels(folder: Path, runs: int) -> dict[str, float]:
    """Try many methods together for years: how many graduates are luck, how many are found."""
    measured: dict[str, float] = {}
    for tried, skilled, years, level in (
        (200, 10, 4, FDR),
        (200, 10, 4, 0.1),
        (200, 10, 2, FDR),
        (20, 2, 4, FDR),
        (20, 2, 2, FDR),
    ):
        wanted = 100 if (tried, years, level) == (200, 4, FDR) else 24
        count = max(4, wanted * runs // 60)
        found = [_panel(folder, tried, skilled, years, level, number) for number in range(count)]
        shares = [one.false / (one.false + one.true) for one in found if one.false + one.true]
        # A panel without graduates has no false one.
        fdr = sum(shares) / len(found)
        alone = [one.alone / max(1, one.alone + one.alone_true) for one in found]
        power = sum(one.true for one in found) / sum(one.skilled for one in found)
        error = float(np.std([*shares, *[0.0] * (len(found) - len(shares))]) / len(found) ** 0.5)
        name = f"{tried}_{skilled}_{years}y_{level:g}"
        note(
            f"panel {name}: false among graduates {fdr:.1%} ± {error:.1%} (promising alone"
            f" {np.mean(alone):.1%}), power {power:.1%}, {count} panels"
        )
        measured |= {
            f"panel_{name}_false": float(fdr),
            f"panel_{name}_false_alone": float(np.mean(alone)),
            f"panel_{name}_power": float(power),
        }
    return measured


def _panel(folder: Path, tried: int, skilled: int, years: int, level: float, number: int) -> Panel:
    """Return what became of the methods of one panel, each on a series and a span of its own."""
    chance = chance_of("panel", str(tried), str(years), str(number))
    fitting = [one for one in _worlds(folder, WEEK, False) if spans(one, years)]
    weeks: list[dict[int, MethodStretch]] = []
    for method in range(tried):
        one = fitting[int(chance.integers(len(fitting)))]
        every = spans(one, years)
        span: Span = every[int(chance.integers(len(every)))]
        edge = EDGE if method < skilled else 0.0
        made = calls(one, span, "fixed", chance, WEEK)
        weeks.append(
            {
                (found.exit_at - span.start) // WEEK: found
                for found in stretches(one, made, edge, chance)
            }
        )
    return panel_of(weeks, skilled, years, level)


def panel_of(
    weeks: Sequence[Mapping[int, MethodStretch]], skilled: int, years: int, level: float
) -> Panel:
    """Run the whole rule over one panel: each week all e-values at once, a graduate stays one.

    Args:
        weeks: of each method the stretch that ends in a week, by the number of the week; those
            with an edge come first.
        skilled: how many have one.
    """
    tallies = [MethodTally() for _ in weeks]
    graduated: set[int] = set()
    lost: set[int] = set()
    ever: set[int] = set()
    for week in range(years * YEARS // WEEK + 2):
        for method, tally in enumerate(tallies):
            found = weeks[method].get(week)
            if found is not None:
                tally.add(found)
        promising = {
            method
            for method, tally in enumerate(tallies)
            if tally.n_eff >= 20 and tally.wager.value >= 20 and is_promising(tally.record())
        }
        ever |= promising
        values = {method: tally.wager.value for method, tally in enumerate(tallies) if tally.n_eff}
        new = graduating(values, promising, level) - graduated - lost
        for method in new:
            tallies[method].graduated_at = tallies[method].last_at
        graduated |= new
        for method in sorted(graduated):
            if is_demoted(tallies[method].record()):
                graduated.discard(method)
                lost.add(method)
                tallies[method] = MethodTally()
    # Everything that was ever shown counts, also what was demoted since.
    shown = graduated | lost
    return Panel(
        false=sum(method >= skilled for method in shown),
        true=sum(method < skilled for method in shown),
        skilled=skilled,
        alone=sum(method >= skilled for method in ever),
        alone_true=sum(method < skilled for method in ever),
    )


def lost(folder: Path, runs: int) -> dict[str, float]:
    """Count graduates whose edge ends that are demoted, and those with their edge that are."""
    measured: dict[str, float] = {}
    for name, held, gone in (("at_once", 0, 100), ("held_60", 60, 100), ("true_100", 100, 0)):
        ended = total = 0
        waits = []
        for run in range(runs * 10):
            wait = _demoted_after(folder, held, gone, run)
            if wait is None:
                continue
            total += 1
            if wait > 0:
                ended += 1
                waits.append(wait)
        share = ended / total
        low, high = wilson_interval(ended, total)
        median = float(np.median(waits)) if waits else 0.0
        note(
            f"demoted {name}: {share:.1%} of {total} ({low:.1%} to {high:.1%}), after"
            f" {median:.0f} stretches"
        )
        measured[f"demoted_{name}"] = share
    return measured


def _demoted_after(folder: Path, held: int, gone: int, run: int) -> int | None:
    """Return the stretches until a graduate was demoted, 0 if it was not; None if never graduated.

    Its outcomes are drawn from a real series, in blocks of twenty weeks: no series is long enough
    for all it takes.
    """
    chance = chance_of("lost", str(run))
    fitting = _worlds(folder, WEEK, False)
    one = fitting[int(chance.integers(len(fitting)))]
    way = int(chance.choice([-1, 1]))
    tally = MethodTally()
    place = since = doubts = 0
    first = spans(one, 2)[0].start
    close = first
    while place < 600:
        if place % 20 == 0:
            close = int(chance.integers(first, one.count - 20 * WEEK))
        came = int(one.up[close])
        base = float(one.rises[close])
        base = base if way > 0 else 1 - base
        is_hit = None if came == 0 else came == way
        has_edge = tally.graduated_at is None or since < held
        if is_hit is False and has_edge and chance.random() < EDGE:
            is_hit = True
        entry = place * WEEK
        vote = MethodVote(entry, entry + WEEK, one.name, is_hit, base)
        for found in method_stretches([vote]):
            tally.add(found)
        place += 1
        close += WEEK
        record = tally.record()
        if tally.graduated_at is None:
            if is_promising(record):
                tally.graduated_at = entry + WEEK
            continue
        if is_hit is not None:
            since += 1
            doubts = _doubts(doubts, record.reverse)
        if is_demoted(record) or doubts >= FLAGS_TO_DEMOTE:
            if since <= held and gone:
                return None  # demoted while it had its edge: counted in `true`
            return max(1, since - (held if gone else 0))
        if since >= held + gone:
            return 0
    return None


def _doubts(flags: int, bet: float) -> int:
    """Return the flags in a row after a use, as the judge by rule sets them."""
    if bet >= FLAGGED_AT:
        return flags + 1
    return 0 if bet < RECOVERED_BELOW else flags


def horizons(folder: Path, runs: int) -> dict[str, float]:
    """Say when methods of each horizon could be told at all."""
    del folder, runs
    for name, days in (("intraday", 1), ("short", 7), ("medium", 30), ("long", 90)):
        length = timedelta(days=days)
        votes = [MethodVote(place, place + 1, "BTC", place % 20 < 13, 0.5) for place in range(8)]
        record = method_record(votes)
        needed = uses_needed(record, graduation_bar([1.0] * 20))
        if needed is None:
            continue
        years = (8 + needed) * length / timedelta(days=365)
        note(f"{name}: right 65 %, of 20 tried: about {8 + needed} stretches, {years:.1f} years")
    return {}


def speed(folder: Path, runs: int) -> dict[str, float]:
    """Measure the cost of a vote, and of all methods of a large desk."""
    del folder, runs
    chance = np.random.default_rng(SEED)
    hits = (chance.random(100_000) < 0.5).tolist()
    votes = [
        [MethodVote(place, place + 1, "BTC", hits[method * 10 + place], 0.5) for place in range(10)]
        for method in range(10_000)
    ]
    took = min(seconds(lambda: [method_record(one) for one in votes]) for _ in range(3))
    bare = min(seconds(partial(_bare, votes)) for _ in range(3))
    note(f"100,000 votes of 10,000 methods: {took:.2f} s; bare sums {bare:.2f} s")
    return {"us_per_vote": took * 10, "bare_us_per_vote": bare * 10}


def _bare(votes: Sequence[Sequence[MethodVote]]) -> float:
    return sum(sum(bool(one.is_hit) - one.base for one in many) for many in votes)


_PARTS: Final[dict[str, Callable[[Path, int], dict[str, float]]]] = {
    "placebos": placebos,
    "edges": edges,
    "panels": panels,
    "lost": lost,
    "horizons": horizons,
    "speed": speed,
}

TARGETS: Final = {
    "fixed_7d_real_promising": Target(at_most=0.05),
    "fixed_7d_twin_promising": Target(at_most=0.05),
    "fixed_1d_real_promising": Target(at_most=0.05),
    "fixed_1d_twin_promising": Target(at_most=0.05),
    "fixed_30d_real_promising": Target(at_most=0.05),
    "fixed_30d_twin_promising": Target(at_most=0.05),
    "edge_30_7d_fixed": Target(at_least=0.50),
    "edge_30_7d_neutral": Target(at_least=0.40),
    "edge_100_7d_fixed": Target(at_least=1.0),
    "panel_200_10_4y_0.2_false": Target(at_most=0.25),
    "demoted_at_once": Target(at_least=0.55),
    "demoted_held_60": Target(at_least=0.55),
    "demoted_true_100": Target(at_most=0.05),
}


def ask(path: Path, runs: int, only: str) -> Answer:
    """Measure every figure, or those of some parts."""
    folder = path / "ohlcv"
    wanted = only.split(",") if only else list(_PARTS)
    measured: dict[str, float] = {}
    for part in wanted:
        took = seconds(lambda part=part: measured.update(_PARTS[part](folder, runs)))  # type: ignore[misc]
        note(f"{part}: {took:.0f} s")
    targets = {name: target for name, target in TARGETS.items() if name in measured}
    return Answer("methodologies", measured, targets, sizes={"runs": runs, "seed": SEED})


if __name__ == "__main__":
    answers(
        ask,
        path=(Path, Path("data"), "folder of real data with `ohlcv/`"),
        runs=(int, 60, "methods of each kind, series and span"),
        only=(str, "", "parts to measure, with commas between; all if empty"),
    )

"""Coin flips whose losers are replaced at half time: how many roles are ever shown a pattern.

A call lasts a day. Twelve hours after it, whoever stands wrong closes it (`exit`), or takes the
other side for a day (`reverse`). The rule of the program counts what was replaced after its entry;
beside it, as a measure of what that is worth, the same roles without the replaced calls.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal

import numpy as np

from afterword.pipeline.domain.outcomes.counting import does_count
from afterword.pipeline.rules.evidence.model import SETUPS, Vote
from benchmarks.answer import note
from benchmarks.evidence_random import KINDS, from_rules
from benchmarks.evidence_worlds import (
    FIRST,
    Chance,
    Closes,
    Market,
    Run,
    aligned,
    chance_of,
    market,
    series,
    shuffled,
    twin,
)

Mode = Literal["exit", "reverse"]

MODES: Final[tuple[Mode, ...]] = ("exit", "reverse")
COINS: Final = ("SOLUSDT_2024_1h", "LINKUSDT_2024_1h", "DOGEUSDT_2024_1h")
DAY: Final = 24
"""Bars of a call."""

HALF: Final = DAY // 2
"""Bars after which a call that stands wrong is replaced."""

RUNS: Final = 5
"""Runs of a world for each one asked for."""


def replaced(folder: Path, runs: int) -> dict[str, float]:
    """Measure shares of roles ever shown a pattern: the mean over the worlds, and the worst one."""
    together = aligned([series(folder, name, per_day=24) for name in COINS])
    by_rule: dict[bool, list[float]] = {True: [], False: []}
    for kind in KINDS:
        for mode in MODES:
            shown = _shares(together, kind, mode, max(10, RUNS * runs))
            note(f"replaced, {kind} {mode}: {shown[True]:.1%}, dropped {shown[False]:.1%}")
            for keeps, share in shown.items():
                by_rule[keeps].append(share)
    return {
        "replaced_confirmed": float(np.mean(by_rule[True])),
        "replaced_worst": max(by_rule[True]),
        "replaced_dropped_confirmed": float(np.mean(by_rule[False])),
    }


def _shares(together: Sequence[Closes], kind: str, mode: Mode, runs: int) -> dict[bool, float]:
    """Return the share of roles that are shown a pattern, by whether replaced calls may count."""
    chance = chance_of("replaced", kind, mode)
    bars = len(together[0].at)
    span = together[0].span
    made, shown = together, {True: 0, False: 0}
    markets = [market(one, DAY) for one in made]
    for _ in range(runs):
        if kind == "twin":
            order = shuffled(bars, chance)
            made = [twin(one, order) for one in together]
            markets = [market(one, DAY) for one in made]
        start = FIRST + int(chance.integers(0, bars - 2 * DAY - FIRST - span + 1))
        calls = list(_calls(made, markets, range(start, start + span, DAY), mode, chance))
        for keeps in shown:
            votes: list[list[Vote]] = [[] for _ in range(span + DAY)]
            for vote, replaced_at in calls:
                if does_count(replaced_at, None, vote.entry_at) if keeps else replaced_at is None:
                    votes[vote.entry_at - start].append(vote)
            shown[keeps] += from_rules(Run(made, start, DAY, votes)).is_confirmed
    return {keeps: count / runs for keeps, count in shown.items()}


def _calls(
    together: Sequence[Closes],
    markets: Sequence[Market],
    bars: Sequence[int],
    mode: Mode,
    chance: Chance,
) -> list[tuple[Vote, int | None]]:
    """Return coin flips and what took their place, each with the bar at which it was replaced."""
    calls: list[tuple[Vote, int | None]] = []
    for bar in bars:
        for closes, one in zip(together, markets, strict=True):
            is_long = bool(chance.random() < 0.5)
            is_losing = bool(closes.prices[bar + HALF] > closes.prices[bar]) != is_long
            calls.append((_vote(one, bar, is_long=is_long), bar + HALF if is_losing else None))
            if is_losing and mode == "reverse":
                calls.append((_vote(one, bar + HALF, is_long=not is_long), None))
    return calls


def _vote(one: Market, bar: int, *, is_long: bool) -> Vote:
    base = float(one.rises[bar])
    return Vote(
        bar,
        one.name,
        SETUPS[(0 if is_long else 3) + int(one.trends[bar])],
        bar,
        bar + DAY,
        float(one.moves[bar]),
        float(one.bands[bar]),
        base if is_long else 1 - base,
    )

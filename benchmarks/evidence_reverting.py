"""Coin flips on coins that take moves back: what the market does by itself, told as a role's.

Ten coins on real hours, calls of four hours, once a window on average. Each role is judged twice:
against the base of any move, as patterns once were, and against that of its setup. Beside the real
prices stand made ones, of which each window takes back the one before more often than not.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from afterword.pipeline.rules.evidence.rates import wilson_interval
from benchmarks.answer import note
from benchmarks.evidence_random import from_rules
from benchmarks.evidence_worlds import (
    COINS,
    FIRST,
    Chance,
    Closes,
    Market,
    Run,
    aligned,
    chance_of,
    decide,
    market,
    series,
)

WINDOW: Final = 4
"""Bars of a call: hours."""

_WHEN: Final = {"any move": "before", "the setup": "now"}
"""When patterns were compared with which base."""

TURNS: Final = 0.6
"""Share of the windows of made prices that take back the window before."""


def reverting(folder: Path, runs: int) -> dict[str, float]:
    """Count roles of coin flips that are told a pattern, by base and by prices."""
    together = aligned([series(folder, name, per_day=24) for name in COINS])
    measured: dict[str, float] = {}
    for kind in ("real", "made"):
        told = _told(together, kind, runs)
        for base, count in told.items():
            low, high = wilson_interval(count, runs)
            note(
                f"reverting, {kind} prices, base of {base}: {count} of {runs} roles told a pattern"
                f" ({low:.1%} to {high:.1%})"
            )
            measured[f"reverting_{kind}_told_{_WHEN[base]}"] = count / runs
    return measured


def _told(together: Sequence[Closes], kind: str, runs: int) -> dict[str, int]:
    """Return how many roles are told a pattern, by the base that they are compared with."""
    chance = chance_of("reverting", kind)
    bars, span = len(together[0].at), together[0].span
    told = dict.fromkeys(_WHEN, 0)
    markets = [market(one, WINDOW) for one in together]
    for _ in range(runs):
        if kind == "made":
            markets = [market(_turning(one, chance), WINDOW) for one in together]
        start = FIRST + int(chance.integers(0, bars - WINDOW - FIRST - span + 1))
        decided = np.arange(start, start + span)
        flips = int(chance.integers(1 << 32))  # the same for both
        for base in told:
            known = map(_against_any, markets) if base == "any move" else markets
            coins = np.random.default_rng(flips)
            votes = list(decide(list(known), decided, "random", coins, share=1 / WINDOW))
            told[base] += from_rules(Run(together, start, WINDOW, votes)).is_confirmed
    return told


def _against_any(one: Market) -> Market:
    """Return a market whose base rate knows nothing of the move before."""
    return replace(one, after=one.rises)


def _turning(closes: Closes, chance: Chance) -> Closes:
    """Return a series with the moves of its windows, each turned back by the next one or not."""
    whole = (len(closes.prices) - 1) // WINDOW
    logs = np.diff(np.log(np.cumprod(1 + closes.moves)))[: whole * WINDOW].reshape(whole, WINDOW)
    wanted = np.cumprod(np.where(chance.random(whole) < TURNS, -1, 1))
    is_other = np.sign(logs.sum(axis=1)) == -wanted
    logs[is_other] *= -1
    prices = np.full(len(closes.prices), 100.0)
    prices[1 : 1 + whole * WINDOW] *= np.exp(np.cumsum(logs.ravel()))
    prices[1 + whole * WINDOW :] = prices[whole * WINDOW]
    return closes._replace(prices=prices)

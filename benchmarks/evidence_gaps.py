"""Coins whose source is silent for hours, after which the price stands elsewhere."""

from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.evidence_made import COINS, WARM, MadeMarkets, daily, hourly, made_roles
from benchmarks.evidence_worlds import Chance

DAYS: Final = 240
SIGMA: Final = 0.006
"""Deviation of an hour."""

APART: Final = 60
"""Hours between two silences, on average."""

SILENCE: Final = 8
"""Hours of a silence, on average."""


def gaps(folder: Path, runs: int) -> dict[str, float]:
    """Count roles without skill that are told of a pattern where bars are missing."""
    del folder  # every price is made
    return made_roles("gaps", runs, _markets)


def _markets(chance: Chance) -> MadeMarkets:
    hours = (DAYS + 3) * 24
    bars = {}
    for coin in COINS[:3]:
        series, whole = hourly(coin, chance.normal(0, SIGMA, hours))
        is_there = np.full(hours, True)
        start = 0
        while (start := start + 1 + int(chance.exponential(APART))) < hours:
            end = start + 1 + int(chance.exponential(SILENCE))
            is_there[start:end] = False
            start = end
        bars[series] = [bar for bar, told in zip(whole, is_there.tolist(), strict=True) if told]
    return MadeMarkets(bars, daily(WARM, DAYS, weekdays=False), 24)

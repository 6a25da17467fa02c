"""Five coins that share nine tenths of their moves: their outcomes are not five proofs."""

from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.evidence_made import COINS, WARM, MadeMarkets, daily, hourly, made_roles
from benchmarks.evidence_worlds import Chance

COMMON: Final = 0.9
"""Share of the variance that all have in common."""

DAYS: Final = 240
SIGMA: Final = 0.006
"""Deviation of an hour."""


def correlated(folder: Path, runs: int) -> dict[str, float]:
    """Count roles without skill on correlated coins that are told of a pattern."""
    del folder  # every price is made
    return made_roles("correlated", runs, _markets)


def _markets(chance: Chance) -> MadeMarkets:
    hours = (DAYS + 3) * 24
    market = chance.normal(0, SIGMA, hours)
    coins = []
    for coin in COINS:
        own = chance.normal(0, SIGMA, hours)
        moves = np.sqrt(COMMON) * market + np.sqrt(1 - COMMON) * own
        coins.append(hourly(coin, moves))
    return MadeMarkets(dict(coins), daily(WARM, DAYS, weekdays=False), 24)

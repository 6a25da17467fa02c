"""Coins that rise for some weeks and fall for others, in quiet times and in wild ones."""

from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.evidence_made import COINS, WARM, MadeMarkets, daily, hourly, made_roles
from benchmarks.evidence_worlds import Chance, Floats

DAYS: Final = 365
SPELL: Final = 60
"""Days of a regime, on average."""

DRIFT: Final = 0.1
"""Mean move of a day in its deviations, up or down: a yearly Sharpe ratio of 1.9."""

SIGMAS: Final = (0.004, 0.012)
"""Deviation of an hour in quiet and in wild times."""


def regimes(folder: Path, runs: int) -> dict[str, float]:
    """Count roles without skill that are told of a pattern where drift and volatility change."""
    del folder  # every price is made
    return made_roles("regimes", runs, _markets)


def _markets(chance: Chance) -> MadeMarkets:
    hours = (DAYS + 3) * 24
    drift, sigma = _regimes(hours, chance)
    coins = [
        hourly(coin, sigma * (chance.normal(0, 1, hours) + drift / np.sqrt(24)))
        for coin in COINS[:3]
    ]
    return MadeMarkets(dict(coins), daily(WARM, DAYS, weekdays=False), 24)


def _regimes(hours: int, chance: Chance) -> tuple[Floats, Floats]:
    """Return drift and deviation of each hour; all coins have the same regimes."""
    drift, sigma = np.zeros(hours), np.zeros(hours)
    start = 0
    while start < hours:
        end = start + 1 + int(chance.exponential(SPELL * 24))
        drift[start:end] = DRIFT if chance.random() < 0.5 else -DRIFT
        sigma[start:end] = SIGMAS[int(chance.integers(2))]
        start = end
    return drift, sigma

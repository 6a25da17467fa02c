"""Neutral calls at every close of a series: how many of them the shipped rule calls right."""

from math import sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from afterword.pipeline.rules.evidence.neutral import neutral_kappa, neutral_verdict, usual_move
from benchmarks.evidence_worlds import Closes

DAYS: Final = (1.0, 3.0, 7.0, 30.0)
"""Lengths of the windows, in days of the series; and its own bar, if that is shorter."""

YEAR: Final = 250
"""Days over which the median of moves is taken."""


class NeutralShare(NamedTuple):
    """Neutral calls of one series and window.

    Args:
        right: share of the calls that are not noise.
        noise: share of all calls.
        windows: independent windows among the calls.
    """

    name: str
    days: float
    right: float
    noise: float
    windows: float

    def is_within(self) -> bool:
        """Say whether the share is one half, within 5 points or two standard errors."""
        return abs(self.right - 0.5) <= max(0.05, 2 * sqrt(0.25 / self.windows))


def neutral_shares(closes: Closes, *, shipped: bool = True) -> list[NeutralShare]:
    """Judge a neutral call at every close, for each length of window.

    Args:
        shipped: whether the deviation is that of the larger of 7 days and 90 bars, as the program
            has it; else of a month.
    """
    per_day = closes.per_day
    span = max(7 * per_day, 90) if shipped else closes.month
    windows = sorted({1, *(round(days * per_day) for days in DAYS)})
    shares = (_share(closes, bars, span) for bars in windows)
    return [one for one in shares if one is not None]


def _share(closes: Closes, bars: int, span: int) -> NeutralShare | None:
    """Return the share of one window.

    Args:
        span: bars that the deviation is taken from.
    """
    days, year = bars / closes.per_day, closes.per_day * YEAR
    steps = closes.moves
    prices = np.cumprod(1 + steps)
    n = len(steps)
    if n < span + 12 * bars:
        return None
    squares = np.concatenate([[0.0], np.cumsum(steps**2)])
    sigma = np.full(n, np.nan)
    sigma[span:] = np.sqrt((squares[span + 1 :] - squares[1 : n - span + 1]) / span * bars)
    moves = np.full(n, np.nan)
    moves[:-bars] = prices[bars:] / prices[:-bars] - 1
    ratios = np.full(n, np.nan)
    # Known at a close: the move that ends there, in σ of the moment where it began.
    ratios[bars:] = np.abs(moves[:-bars]) / sigma[:-bars]
    padded = np.concatenate([np.full(year - 1, np.nan), ratios])
    recent = sliding_window_view(padded, year)
    verdicts = []
    for bar in range(span + bars, n - bars):
        known = recent[bar][~np.isnan(recent[bar])]
        median = float(np.median(known)) if len(known) else 0.0
        kappa = neutral_kappa(median, len(known) / bars)
        verdicts.append(neutral_verdict(moves[bar], usual_move(sigma[bar], kappa)))
    right, wrong = verdicts.count("right"), verdicts.count("wrong")
    judged = right + wrong
    return NeutralShare(
        closes.name, days, right / judged, 1 - judged / len(verdicts), len(verdicts) / bars
    )

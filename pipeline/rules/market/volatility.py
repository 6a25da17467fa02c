"""The usual moves of a market, and the noise band inside which a move proves nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from itertools import pairwise
from typing import Final, NamedTuple

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.rules.market.decimals import RATES
from afterword.pipeline.rules.market.splits import Split, change

FEWEST_MOVES: Final = 20
"""The least number of moves for an estimate of volatility: its standard error is then 1 / sqrt(2
n), which is 16 %."""

NOISE_SIGMAS: Final = Decimal("0.25")
"""Half the width of the band: a fifth of the moves of a normal walk stay inside (P(|z| <= 0.25) =
0.197). Our choice: a wider band hides skill, a narrower one counts costs and jitter as results."""

_MICROSECOND: Final = timedelta(microseconds=1)
_BP: Final = Decimal("0.0001")


@dataclass(frozen=True, slots=True)
class Costs:
    """The costs of one side of a trade; basis points of its value.

    Args:
        fee_bps: 4.5 is Hyperliquid's taker fee of the first tier on perpetuals (its fee page).
        slippage_bps: difference between the price seen and the price paid.
    """

    fee_bps: Decimal = Decimal("4.5")
    slippage_bps: Decimal = Decimal("2")

    def __post_init__(self) -> None:
        for name in ("fee_bps", "slippage_bps"):
            cost = getattr(self, name)
            if not (isinstance(cost, Decimal) and cost.is_finite() and 0 <= cost <= 10_000):
                raise InvalidInputError(name, f"is {cost!r}", "a Decimal from 0 to 10000")

    @property
    def round_trip(self) -> Decimal:
        """Return the cost of entry and exit as a share of the value: 0.0013 by default."""
        return 2 * (self.fee_bps + self.slippage_bps) * _BP


class Move(NamedTuple):
    """A move from one close to the next.

    Args:
        took: time between the closes.
        change: 0.05 is 5 % up.
    """

    took: timedelta
    change: Decimal


def moves(bars: Sequence[Bar], splits: Sequence[Split] = ()) -> list[Move]:
    """Return the moves between neighbouring closes, adjusted for splits."""
    closes = [bar.closed_at for bar in bars]
    return [
        Move(until - since, change(splits, earlier, later))
        for (since, until), (earlier, later) in zip(pairwise(closes), pairwise(bars), strict=True)
    ]


def sigma(recent: Sequence[Move], window: timedelta) -> Decimal | None:
    """Return the standard deviation of moves over a window; None with too few moves.

    sqrt(sum of squared moves / their time * window): realised variance per unit of time, with mean
    0, scaled by the square root of time. A weekend counts with its hours and its one move, so
    markets that close need no calendar.

    Args:
        recent: moves known at the decision; a later one would be look-ahead.

    Source: T. Andersen, T. Bollerslev, F. Diebold, P. Labys, Econometrica 71 (2003), 579-625
    (realised variance); J.P. Morgan/Reuters, RiskMetrics Technical Document (1996), ch. 5 (mean 0,
    square root of time).
    """
    took = sum((move.took for move in recent), timedelta(0))
    if len(recent) < FEWEST_MOVES or not took:
        return None
    squares = Decimal(0)
    for move in recent:
        squares = RATES.fma(move.change, move.change, squares)
    share = RATES.divide(Decimal(window // _MICROSECOND), Decimal(took // _MICROSECOND))
    return RATES.sqrt(RATES.multiply(squares, share))


def noise_band(one_sigma: Decimal, costs: Costs) -> Decimal:
    """Return the greatest move that does not separate skill from luck.

    A quarter of the market's own deviation over the window, plus trading costs: 0.25 * sigma + 2 *
    (fee + slippage). It is equal up and down, so a coin flip gains on neither side.
    """
    return RATES.add(RATES.multiply(NOISE_SIGMAS, one_sigma), costs.round_trip)

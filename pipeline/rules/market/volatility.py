"""The usual moves of a market: its deviation, the noise band, and what a neutral call is about."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Literal, NamedTuple

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.exact import PPB, rounded, rounded_root

FEWEST_MOVES: Final = 20
"""The least number of moves for an estimate of volatility: its standard error is then 1 / sqrt(2
n), which is 16 %."""

MOVE_PARTS: Final = 10**12
"""Parts of a share in which single moves are rounded before they are squared and added up."""

SQUARES_TO_PPB: Final = (MOVE_PARTS // PPB) ** 2
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


class Spread(NamedTuple):
    """How much a market moves by itself: squared moves, and the time they took.

    Args:
        squares: sum of squared moves; a move is in parts per `MOVE_PARTS`.
        took: microseconds.
    """

    squares: int
    took: int

    def sigma_ppb(self, passed: int) -> int:
        """Return the standard deviation over some microseconds; parts per billion.

        sqrt(sum of squared moves / their time * time): realised variance per unit of time, with
        mean 0, scaled by the square root of time. A weekend counts with its hours and its one move,
        so markets that close need no calendar.

        Source: T. Andersen, T. Bollerslev, F. Diebold, P. Labys, Econometrica 71 (2003), 579-625
        (realised variance); J.P. Morgan/Reuters, RiskMetrics Technical Document (1996), ch. 5
        (mean 0, square root of time).
        """
        return rounded_root(self.squares * passed, self.took * SQUARES_TO_PPB)

    def is_beyond(self, move_ppb: int, passed: int) -> bool:
        """Return whether a move, less its costs, is beyond a quarter of the deviation: the band.

        Args:
            passed: microseconds of the move.
        """
        return move_ppb > 0 and (
            16 * move_ppb * move_ppb * self.took * SQUARES_TO_PPB > self.squares * passed
        )

    @property
    def hourly(self) -> int:
        """The variance of an hour, in squared parts per `MOVE_PARTS`."""
        return rounded(self.squares * 3_600_000_000, self.took)


def band_ppb(sigma_ppb: int, costs_ppb: int) -> int:
    """Return the greatest move that does not separate skill from luck.

    A quarter of the market's own deviation over the window, plus trading costs: 0.25 * sigma + 2 *
    (fee + slippage). It is equal up and down, so a coin flip gains on neither side. A fifth of the
    moves of a normal walk stay inside (P(|z| <= 0.25) = 0.197). Our choice: a wider band hides
    skill, a narrower one counts costs and jitter as results.
    """
    return rounded(sigma_ppb + 4 * costs_ppb, 4)


def typical_ppb(sigma_ppb: int, ratio_ppb: int) -> int:
    """Return the move that about half of all windows stay within.

    Args:
        ratio_ppb: the median of |move| / sigma; see `market_record.WindowRecord`.
    """
    return rounded(sigma_ppb * ratio_ppb, PPB)


def neutral_verdict(move_ppb: int, typical_ppb: int) -> Literal["right", "wrong", "noise"]:
    """Return what a neutral call is: right below 0.9 of a typical move, wrong above 1.1."""
    tenths = 10 * abs(move_ppb)
    if tenths < 9 * typical_ppb:
        return "right"
    return "wrong" if tenths > 11 * typical_ppb else "noise"

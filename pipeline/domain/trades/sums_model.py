"""What trips and open positions add up to, in each quote."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteSums:
    """The sums of some trips in one quote; they equal those of the files to the last digit.

    Args:
        trips: count; `winners` have a net above 0, `losers` below.
        gross: profit before fees, of the trips that have one.
        fees: those paid in the quote; `fees_unknown` trips have none that anybody said.
        other_fees: those in other tokens, as (token, amount) by token; not part of `net`.
        funding: what holding brought.
        net: profit after fees and funding, as far as they are known.
    """

    quote: str
    trips: int
    winners: int
    losers: int
    gross: Decimal
    fees: Decimal
    fees_unknown: int
    other_fees: tuple[tuple[str, Decimal], ...]
    funding: Decimal
    net: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class CostSums:
    """What trading cost in one quote: of the complete trips whose fees are known.

    Args:
        trips: those; count. `unknown` are the others.
        fees: paid in the quote; `other_fees` those in other tokens, as (token, amount) by token.
        funding: what holding brought, negative was paid; None if no file says any. `funding_trips`
            are those of which it is known; count.
        put_in: value of all that was entered; None if it is not known of one of them.
        gross: result before costs.
    """

    quote: str
    trips: int
    unknown: int
    fees: Decimal
    other_fees: tuple[tuple[str, Decimal], ...]
    funding: Decimal | None
    funding_trips: int
    put_in: Decimal | None
    gross: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawdown:
    """The deepest fall of the running sum of nets from a highest point before.

    Args:
        amount: below zero, in the quote of the trips.
        peak_trips: trips that had closed at the highest point; 0 is the start.
        trough_trips: those that had closed at the lowest one.
        peak_at: aware UTC; None at the start.
        recovered_at: when the sum was first as high again; None if it never was.
    """

    amount: Decimal
    peak_trips: int
    trough_trips: int
    peak_at: datetime | None
    trough_at: datetime
    recovered_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TripStatistics:
    """Plain statistics of the complete trips in one quote; money is net.

    Args:
        won: sum of the nets above 0; `lost` of those below.
        expectancy: mean net of a trip.
        net_to_put_in: net over what was put in, a fraction, both of the `put_in_trips` of which
            that is known; None without one.
        profit_factor: `won` over what was lost; None if no trip lost.
        average_win: mean net of the winners; None without one. `largest_win`, and those of the
            losers, likewise.
        longest_wins: trips in a row with a net above 0; `longest_losses` below. One with a net of
            0 ends both.
        is_order_known: whether these are the longest. They are at least as long otherwise: trips
            closed together, some won and some lost.
        is_by_day: whether the order of trips is known by day only; moments below are then noons.
        drawdown: of the sum at each moment, or day, on which trips closed; None if it never fell.
        winner_held_us: median time held; None where no file says it. `loser_held_us` likewise.
        costs: what trading these trips cost.
    """

    quote: str
    won: Decimal
    lost: Decimal
    expectancy: Decimal
    net_to_put_in: float | None
    put_in_trips: int
    profit_factor: float | None
    average_win: Decimal | None
    average_loss: Decimal | None
    largest_win: Decimal | None
    largest_loss: Decimal | None
    longest_wins: int
    longest_losses: int
    is_order_known: bool
    is_by_day: bool
    drawdown: Drawdown | None
    winner_held_us: int | None
    loser_held_us: int | None
    costs: CostSums


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenSums:
    """The positions in one quote that no fill has closed: they are in no result.

    Args:
        positions: count.
        entry_unknown: those of which the first fills are missing: their cost is not known.
        cost: of the others: what was paid for the units held, or received for them by shorts.
        realised: of the others: what the parts of them that were closed brought, before fees.
        unpriced: those without a known result, for lack of a price or of their entry; count.
        unpriced_cost: the cost of these, as far as it is known.
        worth: of the units held by the others at the last known prices; None without any.
        result: what the others would come to after fees if they were closed at these prices.
        priced_at: moment of the oldest of these prices.
        net_with: net of the complete trips in this quote and `result`; None without it.
    """

    quote: str
    positions: int
    entry_unknown: int
    cost: Decimal
    realised: Decimal
    unpriced: int
    unpriced_cost: Decimal
    worth: Decimal | None
    result: Decimal | None
    priced_at: datetime | None
    net_with: Decimal | None

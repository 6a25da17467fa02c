"""A trip as rooms above read it: one position from entry to exit, whatever venue reported it."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from afterword.pipeline.domain.fills.model import MarketKind
from afterword.pipeline.domain.trips.model import Flag, time_held
from afterword.pipeline.rules.setup import Direction


@dataclass(frozen=True, slots=True, kw_only=True)
class Trip:
    """One closed position, derived from fills or reported as a closed trade.

    Args:
        trip_uid: its name; a late fill inside it keeps the name.
        symbol: the venue's name of the market.
        quote: currency of prices and amounts, as the venue writes it.
        opened_at: aware UTC; None where no file says it.
        entry_px: average price; None where the entry is not known.
        size: most units held at once; units of price are `size * multiplier`.
        notional: units entered times price, in `quote`; None where the entry is not known.
        gross: profit before fees; None where only the net is known.
        fees: those paid in `quote`; None where nobody said.
        other_fees: those in other tokens, as (token, amount); not part of `net`.
        funding: what holding it brought, negative was paid; None where nobody said.
        net: profit after fees and funding, as far as they are known.
        fills: executions it is made of, 0 for a closed trade; count.
        losing_adds: fills that raised the position while it was losing; count.
        is_incomplete: fills are missing, so that its figures cover the known part only.
        flags: what is odd about it, in the words of `history.model.Flag`.
        first_notional: the part of `notional` that its first order put in; None where no fills say
            it.
        venue_gross: profit before fees as the venue states it with the fills; None if it does not.
        label: the strategy's word for it that came with a closed trade; empty if none.
    """

    trip_uid: str
    venue: str
    account: str
    symbol: str
    kind: MarketKind
    direction: Direction
    quote: str
    opened_at: datetime | None
    closed_at: datetime
    entry_px: Decimal | None
    exit_px: Decimal | None
    size: Decimal
    multiplier: Decimal
    notional: Decimal | None
    gross: Decimal | None
    fees: Decimal | None
    other_fees: tuple[tuple[str, Decimal], ...]
    funding: Decimal | None
    net: Decimal
    fills: int
    losing_adds: int
    is_incomplete: bool
    is_liquidated: bool
    flags: tuple[Flag, ...]
    first_notional: Decimal | None = None
    label: str = ""
    venue_gross: Decimal | None = None

    @property
    def is_day(self) -> bool:
        """Tell a trip whose moments are days: what happened within one day has no order."""
        return "days_only" in self.flags

    @property
    def held(self) -> timedelta | None:
        """Return how long it was held; whole days where days are all that is known.

        None where the entry is not known, or lies on the day of the exit.
        """
        if self.opened_at is None:
            return None
        return time_held(self.opened_at, self.closed_at, is_day=self.is_day)

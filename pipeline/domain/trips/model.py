"""Chains of fills, gaps in them and the round trips they add up to, as frozen values."""

import hashlib
import json
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from decimal import Decimal
from functools import cached_property
from operator import attrgetter
from typing import Final, Literal

from afterword.pipeline.clock import iso
from afterword.pipeline.domain.fills.model import AVERAGE, EXACT, AccountMarket, Fill
from afterword.pipeline.domain.fills.money import is_dollar, to_micro_usd
from afterword.pipeline.rules.market.decimals import plain
from afterword.pipeline.rules.setup import Direction

Flag = Literal[
    "opened_before",  # its first fills lie before the first one we hold
    "fills_missing",  # positions break inside it, or its last order closes more than was known
    "share_split",  # its units changed while it was held, by a row that does not say how
    "units_split",  # its units changed while it was held, as a file says; they are those after it
    "liquidation_unmatched",  # one side was liquidated; our own address is not known
    "auto_deleveraged",  # the venue closed a winner to cover a loser
    "vault_netting",  # the venue netted positions inside a vault; no market trade
    "dust_left",  # a rest too small to be sold, from fees in the coin or rounding, counts as flat
    "other_side",  # a fill closes the side that is not held: an account that holds both sides?
    "ledger_disagrees",  # the venue's profit is not that of its prices and sizes
    "days_only",  # the venue states days: its hours, minutes and time held are not known
    "closed_trade",  # the venue reported the trade without its fills
    "fees_unknown",  # nobody said what it cost
]

INCOMPLETE: Final[frozenset[Flag]] = frozenset({"opened_before", "fills_missing", "share_split"})
"""Flags of a trip of which fills are missing."""

_ZERO: Final = Decimal(0)


def time_held(opened_at: datetime, closed_at: datetime, *, is_day: bool) -> timedelta | None:
    """Return how long something was held; whole days where days are all that is known.

    Returns:
        None for the same day, of which nobody knows the hours.
    """
    held = closed_at - opened_at
    if not is_day:
        return held
    # Half a day more: where clocks were set forward meanwhile, the days are an hour short.
    days = (held + timedelta(hours=12)) // timedelta(days=1)
    return timedelta(days=days) if days else None


@dataclass(frozen=True, slots=True)
class ChainBreak:
    """Two neighbouring fills whose positions do not meet: a page between them is missing.

    Args:
        expected: the position the earlier fill left.
        found: the position the later fill started from.
    """

    earlier: Fill
    later: Fill
    expected: Decimal
    found: Decimal


@dataclass(frozen=True, slots=True)
class Chain:
    """All known fills of one account market in the order they executed."""

    market: AccountMarket
    fills: tuple[Fill, ...]
    breaks: tuple[ChainBreak, ...]


@dataclass(frozen=True)
class RoundTrip:
    """One position from flat to flat.

    Args:
        opened_at: time of the first known fill; aware UTC.
        entry_px: average price of the entry, rounded; None if `opened_before`.
        exit_px: average price of the exit, rounded.
        max_size: most units held at once.
        entry_notional: units entered times price, over the known fills; exact. `first_notional` is
            the part of it that the first order put in.
        gross_pnl: profit before fees, exact: the venue's where it states positions or where the
            entry is not known, else that of prices and sizes; None where nobody can say.
        venue_gross: the venue's profit before fees where it says one; exact.
        fees: fees in the quote currency, those in the base coin at their fill's price; exact.
        other_fees: fees in other tokens, as (token, amount) by token; not part of the profit.
        fill_uids: its fills in order; a flip is the last of one trip and the first of the next.
        losing_adds: fills that raised the position at a price worse than its average entry; count.
        left: signed units that its last fill left: the opening part of a flip, or of things owned
            the dust of this and earlier trips.
        liquidated: a fill of it was forced on this account.
        funding: what holding it brought, negative was paid; exact. None where none is known.
    """

    market: AccountMarket
    direction: Direction
    opened_at: datetime
    closed_at: datetime
    quote: str
    multiplier: Decimal
    entry_px: Decimal | None
    exit_px: Decimal
    max_size: Decimal
    entry_notional: Decimal
    first_notional: Decimal
    gross_pnl: Decimal | None
    venue_gross: Decimal | None
    fees: Decimal
    other_fees: tuple[tuple[str, Decimal], ...]
    fill_uids: tuple[str, ...]
    losing_adds: int
    left: Decimal
    liquidated: bool
    flags: tuple[Flag, ...]
    funding: Decimal | None = None

    @cached_property
    def trip_uid(self) -> str:
        """Name the trip by what opened it, so that a late fill inside it keeps the name.

        The direction tells apart the two trips of a flip that is the first fill of both.
        """
        parts = (self.market.account, self.market.symbol, self.direction, self.fill_uids[0])
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]

    @property
    def digest(self) -> str:
        """Return the SHA-256 of everything the trip says; it changes when a late page does."""
        # Of the market four parts: the direction says which of two positions it was.
        content = (self.market[:4], *_CONTENT(self))
        # A trip without funding has the digest that it had before funding was known at all.
        if self.funding is not None:
            content = (*content, self.funding)
        return hashlib.sha256(_TEXT.encode(content).encode()).hexdigest()

    @property
    def net_pnl(self) -> Decimal:
        """Return the profit after fees and funding, as far as they are known; exact."""
        after_fees = EXACT.subtract(self.gross_pnl or _ZERO, self.fees)
        return EXACT.add(after_fees, self.funding or _ZERO)

    @property
    def is_incomplete(self) -> bool:
        """Tell a trip of which fills are missing, so that its figures cover the known part only."""
        return not INCOMPLETE.isdisjoint(self.flags)

    @property
    def return_on_entry(self) -> Decimal | None:
        """Return net profit over entry notional, 0.01 is 1 %; None if incomplete or for nothing."""
        if self.is_incomplete or not self.entry_notional:
            return None
        return AVERAGE.divide(self.net_pnl, self.entry_notional)

    @cached_property
    def gross_micro_usd(self) -> int:
        """Return the gross profit as a column holds it; 0 where no dollars are paid."""
        return to_micro_usd(self.gross_pnl or _ZERO) if is_dollar(self.quote) else 0

    @cached_property
    def fees_micro_usd(self) -> int:
        """Return the fees as a column holds them; 0 where no dollars are paid."""
        return to_micro_usd(self.fees) if is_dollar(self.quote) else 0

    @cached_property
    def funding_micro_usd(self) -> int:
        """Return the funding as a column would hold it; 0 where no dollars are paid."""
        return to_micro_usd(self.funding or _ZERO) if is_dollar(self.quote) else 0

    @property
    def net_micro_usd(self) -> int:
        """Return what the other amounts come to, so that a stored row adds up."""
        return self.gross_micro_usd - self.fees_micro_usd + self.funding_micro_usd


@dataclass(frozen=True, slots=True)
class OpenPosition:
    """A position that is still open, or whose end lies in a missing page.

    Args:
        opened_at: time of its first known fill; `last_at` of its last, at `last_px`.
        position: signed units after its last known fill.
        cost: what was paid for these units, or received for them by a short, at the average price
            of its entries; to a millionth. None if fills of it are missing.
        cash: what its fills received less what they paid, before fees; exact. Known where `cost`
            is.
        lost: True when a later fill starts flat or on the other side, so the end was missed.
    """

    market: AccountMarket
    direction: Direction
    opened_at: datetime
    last_at: datetime
    last_px: Decimal
    quote: str
    multiplier: Decimal
    position: Decimal
    cost: Decimal | None
    cash: Decimal
    gross_pnl: Decimal
    fees: Decimal
    other_fees: tuple[tuple[str, Decimal], ...]
    fill_uids: tuple[str, ...]
    lost: bool


@dataclass(frozen=True, slots=True)
class TripBook:
    """Every fill of a chain, in a trip that closed or in a position that did not."""

    closed: tuple[RoundTrip, ...]
    unclosed: tuple[OpenPosition, ...]


@dataclass(frozen=True, slots=True)
class StoredTrip:
    """A trip as it was last derived.

    Args:
        id: of its row.
        last_fill_uid: the fill that closed it.
        memory_id: of its memory; None if that was purged or forgotten.
        left: signed units that it left for the next position.
    """

    id: int
    trip_uid: str
    digest: str
    direction: Direction
    first_fill_uid: str
    last_fill_uid: str
    memory_id: int | None
    left: Decimal


@dataclass(frozen=True, slots=True)
class TripChanges:
    """What a new derivation changes in what is remembered of one account market.

    Args:
        new: trips to remember.
        changed: trips whose memory their new content supersedes, under the same trip_uid.
        gone: trip_uids that no longer exist, each with the trip that now holds its first fill
            and supersedes it, or None where that fill's trip has no known end any more.
    """

    new: tuple[RoundTrip, ...]
    changed: tuple[RoundTrip, ...]
    gone: tuple[tuple[str, RoundTrip | None], ...]


def _as_text(value: object) -> str:
    if isinstance(value, datetime):
        return iso(value)
    if isinstance(value, Decimal):
        return plain(value)
    raise TypeError(f"a trip holds a {type(value).__name__}")


_CONTENT: Final = attrgetter(*(field.name for field in fields(RoundTrip)[1:-1]))
_TEXT: Final = json.JSONEncoder(default=_as_text)

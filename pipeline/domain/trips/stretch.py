"""A stretch: fills of one market that can be settled without reading all the others.

A fill that closes a position ends a trip, whatever comes before or after it. So an import reads a
market from the last trip that ended before its first new fill, and only as far as that fill
changes anything: the rest of the account may be as long as it likes.
"""

from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from afterword.pipeline.domain.fills.model import AccountMarket, Fill, MarketKind, PositionSide
from afterword.pipeline.domain.trips.model import StoredTrip
from afterword.pipeline.rules.market.splits import Split


class MarketSpan(NamedTuple):
    """A span of time in one market: `after` < time <= `upto`, in UTC milliseconds."""

    account: str
    symbol: str
    venue: str
    kind: MarketKind
    position_side: PositionSide
    after: int
    upto: int

    @property
    def market(self) -> AccountMarket:
        """Return the market without the time."""
        return AccountMarket(*self[:5])


@dataclass(frozen=True, slots=True)
class StoredFill:
    """A fill and its row.

    Args:
        order_in_ms: its place among the fills of its millisecond; None until it is settled.
    """

    id: int
    order_in_ms: int | None
    fill: Fill


class Gap(NamedTuple):
    """Neighbouring fills (row ids) whose positions do not meet: a page between them is missing."""

    account: str
    symbol: str
    earlier_fill_id: int
    later_fill_id: int
    from_ms: int
    to_ms: int
    expected: Decimal
    found: Decimal


@dataclass(frozen=True, slots=True)
class StoredGap:
    """A gap that was reported and is still open, by the `fill_uid` of its neighbours."""

    id: int
    earlier: str
    later: str


@dataclass(frozen=True, slots=True)
class StretchVersion:
    """Version of a stretch: it changes when another process settles or imports fills there.

    Args:
        placed: fills that have their place; count.
        newest_id: row id of the fill that came last.
        wallet: the account's address, if known.
        rank: the latest place of a fill among those of its moment.
        payments: of funding; count.
        newest_split: row id of the split of the market that came last, if there is one.
    """

    placed: int
    newest_id: int
    wallet: str | None
    rank: int
    payments: int
    newest_split: int | None


@dataclass(frozen=True, slots=True)
class MarketStretch:
    """What is stored of one market over a span of time in which some fills are not settled.

    Args:
        span: where this is; it ends with a whole millisecond.
        before: the settled fill right before the span, the end of a trip; None where the market
            begins.
        left: signed units that `before` left for the next position.
        fills: every fill of the span; inside a millisecond in the order of their files.
        is_end: True if the market has no later fill.
        trips: trips that opened by the end of the span and closed after `before`.
        gaps: open gaps right before one of `fills`.
        funding: payments of the span, as (UTC milliseconds, amount).
        splits: of the market, by time.
    """

    span: MarketSpan
    before: StoredFill | None
    left: Decimal
    fills: tuple[StoredFill, ...]
    is_end: bool
    trips: tuple[StoredTrip, ...]
    gaps: tuple[StoredGap, ...]
    funding: tuple[tuple[int, Decimal], ...]
    mark: StretchVersion
    splits: tuple[Split, ...] = ()

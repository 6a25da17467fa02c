"""Fills, the chains they form and the round trips they add up to, as frozen values."""

import hashlib
import json
from dataclasses import dataclass, fields
from datetime import datetime
from decimal import ROUND_HALF_EVEN, Context, Decimal, Inexact, InvalidOperation
from typing import Final, Literal

from afterword.pipeline.clock import iso
from afterword.pipeline.rules.market.decimals import plain

Direction = Literal["long", "short"]

Flag = Literal[
    "opened_before",  # its first fills lie before the first one we hold
    "fills_missing",  # the chain of positions breaks inside it
    "liquidation_unmatched",  # one side was liquidated; our own address is not known
    "auto_deleveraged",  # the venue closed a winner to cover a loser
    "vault_netting",  # the venue netted positions inside a vault; no market trade
]

EXACT: Final = Context(prec=120, traps=[Inexact, InvalidOperation])
"""Adds and multiplies without rounding, or raises.

A fill's numbers have 20 digits on each side of the point at most, so a product has 80 and
a sum of 10^30 products still fits.
"""

AVERAGE: Final = Context(prec=10, rounding=ROUND_HALF_EVEN)
"""Divides: averages and rates keep 10 significant digits; prices here have 5 to 8."""


def is_perp(coin: str) -> bool:
    """Tell a perpetual from spot (`@107`, `PURR/USDC`) and outcome tokens (`#12`)."""
    return coin[0] not in "@#" and "/" not in coin


def to_micro_usd(amount: Decimal) -> int:
    """Convert an exact dollar amount for a column: nearest micro-USD, a tie to the even one.

    Ties to even lean neither way, so sums over many trips do not drift.
    """
    return int(EXACT.scaleb(amount, 6).to_integral_value(ROUND_HALF_EVEN))


@dataclass(frozen=True, slots=True)
class Liquidation:
    """What the venue says about a forced fill; both sides of the match carry it.

    Args:
        liquidated_user: address of the side that was forced; None where the venue is silent.
        method: `market` or `backstop`, as the venue writes it.
    """

    liquidated_user: str | None
    method: str | None


@dataclass(frozen=True, slots=True)
class Fill:
    """One execution of one account, as the venue reported it.

    Args:
        account: the account's name inside this store.
        coin: the venue's name of the market: `ETH`, `xyz:CL`, `@107`, `PURR/USDC`.
        px: price of one unit, in the quote dollar; not negative.
        sz: units; positive.
        side: `B` buys, `A` sells.
        time_ms: when it executed; UTC milliseconds since 1970.
        start_position: signed units held before it.
        dir: the venue's display word, verbatim; an unknown word is kept.
        closed_pnl: profit of the closed part, before fees.
        fee: what the fill cost, builder fee included; negative is a rebate.
        fee_token: what the fee was paid in; None in rows of 2023, which means USDC.
        builder_fee: part of `fee` that went to a builder; None where there was none.
        tid: the match's id; None in rows of 2023, 0 for dust conversions.
        crossed: True for the taker.
        raw: the row itself as compact JSON text, unknown fields included.
    """

    account: str
    coin: str
    px: Decimal
    sz: Decimal
    side: Literal["B", "A"]
    time_ms: int
    start_position: Decimal
    dir: str
    closed_pnl: Decimal
    fee: Decimal
    fee_token: str | None
    builder_fee: Decimal | None
    hash: str
    oid: int
    tid: int | None
    crossed: bool
    twap_id: int | None
    cloid: str | None
    liquidation: Liquidation | None
    raw: str

    @property
    def fill_uid(self) -> str:
        """Name the fill inside its account.

        Never by the hash: one transaction holds many fills, and as a key it loses 155 of the
        500 fills of a page of 2023. The composite used without a tid loses none.
        """
        if self.tid:
            return f"tid:{self.tid}"
        numbers = (plain(self.px), plain(self.sz), plain(self.start_position))
        return ":".join(("at", str(self.time_ms), str(self.oid), *numbers))

    @property
    def end_position(self) -> Decimal:
        """Return the signed units held after it."""
        move = EXACT.add if self.side == "B" else EXACT.subtract
        return move(self.start_position, self.sz)

    @property
    def is_perp(self) -> bool:
        """Tell whether its coin has positions; see `is_perp`."""
        return is_perp(self.coin)


@dataclass(frozen=True, slots=True)
class ChainBreak:
    """Two neighbouring fills whose positions do not meet: a page between them is missing."""

    earlier: Fill
    later: Fill

    @property
    def expected(self) -> Decimal:
        """Return the position the earlier fill left."""
        return self.earlier.end_position

    @property
    def found(self) -> Decimal:
        """Return the position the later fill started from."""
        return self.later.start_position


@dataclass(frozen=True, slots=True)
class Chain:
    """All known fills of one account and coin in the order they executed."""

    account: str
    coin: str
    fills: tuple[Fill, ...]
    breaks: tuple[ChainBreak, ...]


@dataclass(frozen=True, slots=True)
class RoundTrip:
    """One position of a perpetual, from flat to flat.

    Args:
        opened_at: time of the first known fill; aware UTC.
        entry_px: average price of the entry, rounded; None if `opened_before`.
        exit_px: average price of the exit, rounded.
        max_size: most units held at once.
        entry_notional: units entered times price, over the known fills; exact.
        gross_pnl: the venue's closed profit, before fees; quote dollars, exact.
        fees: fees in the quote dollar, builder fees included; exact.
        other_fees: fees in other tokens, as (token, amount) by token; not part of the profit.
        fill_uids: its fills in order; a flip is the last of one trip and the first of the next.
        liquidated: a fill of it was forced on this account.
    """

    account: str
    coin: str
    direction: Direction
    opened_at: datetime
    closed_at: datetime
    entry_px: Decimal | None
    exit_px: Decimal
    max_size: Decimal
    entry_notional: Decimal
    gross_pnl: Decimal
    fees: Decimal
    other_fees: tuple[tuple[str, Decimal], ...]
    fill_uids: tuple[str, ...]
    liquidated: bool
    flags: tuple[Flag, ...]

    @property
    def trip_uid(self) -> str:
        """Name the trip by what opened it, so that a late fill inside it keeps the name.

        The direction tells apart the two trips of a flip that is the first fill of both.
        """
        parts = (self.account, self.coin, self.direction, self.fill_uids[0])
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]

    @property
    def digest(self) -> str:
        """Return the SHA-256 of everything the trip says; it changes when a late page does."""
        content = [getattr(self, field.name) for field in fields(self)]
        return hashlib.sha256(json.dumps(content, default=_as_text).encode()).hexdigest()

    @property
    def net_pnl(self) -> Decimal:
        """Return the profit after fees in the quote dollar, exact."""
        return EXACT.subtract(self.gross_pnl, self.fees)

    @property
    def is_incomplete(self) -> bool:
        """Tell a trip of which fills are missing, so that its figures cover the known part only."""
        return "opened_before" in self.flags or "fills_missing" in self.flags

    @property
    def return_on_entry(self) -> Decimal | None:
        """Return net profit over entry notional, 0.01 is 1 %; None if incomplete or for nothing."""
        if self.is_incomplete or not self.entry_notional:
            return None
        return AVERAGE.divide(self.net_pnl, self.entry_notional)

    @property
    def gross_micro_usd(self) -> int:
        """Return the gross profit as a column holds it."""
        return to_micro_usd(self.gross_pnl)

    @property
    def fees_micro_usd(self) -> int:
        """Return the fees as a column holds them."""
        return to_micro_usd(self.fees)

    @property
    def net_micro_usd(self) -> int:
        """Return the difference of the two columns, so that a stored row adds up."""
        return self.gross_micro_usd - self.fees_micro_usd


@dataclass(frozen=True, slots=True)
class OpenPosition:
    """A position that is still open, or whose end lies in a missing page.

    Args:
        position: signed units after its last known fill.
        lost: True when a later fill starts flat or on the other side, so the end was missed.
    """

    account: str
    coin: str
    direction: Direction
    opened_at: datetime
    position: Decimal
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
class KnownTrip:
    """What was remembered of a trip the last time it was derived."""

    trip_uid: str
    digest: str
    direction: Direction
    first_fill_uid: str


@dataclass(frozen=True, slots=True)
class TripChanges:
    """What a new derivation changes in what is remembered of one account and coin.

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

"""What an account executed: one shape for the fills and closed trades of every venue."""

from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_HALF_EVEN, Context, Decimal, Inexact, InvalidOperation
from typing import Final, Literal, NamedTuple

from afterword.pipeline.rules.market.decimals import plain
from afterword.pipeline.rules.setup import Direction

PositionSide = Literal["", "long", "short"]
"""Which of the two positions of a market a fill moves, in an account that holds a long and a short
one at once (hedge mode); empty where the venue does not say, and where there is one position."""

MarketKind = Literal["spot", "perp", "future", "option", "stock", "forex", "cfd"]
"""What a position in a market is. `spot` and `stock` are owned: a sale without a known purchase
closes what was bought before the file begins, unless the venue says that it opens a short."""

OWNED: Final[frozenset[MarketKind]] = frozenset({"spot", "stock"})
"""Kinds of markets whose positions are things that one owns."""

HEDGED: Final[frozenset[MarketKind]] = frozenset({"perp", "future"})
"""Kinds of markets in which venues let an account hold a long and a short position at once."""

EXACT: Final = Context(prec=240, traps=[Inexact, InvalidOperation])
"""Adds and multiplies without rounding, or raises.

A fill's numbers have 25 digits on each side of the point at most, so a product of three has 150
and a sum of any number of products still fits.
"""

AVERAGE: Final = Context(prec=10, rounding=ROUND_HALF_EVEN)
"""Divides: averages and rates keep 10 significant digits; prices here have 5 to 8."""

_NOTHING: Final = Decimal(0)
_ONE: Final = Decimal(1)


class AccountMarket(NamedTuple):
    """One market of one account: what a position is held in."""

    account: str
    symbol: str
    venue: str
    kind: MarketKind
    position_side: PositionSide = ""


@dataclass(frozen=True, slots=True)
class Liquidation:
    """What the venue says about a forced fill; both sides of the match carry it.

    Args:
        liquidated_user: address of the side that was forced; None where the venue is silent.
        method: `market` or `backstop`, as the venue writes it.
    """

    liquidated_user: str | None
    method: str | None


class Fill(NamedTuple):
    """One execution of one account, as the venue reported it; made with the names of its parts.

    Args:
        venue: short name in small letters: `binance`, `hyperliquid`, `ibkr`.
        account: the account's name inside this store.
        symbol: the venue's name of the market: `BTCUSDT`, `xyz:CL`, `AAPL`.
        base: what is traded, where the venue says it: `BTC`. A fee paid in it reduces the position.
        quote: currency of price and profit: `USDT`, `EUR`.
        px: price of one unit, not negative.
        sz: units as the venue counts them: coins, shares, contracts, lots; positive.
        multiplier: how many units of price one of `sz` is: 100 for a stock option.
        side: `B` buys, `A` sells.
        time_ms: when it executed; UTC milliseconds since 1970.
        is_day: whether the venue states the day only; `time_ms` is then its first moment.
        fee: what the fill cost; negative is a rebate.
        fee_is_known: whether the file says it; `fee` is 0 where it does not.
        fee_token: what the fee was paid in; None means `quote`.
        oid: the venue's order id; `tid`: its id of the execution. Text: they pass 2**53.
        effect: whether it opens or closes, where the venue says so.
        position_side: the position it moves, where the venue keeps two and says which.
        start_position: signed units held before it, where the venue says so.
        closed_pnl: profit of the closed part before fees, where the venue says so.
        dir: the venue's display word, verbatim.
        cloid: the id that the client gave its order.
        raw: the row as compact JSON text with all its fields.
        line: line of the file, 0 where there is none; 0 too when it is read back.
        uid: its name in the store, once it was imported; the file around it may decide it.
    """

    venue: str
    account: str
    symbol: str
    kind: MarketKind
    side: Literal["B", "A"]
    px: Decimal
    sz: Decimal
    quote: str
    time_ms: int
    raw: str
    base: str | None = None
    multiplier: Decimal = _ONE
    fee: Decimal = _NOTHING
    fee_token: str | None = None
    oid: str | None = None
    tid: str | None = None
    effect: Literal["open", "close"] | None = None
    position_side: PositionSide = ""
    start_position: Decimal | None = None
    closed_pnl: Decimal | None = None
    dir: str = ""
    cloid: str | None = None
    liquidation: Liquidation | None = None
    is_day: bool = False
    fee_is_known: bool = True
    line: int = 0
    uid: str = ""

    @property
    def market(self) -> AccountMarket:
        """Return the market of the account that it moves."""
        return AccountMarket(self.account, self.symbol, self.venue, self.kind, self.position_side)

    @property
    def fill_uid(self) -> str:
        """Name the fill inside its account.

        By the venue's id of the execution. A venue numbers executions by market, and a trade
        between two own orders is one number twice, so market and side belong to the name. Without
        an id, equal fills of one file are told apart by their count, which the import adds.

        Hyperliquid's ids are unique. Never by its hash: one transaction holds many fills, and as a
        key it loses 155 of the 500 fills of a page of 2023. The composite used without a tid loses
        none.
        """
        if self.uid:
            return self.uid
        if self.venue == "hyperliquid":
            if self.tid:
                return f"tid:{self.tid}"
            if self.start_position is not None:
                numbers = (plain(self.px), plain(self.sz), plain(self.start_position))
                return ":".join(("at", str(self.time_ms), self.oid or "", *numbers))
        if self.tid:
            return f"{self.venue}:{self.kind}:{self.symbol}:{self.side}:{self.tid}"
        return f"{self.equal_to}#0"

    @property
    def is_named(self) -> bool:
        """Tell a fill that its file names, so that equal ones need not be counted."""
        return bool(self.tid) or (self.venue == "hyperliquid" and self.start_position is not None)

    @property
    def equal_to(self) -> str:
        """Return what equal fills have in common: time, order, price, size and side."""
        market = (self.venue, self.kind, self.symbol, self.side)
        numbers = (plain(self.px), plain(self.sz))
        return ":".join((*market, "at", str(self.time_ms), self.oid or "", *numbers))

    @property
    def move(self) -> Decimal:
        """Return the signed units that it moves the position by."""
        return self.sz if self.side == "B" else -self.sz

    @property
    def coin_fee(self) -> Decimal:
        """Return the units that a fee in the traded coin takes off what is held; 0 without one."""
        is_paid_in_base = self.base is not None and self.fee_token == self.base != self.quote
        return self.fee if is_paid_in_base and not self.states_position else _NOTHING

    @property
    def end_position(self) -> Decimal | None:
        """Return the signed units held after it; None where the venue does not say."""
        if self.start_position is None:
            return None
        return EXACT.subtract(EXACT.add(self.start_position, self.move), self.coin_fee)

    @property
    def states_position(self) -> bool:
        """Tell whether the venue states the position before it.

        What it states of things owned is a balance, which transfers and sales of what was there
        before the first fill move, too.
        """
        return self.start_position is not None and self.kind not in OWNED


def effect_of(side: Literal["B", "A"], position: Direction) -> Literal["open", "close"]:
    """Return what a purchase or a sale does to the long or the short position."""
    return "open" if (position == "long") == (side == "B") else "close"


def position_side_of(side: Literal["B", "A"], effect: Literal["open", "close"]) -> Direction:
    """Return the position that a purchase or a sale opens or closes."""
    return "long" if (effect == "open") == (side == "B") else "short"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedTrade:
    """A position from entry to exit, as a venue or a back-test reports it without its fills.

    Where the fills of the same account and market are known for that time, they count and this is
    kept beside them. Equal trades of a file are sorted by their fields, in the order of these.

    Args:
        size: units, positive; `multiplier` as in `Fill`.
        opened_at: aware UTC; None where the file does not say, never the moment of the exit.
        gross: profit before fees; None where the file gives only the net.
        fees: what it cost, negative is a rebate; None where the file does not say.
        funding: what holding it brought, negative was paid; None where the file does not say.
        net: profit after everything the file knows, in `quote`.
        net_is_after: what the file took off: `fees`, `nothing`, `unknown`.
        trade_id: the venue's id; None if it has none.
        label: the owner's or strategy's word for it (a setup, an entry tag); empty if none.
        is_day: whether the file states days only, of the entry or of the exit.
    """

    account: str
    venue: str
    symbol: str
    kind: MarketKind
    direction: Direction
    size: Decimal
    multiplier: Decimal = _ONE
    quote: str
    opened_at: datetime | None = None
    closed_at: datetime
    entry_px: Decimal | None = None
    exit_px: Decimal | None = None
    gross: Decimal | None = None
    fees: Decimal | None = None
    funding: Decimal | None = None
    net: Decimal
    net_is_after: Literal["fees", "nothing", "unknown"]
    trade_id: str | None = None
    label: str = ""
    is_day: bool = False
    raw: str
    line: int = 0

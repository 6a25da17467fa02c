"""The user's own trades in one shape: fills of mirrors and files, and what agents recorded."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Final, Literal

from afterword.pipeline.domain.fills.model import EXACT, HEDGED, MarketKind
from afterword.pipeline.domain.fills.money import is_dollar, to_micro_usd
from afterword.pipeline.domain.recorded_trades.model import LinkedTrade, TradeRecord
from afterword.pipeline.domain.trades.fill_rows import FillRow
from afterword.pipeline.domain.venues.hyperliquid_api import is_perp
from afterword.pipeline.rules.market.symbols import parse_symbol

FillEffect = Literal["open", "close"]
MarketGroup = Literal["perps", "spot", "other"]
"""Perpetuals and futures; spot; and the rest: stocks, options, forex, CFDs, and recorded trades in
a market whose kind its name does not say."""

_DOLLAR: Final = "USD"
_PERPETUAL: Final = ("PERP", "SWAP", ":")
"""What the name of a perpetual has at venues that write it: `SOL-PERP`, `SOL/USDT:USDT`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UserTrade:
    """A fill, or a recorded trade of which no fill is known.

    Args:
        id: its place in the list of all; see `search_user_trades`.
        source: `recorded` for one that an agent recorded.
        effect: whether it opened or closed a position; None where nothing says it.
        direction: of the position that it opened or closed.
        size_micro_usd: its value; None if it was not paid in dollars.
        realized_pnl: profit of the closed part, in the quote: of a fill before fees, of a recorded
            trade after them; None where unknown.
    """

    id: str
    source: Literal["fill", "recorded"]
    at: datetime
    account: str
    venue: str
    symbol: str
    group: MarketGroup
    side: Literal["buy", "sell"]
    effect: FillEffect | None
    direction: Literal["long", "short"] | None
    size_micro_usd: int | None
    price: Decimal
    quote: str
    realized_pnl: Decimal | None


def of_fill(fill: FillRow, id: str = "") -> UserTrade:
    """Return a fill as a trade of the user."""
    effect = _effect_of(fill)
    return UserTrade(
        id=id,
        source="fill",
        at=fill.at,
        account=fill.account,
        venue=fill.venue,
        symbol=fill.symbol,
        group=group_of(fill.kind),
        side="buy" if fill.side == "B" else "sell",
        effect=effect,
        direction=_direction(effect, is_purchase=fill.side == "B"),
        size_micro_usd=_value(fill.quote, fill.price, fill.size, fill.multiplier),
        price=fill.price,
        quote=fill.quote,
        realized_pnl=fill.closed_pnl if effect != "open" else None,
    )


def of_recorded(trade: TradeRecord, closed: frozenset[str], id: str = "") -> UserTrade:
    """Return a recorded trade as a trade of the user.

    Args:
        closed: uids of the trades that others close.
    """
    effect: FillEffect | None = "open" if trade.uid in closed else None
    if trade.closes_uid is not None:
        effect = "close"
    quote = parse_symbol(trade.asset).quote or _DOLLAR
    realised = trade.realised_micro_usd
    return UserTrade(
        id=id,
        source="recorded",
        at=trade.occurred_at,
        account=trade.account,
        venue=trade.venue,
        symbol=trade.asset,
        group=group_of_recorded(trade),
        side=trade.side,
        effect=effect,
        direction=_direction(effect, is_purchase=trade.side == "buy"),
        size_micro_usd=_value(quote, trade.price, trade.size),
        price=trade.price,
        quote=quote,
        realized_pnl=None if realised is None else Decimal(realised).scaleb(-6),
    )


def recorded_only(linked: Sequence[LinkedTrade]) -> Iterator[TradeRecord]:
    """Yield the recorded trades of which no fill is known: with a fill, that one counts."""
    return (link.trade for link in linked if not link.is_mirrored)


def closed_uids(linked: Iterable[LinkedTrade]) -> frozenset[str]:
    """Return the uids of the recorded trades that others close, in whole or in part."""
    return frozenset(link.trade.closes_uid for link in linked if link.trade.closes_uid)


def group_of(kind: MarketKind) -> MarketGroup:
    """Return the group of a market that its venue tells the kind of."""
    if kind in HEDGED:
        return "perps"
    return "spot" if kind == "spot" else "other"


def group_of_recorded(trade: TradeRecord) -> MarketGroup:
    """Return the group of a recorded trade, as far as the name of its market says it."""
    if trade.venue == "hyperliquid":
        return "perps" if is_perp(trade.asset) else "spot"
    name = trade.asset.upper()
    return "perps" if any(mark in name for mark in _PERPETUAL) else "other"


def _effect_of(fill: FillRow) -> FillEffect | None:
    """Return whether a fill opens or closes, by the venue's word or the position before it."""
    if fill.effect is not None:
        return "open" if fill.effect == "open" else "close"
    if fill.start_position is not None:
        is_against = fill.start_position * (1 if fill.side == "B" else -1) < 0
        return "close" if is_against else "open"
    return None


def _direction(effect: FillEffect | None, *, is_purchase: bool) -> Literal["long", "short"] | None:
    if effect is None:
        return None
    return "long" if is_purchase == (effect == "open") else "short"


def _value(
    quote: str, price: Decimal, size: Decimal, multiplier: Decimal = Decimal(1)
) -> int | None:
    if not is_dollar(quote):
        return None
    return to_micro_usd(EXACT.multiply(EXACT.multiply(price, size), multiplier))

"""Trades as ccxt unifies them (JSON of `fetch_my_trades`), for whatever venue they are of."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Context, Decimal
from typing import Any, Final, Literal, NamedTuple

from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.documents.records import Record, has_names, records_of
from afterword.pipeline.domain.fills.model import (
    Fill,
    Liquidation,
    MarketKind,
    PositionSide,
    effect_of,
)
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin
from afterword.pipeline.domain.layouts.pairs import split_pair
from afterword.pipeline.domain.venues import binance, bybit
from afterword.pipeline.domain.venues.bybit import BYBIT_FORCED
from afterword.pipeline.domain.venues.hyperliquid import API_NAMES, api_fill
from afterword.pipeline.domain.venues.kraken import pair_of
from afterword.pipeline.domain.venues.okx import CONTRACT_SIZES
from afterword.pipeline.rules.market.decimals import plain
from afterword.pipeline.rules.setup import Direction

_NAMES: Final = ("symbol", "side", "price", "amount", "timestamp", "datetime")


class _Venue(NamedTuple):
    """A venue by its own row, which ccxt keeps in `info`.

    Args:
        signs: names that only its rows have; `symbol`: what it calls the market there.
        profit: profit of the closed part before fees.
        held: which of two positions it moves, where the account keeps a long and a short one.
    """

    name: str
    signs: tuple[str, ...]
    symbol: str
    profit: str = ""
    held: str = ""


_VENUES: Final = (
    _Venue("mexc", ("isSelfTrade", "commissionAsset"), ""),
    _Venue("binance", ("commissionAsset", "orderId"), "symbol", "realizedPnl", "positionSide"),
    _Venue("okx", ("instId", "fillPx"), "instId", "fillPnl", "posSide"),
    _Venue("bybit", ("execId", "execPrice"), "symbol"),
    _Venue("kraken", ("ordertxid", "pair"), "pair"),
    _Venue("coinbase", ("trade_id", "product_id"), "product_id"),
    _Venue("kucoin", ("counterOrderId", "tradeId"), "symbol"),
    _Venue("bitget", ("feeDetail", "tradeId"), "symbol", "profit"),
    _Venue("gate", ("currency_pair", "create_time_ms"), "currency_pair"),
)
_UNKNOWN: Final = _Venue("ccxt", (), "")
_SIDES: Final[dict[str, Direction]] = {"long": "long", "short": "short"}
_EFFECTS: Final[dict[str, Literal["open", "close"]]] = {"open": "open", "close": "close"}
"""What Bitget writes of an account with two positions; of one with a single one `buy_single`."""

_SIX_DIGITS: Final = Context(prec=6)
_ONE: Final = Decimal(1)


def _recognises(document: Document) -> bool:
    return document.form == "json" and has_names(document.content, *_NAMES)


def _trades(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield fills; where `info` is the row of a known venue, its market bears the venue's name."""
    for row in records_of(f"{document.name}: ", document.content):
        yield _item(row, origin)


def read_trades(
    rows: Sequence[Mapping[str, Any]], venue: str, account: str
) -> tuple[list[Fill], list[int]]:
    """Return the fills in trades that ccxt made of an exchange's replies.

    Args:
        rows: with `contractSize`, the units of a contract; `symbol` is None where ccxt knows the
            market no more, which is then read from the venue's own name of it.

    Returns:
        The fills; and the moments of those that are left out, since nobody says how many units a
        contract of theirs has; UTC milliseconds.

    Raises:
        InvalidInputError: a row is no trade.
    """
    fills: list[Fill] = []
    left_out: list[int] = []
    origin = Origin(venue, account)
    for row in records_of(f"{venue} trades", rows):
        known = row if row.text("symbol") else _with_market(row, venue)
        if known is None:
            left_out.append(row.millis("timestamp"))
        elif isinstance(item := _item(known, origin), Fill):
            fills.append(item)
    return fills, left_out


def _with_market(row: Record, venue: str) -> Record | None:
    """Return a trade in a market that is listed no more, with its name; None if it has no size."""
    info, size = row.part("info"), Decimal(1)
    symbol = info.text("pair" if venue == "kraken" else "instId" if venue == "okx" else "symbol")
    kind: MarketKind = "spot"
    if venue == "okx":
        base, quote, *rest = (*symbol.split("-"), "")
        if rest != [""]:
            kind = "perp" if rest[0] == "SWAP" else "future"
            size = CONTRACT_SIZES.get(symbol, Decimal(0))
        pair: tuple[str | None, str] | None = (base, quote)
    elif venue == "kraken":
        pair = pair_of(symbol)
    elif (venue == "binance" and "isBuyer" in info.fields) or info.text("category") == "spot":
        pair = split_pair(symbol)
    else:
        market = binance.market_of(symbol) if venue == "binance" else bybit.market_of(symbol)
        pair, kind = (market[:2], market[2]) if market else (None, kind)
    if pair is None or not size:
        return None
    name = f"{pair[0] or symbol}/{pair[1]}"
    settled = {"perp": f":{pair[1]}", "future": f":{pair[1]}-000000"}.get(kind, "")
    fields = {**row.fields, "symbol": name + settled, "contractSize": plain(size)}
    return row._replace(fields=fields)


def _item(row: Record, origin: Origin) -> Item:
    info = row.part("info")
    if all(name in info.fields for name in API_NAMES):
        # The same fill as from the venue's own API, whose `fee` holds the builder's already.
        return api_fill(info, origin.account or "hyperliquid")
    pair, _, settled = row.text("symbol").partition(":")
    base, _, quote = pair.partition("/")
    settle, *dated = settled.split("-")
    if settle and settle == base:
        return LeftOut(row.line, "coin-margined contract")
    kind: MarketKind = "spot"
    if settle:
        kind = "option" if len(dated) == 3 else "future" if dated else "perp"
    return _fill(row, info, origin, kind, base, settle or quote)


def _fill(
    row: Record, info: Record, origin: Origin, kind: MarketKind, base: str, quote: str
) -> Fill:
    venue = next((one for one in _VENUES if set(one.signs) <= info.fields.keys()), _UNKNOWN)
    side = row.side("side", ("buy",), ("sell",))
    profit = info.number_or_none(venue.profit) if venue.profit and kind != "spot" else None
    held: PositionSide = ""
    if venue.held and (word := info.text(venue.held).casefold()) in _SIDES:
        held = _SIDES[word]
    effect = effect_of(side, held) if held else _effect(row, info, venue)
    if venue.name == "bitget" and (stated := info.text("tradeSide").casefold()) in _EFFECTS:
        # There `side` is that of the position: who closes a long one is told to buy.
        effect = _EFFECTS[stated]
        held = "long" if info.side("side", ("buy",), ("sell",)) == "B" else "short"
        side = "B" if (effect == "open") == (held == "long") else "A"
    # As the venue's own exports are named, so that the same trades meet in one account.
    named = replace(origin, account=origin.account or venue.name)
    account = named.account
    if venue.name == "kraken" and (info.text("misc") or info.number_or_zero("margin")):
        effect = "close" if "clos" in info.text("misc") else "open"
        account = named.account_of("margin")
    fee, token = _fee(row)
    return Fill(
        venue=venue.name,
        account=account,
        symbol=_symbol(row, info, venue, base, quote),
        kind=kind,
        base=base or None,
        quote=quote,
        side=side,
        px=row.positive("price"),
        sz=row.positive("amount"),
        multiplier=_ONE if kind == "spot" else _multiplier(row),
        time_ms=row.millis("timestamp"),
        fee=fee,
        fee_token=token,
        oid=row.text("order") or None,
        tid=row.text("id") or None,
        effect=effect or ("close" if profit else None),
        position_side=held,
        closed_pnl=profit,
        liquidation=_forced(info, venue),
        raw=row.raw(),
        line=row.line,
    )


def _effect(row: Record, info: Record, venue: _Venue) -> Literal["open", "close"] | None:
    """Return what Bybit says of a fill: how much of it closed; None of one that did both."""
    closed = info.number_or_none("closedSize") if venue.name == "bybit" else None
    if closed is None or 0 < closed < row.positive("amount"):
        return None
    return "close" if closed else "open"


def _forced(info: Record, venue: _Venue) -> Liquidation | None:
    """Return what Bybit says of a fill that its owner did not want."""
    method = BYBIT_FORCED.get(info.text("execType").casefold()) if venue.name == "bybit" else None
    return Liquidation(None, method) if method else None


def _symbol(row: Record, info: Record, venue: _Venue, base: str, quote: str) -> str:
    if venue.name == "mexc":
        return f"{base}_{quote}"
    return (info.text(venue.symbol) if venue.symbol else "") or row.text("symbol")


def _fee(row: Record) -> tuple[Decimal, str | None]:
    """Return the fee and its token; `fees` repeats what `fee` says."""
    fee = row.part("fee")
    if not fee.text("cost"):
        listed = row.fields.get("fees")
        fees = list(records_of(f"{row.place}.fees", listed)) if isinstance(listed, list) else []
        fees = [one for one in fees if one.number_or_zero("cost")]
        if len({one.text("currency") for one in fees}) > 1:
            raise row.refusal("fees", "fees in one currency")
        if not fees:
            return Decimal(0), None
        total = sum((one.number("cost") for one in fees), Decimal(0))
        return total, fees[0].text("currency") or None
    return fee.number("cost"), fee.text("currency") or None


def _multiplier(row: Record) -> Decimal:
    """Return the units of one contract, by which `cost` differs from price times amount."""
    if row.text("contractSize"):
        return row.positive("contractSize")
    if not row.text("cost"):
        return _ONE
    plain = row.positive("price") * row.positive("amount")
    multiplier = _SIX_DIGITS.divide(row.number("cost"), plain)
    if multiplier <= 0:
        return _ONE
    return Decimal(format(multiplier.normalize(_SIX_DIGITS), "f"))


LAYOUTS: Final = (
    Layout("ccxt-trades", "", "ccxt, fetch_my_trades (JSON)", (), _recognises, _trades),
)

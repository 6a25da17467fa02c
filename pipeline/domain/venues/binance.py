"""Exports of Binance: spot and futures trades, and the statement of all transactions."""

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import tzinfo
from decimal import Decimal
from functools import lru_cache
from typing import Final, NamedTuple

from afterword.pipeline.domain.documents.cells import Cells, cells_of, has_columns
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import Fill, MarketKind
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin, line_of
from afterword.pipeline.domain.layouts.legs import BROKEN, LEG, Leg, exchange_of, raw_of
from afterword.pipeline.domain.layouts.pairs import FIAT, QUOTE_COINS, STABLE, split_pair, zone_in
from afterword.pipeline.domain.layouts.transfers import Transfer, bounded
from afterword.pipeline.errors import InvalidInputError

_SPOT: Final = ("Date(UTC*", "Pair", "Side", "Price", "Executed", "Amount", "Fee")
_SPOT_VARIANTS: Final = {"Date(UTC*": ("Date", "Time")}
_FUTURES: Final = (
    "Uid",
    "Time",
    "Symbol",
    "Side",
    "Price",
    "Quantity",
    "Amount",
    "Fee",
    "Realized Profit",
    "Buyer",
    "Maker",
    "Trade ID",
    "Order ID",
)
_STATEMENT: Final = ("User_ID", "UTC_Time", "Account", "Operation", "Coin", "Change", "Remark")
_STATEMENT_VARIANTS: Final = {"User_ID": ("User ID",), "UTC_Time": ("Time",)}
_TIMES: Final = ("%Y-%m-%d %H:%M:%S", "%y-%m-%d %H:%M:%S")

_STABLE_FIRST: Final = ("TRY", "BRL", "ARS", "PLN", "JPY", *STABLE, *FIAT, *QUOTE_COINS)
"""Here euro and pound are priced in USDT, and USDT in lira and real."""

_DATED: Final = re.compile(r"_[0-9]{6}")
_INVERSE: Final = re.compile(r"[A-Z0-9]+USD_(?:PERP|[0-9]{6})")
_NUMBER: Final = re.compile(r"-?[0-9.,]+")

_LEGS: Final = {
    "transaction buy": "trade",
    "transaction spend": "trade",
    "transaction sold": "trade",
    "transaction revenue": "trade",
    "transaction related": "trade",
    "buy": "trade",
    "sell": "trade",
    "transaction fee": "fee",
    "fee": "fee",
    "binance convert": "convert",
    "large otc trading": "convert",
}
_REASONS: Final = (
    ("interest", "interest"),
    ("reward", "reward"),
    ("staking", "reward"),
    ("funding fee", "funding"),
    ("deposit", "deposit"),
    ("withdraw", "withdrawal"),
    ("transfer", "transfer"),
)

_TRANSFERS: Final = {"deposit": 1, "withdrawal": -1}
"""Reasons of rows with coins that come from elsewhere or go there; a `transfer` stays here. Not
every file has the sign."""


def _zone(document: Document, heading: str, origin: Origin) -> tzinfo:
    return zone_in(heading) or zone_in(document.name) or origin.zone_or_refuse()


def _spot(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield fills; each amount carries its coin, and only so the pair can be cut in two."""
    for row in cells_of(document, *_SPOT, variants=_SPOT_VARIANTS):
        base, quote = _coins(row)
        zone = _zone(document, row.heading("Date(UTC*"), origin)
        fee, token = _amount_and_coin(row.text("Fee"), (base, quote, "BNB"))
        yield Fill(
            venue="binance",
            account=origin.account,
            symbol=row.text("Pair"),
            kind="spot",
            base=base,
            quote=quote,
            side=row.side("Side", ("buy",), ("sell",)),
            px=row.positive("Price"),
            sz=row.above_zero("Executed", row.text("Executed").removesuffix(base)),
            time_ms=row.millis("Date(UTC*", zone, *_TIMES),
            fee=row.amount("Fee", fee),
            fee_token=token or None,
            raw=row.raw(),
            line=row.line,
        )


def _coins(row: Cells) -> tuple[str, str]:
    """Return base and quote: the coins of `Executed` and `Amount`, which make the pair."""
    pair, executed, amount = row.text("Pair"), row.text("Executed"), row.text("Amount")
    for cut in range(1, len(pair)):
        base, quote = pair[:cut], pair[cut:]
        if (
            executed.endswith(base)
            and amount.endswith(quote)
            and _NUMBER.fullmatch(executed[: -len(base)])
            and _NUMBER.fullmatch(amount[: -len(quote)])
        ):
            return base, quote
    raise row.refusal("Executed", "a number and the first coin of the pair, such as 0.01BTC")


def _amount_and_coin(text: str, coins: tuple[str, ...]) -> tuple[str, str]:
    """Cut `0.5DOGE` in two; a coin's name may begin with a digit, so the known ones are tried."""
    for coin in coins:
        if text.endswith(coin) and _NUMBER.fullmatch(text[: -len(coin)]):
            return text[: -len(coin)], coin
    number = _NUMBER.match(text)
    return (number[0], text[number.end() :].strip()) if number else (text, "")


def _futures(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield fills; the zone stands in the file's name only, realised profit is before the fee."""
    zone: tzinfo | None = None
    for row in cells_of(document, *_FUTURES):
        symbol = row.text("Symbol")
        market = market_of(symbol)
        if market is None:
            yield LeftOut(row.line, "coin-margined contract")
            continue
        if zone is None:
            zone = zone_in(document.name) or origin.zone_or_refuse()
        fee, _, token = row.text("Fee").partition(" ")
        base, quote, kind = market
        profit = row.number("Realized Profit")
        yield Fill(
            venue="binance",
            account=origin.account,
            symbol=symbol,
            kind=kind,
            base=base,
            quote=quote,
            side=row.side("Side", ("buy",), ("sell",)),
            px=row.positive("Price"),
            sz=row.positive("Quantity"),
            time_ms=row.millis("Time", zone, *_TIMES),
            fee=row.amount("Fee", fee),
            fee_token=token or None,
            oid=row.text("Order ID") or None,
            tid=row.text("Trade ID") or None,
            effect="close" if profit else None,
            closed_pnl=profit,
            raw=row.raw(),
            line=row.line,
        )


@lru_cache(maxsize=1024)
def market_of(symbol: str) -> tuple[str | None, str, MarketKind] | None:
    """Return base, quote and kind of `BTCUSDT`, `BTCUSDT_260327`; None of one paid in coins."""
    if _INVERSE.fullmatch(symbol):
        return None
    pair = split_pair(_DATED.sub("", symbol))
    base, quote = pair or (None, "USDT")
    return base, quote, "future" if _DATED.search(symbol) else "perp"


class _Entry(NamedTuple):
    """One leg of a statement, with what joins it to others."""

    time_ms: int
    account: str
    sort: str
    leg: Leg


def _statement(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield the trades that legs of one account and moment make, and leave out all other rows.

    The rows of a trade have no id in common: what lies within a second belongs together, if it
    makes one exchange of two coins.
    """
    items: list[Item] = []
    entries: list[_Entry] = []
    transfers: list[Transfer] = []
    for row in cells_of(document, *_STATEMENT, variants=_STATEMENT_VARIANTS):
        sort, reason = _sort_of(row)
        if sort is None:
            items.append(LeftOut(row.line, reason))
            if reason in _TRANSFERS:
                with suppress(InvalidInputError):  # a row that is no trade refuses no file
                    units = _TRANSFERS[reason] * abs(row.number("Change"))
                    moment = _moment(document, row, origin)
                    transfers.append(Transfer(row.text("Coin"), units, moment))
            continue
        moment = _moment(document, row, origin)
        amount, coin = row.number("Change"), row.text("Coin")
        is_fee = sort == "fee"
        leg = Leg(
            row.line,
            coin,
            Decimal(0) if is_fee else amount,
            -amount if is_fee else Decimal(0),
            row.raw(),
        )
        entries.append(_Entry(moment, row.text("Account"), "trade" if is_fee else sort, leg))
    for group in _groups(entries):
        items += _trade(group, origin)
    yield from bounded(sorted(items, key=line_of), transfers)


def _moment(document: Document, row: Cells, origin: Origin) -> int:
    zone = _zone(document, f"({row.heading('UTC_Time')[:3]})", origin)
    return row.millis("UTC_Time", zone, *_TIMES)


def _sort_of(row: Cells) -> tuple[str | None, str]:
    operation = row.text("Operation").casefold()
    is_futures = "futures" in row.text("Account").casefold()
    if (sort := _LEGS.get(operation)) is not None and not is_futures:
        return sort, ""
    reason = next((reason for word, reason in _REASONS if word in operation), None)
    return None, reason or ("futures without market" if is_futures else "other operation")


def _groups(entries: list[_Entry]) -> Iterator[list[_Entry]]:
    """Yield the entries that belong together: of one moment, or of two that are a second apart."""
    moments: dict[tuple[str, str, int], list[_Entry]] = {}
    for entry in entries:
        moments.setdefault((entry.account, entry.sort, entry.time_ms), []).append(entry)
    pending: list[_Entry] = []
    for _, group in sorted(moments.items()):
        if pending and _joins(pending, group):
            pending = pending + group
            continue
        if pending:
            yield pending
        pending = group
    if pending:
        yield pending


def _joins(group: list[_Entry], other: list[_Entry]) -> bool:
    """Tell whether two moments are one trade: halves of it, or a whole one and its fee."""
    last, first = group[-1], other[0]
    if (last.account, last.sort) != (first.account, first.sort):
        return False
    if first.time_ms - last.time_ms > 1_000:
        return False
    return _is_fee(group) or _is_fee(other) or not (_is_whole(group) or _is_whole(other))


def _is_fee(group: list[_Entry]) -> bool:
    return not any(entry.leg.amount for entry in group)


def _is_whole(group: list[_Entry]) -> bool:
    return exchange_of((entry.leg for entry in group), _STABLE_FIRST) is not None


def _trade(group: list[_Entry], origin: Origin) -> Iterator[Item]:
    legs = [entry.leg for entry in group]
    exchange = exchange_of(legs, _STABLE_FIRST)
    if exchange is None:
        yield from (LeftOut(leg.line, BROKEN) for leg in legs)
        return
    yield Fill(
        venue="binance",
        account=origin.account,
        symbol=exchange.base + exchange.quote,
        kind="spot",
        **exchange._asdict(),
        time_ms=group[0].time_ms,
        raw=raw_of(legs),
        line=legs[0].line,
    )
    yield from (LeftOut(leg.line, LEG) for leg in legs[1:])


LAYOUTS: Final = (
    Layout(
        "binance-spot-trades",
        "binance",
        "Binance spot, Trade History",
        ("Date(UTC)", *_SPOT[1:]),
        has_columns(*_SPOT, variants=_SPOT_VARIANTS),
        _spot,
    ),
    Layout(
        "binance-futures-trades",
        "binance",
        "Binance futures, Trade History",
        _FUTURES,
        has_columns(*_FUTURES),
        _futures,
    ),
    Layout(
        "binance-transactions",
        "binance",
        "Binance, Transaction History",
        _STATEMENT,
        has_columns(*_STATEMENT, variants=_STATEMENT_VARIANTS),
        _statement,
    ),
)

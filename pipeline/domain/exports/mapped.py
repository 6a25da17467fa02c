"""Read a table whose columns its owner named, into fills or closed trades."""

import re
from collections.abc import Iterator
from datetime import datetime, tzinfo
from decimal import Decimal
from typing import Final, Literal, NamedTuple, cast

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.documents.cells import Cells
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.documents.named import find_header, named_table
from afterword.pipeline.domain.documents.table import KeyedTable
from afterword.pipeline.domain.exports.currency import currency_of
from afterword.pipeline.domain.exports.mapping import MARKET_KINDS, ColumnMapping
from afterword.pipeline.domain.fills.model import ClosedTrade, Fill, MarketKind
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.masking import mask, shown
from afterword.pipeline.rules.tabular.numbers import (
    DecimalMark,
    is_blank,
    read_number,
    split_unit,
)
from afterword.pipeline.rules.tabular.sheet import Row
from afterword.pipeline.rules.tabular.timing import Timing

MAPPED_VENUE: Final = "csv"
_NUMBERS: Final = ("qty", "price", "fee", "pnl", "net", "entry", "exit", "funding", "multiplier")
_TIMES: Final[tuple[str, ...]] = ("time", "closed", "opened")
SYMBOL: Final = re.compile(r"[\w@#$^/.-][\w@#$^/.:+ &-]{0,63}")
_PERP: Final = re.compile(r"PERP|SWAP|\.P$|/[A-Z]+:[A-Z]+$", re.IGNORECASE)
BUYS: Final = re.split(
    r"\|",
    "buy|b|bid|bought|buys|purchase|open long|close short|bto|buy to open|buy to close"
    "|kauf|kaufen|achat|compra|comprar|acquisto|koop|kupno|kup|купить|покупка|买入|买|買い",
)
SELLS: Final = re.split(
    r"\|",
    "sell|s|ask|a|sold|sells|sale|open short|close long|sto|stc|sell to open|sell to close"
    "|verkauf|verkaufen|vente|venta|vender|venda|vendita|verkoop|sprzedaż|продать|продажа"
    "|卖出|卖|売り",
)
_LONGS: Final = ("long", "l", "buy", "b")
_SHORTS: Final = ("short", "s", "sell")
_FEW: Final = 3
"""Fees of one sign that are asked about: fewer may be rebates."""


class _MappedTable(NamedTuple):
    """A table with all that was found out before its first row is read.

    Args:
        places: of the columns, by their names.
        zone: of times that say none.
        timings: by the key of a moment.
    """

    table: KeyedTable
    mapping: ColumnMapping
    header: Row | None
    places: dict[str, int]
    mark: DecimalMark
    zone: tzinfo | None
    timings: dict[str, Timing]


def mapped_layout(mapping: ColumnMapping) -> Layout:
    """Return the layout of tables that have the columns of a mapping."""
    names = mapping.columns.values()
    return Layout(
        name="columns",
        venue=MAPPED_VENUE,
        title="Columns as named",
        columns=tuple(names),
        recognises=lambda document: document.form == "sheet" and find_header(document, names)[0],
        read=lambda document, origin: _items(_mapped_table(document, mapping, origin), origin),
    )


def _mapped_table(document: Document, mapping: ColumnMapping, origin: Origin) -> _MappedTable:
    table, header = named_table(document, mapping.columns)
    places: dict[str, int] = {}
    cells = header.cells if header else [""] * len(document.head[0].cells)
    for place, name in enumerate(cells):
        places.setdefault(name or f"#{place + 1}", place)
    for key, name in mapping.columns.items():
        places.setdefault(name, table.at[key][0])
    mark = mapping.mark or table.mark(key for key in _NUMBERS if key in table.at)
    zone = origin.zone or mapping.zone_of_times()
    timings = {
        key: table.timing(key, mapping.time_unit, mapping.time_format)
        for key in _TIMES
        if key in table.at
    }
    if zone is None and any(timing.needs_zone for timing in timings.values()):
        if "symbol" not in table.at:
            origin.symbol_or_refuse(needs_zone=True)
        origin.zone_or_refuse()
    mapped = _MappedTable(table, mapping, header, places, mark, zone, timings)
    _check_fees(mapped)
    return mapped


def _check_fees(mapped: _MappedTable) -> None:
    """Refuse fees that are all negative: paid at some venues, rebates at others."""
    table, mapping = mapped.table, mapped.mapping
    if "fee" not in table.at or "fee" in mapping.signs:
        return
    cells = (split_unit(table.text(row, "fee"))[0] for row in table.head())
    fees = [fee for cell in cells if (fee := read_number(cell, mapped.mark))]
    if len(fees) >= _FEW and all(fee < 0 for fee in fees):
        column = mapping.columns["fee"]
        raise InvalidInputError(
            f"{table.name}: column {column}",
            "has negative numbers only",
            f"fee=-{column} in --columns if they were paid, fee=+{column} if they are rebates",
        )


def _items(mapped: _MappedTable, origin: Origin) -> Iterator[Item]:
    read = _closed if mapped.mapping.is_closed else _fill
    table = mapped.table
    needed = [key for key in (*_TIMES, "qty", "price", "entry", "exit") if key in table.at]
    written = mapped.header.cells if mapped.header else [""] * len(table.document.head[0].cells)
    names = [name or f"#{place + 1}" for place, name in enumerate(written)]
    for row in table.rows():
        if all(is_blank(table.text(row, key)) for key in needed):
            yield LeftOut(row.line, "no trade")
            continue
        if any(row.cells[len(names) :]):  # `1,234.5` without quotes moves all cells behind it
            place = f"{table.name}: line {row.line}"
            problem = f"has {len(row.cells)} cells, and its header {len(names)}"
            raise InvalidInputError(place, problem, "as many; numbers with a comma in quotes")
        padded = row.cells + [""] * (len(names) - len(row.cells))
        cells = Cells(table.name, names, mapped.places, row.line, padded, mapped.mark)
        yield read(_Trade(mapped, row, cells, origin))


class _Trade(NamedTuple):
    """One row by the keys of the mapping."""

    mapped: _MappedTable
    row: Row
    cells: Cells
    origin: Origin

    def has(self, key: str) -> bool:
        return key in self.mapped.table.at or key in self.mapped.mapping.fixed

    def text(self, key: str) -> str:
        if key not in self.mapped.table.at:
            return self.mapped.mapping.fixed.get(key, "")
        return self.mapped.table.text(self.row, key)

    def number(self, key: str) -> Decimal:
        """Return the number of a cell, without the unit behind it."""
        number = read_number(split_unit(self.text(key))[0], self.mapped.mark)
        if number is None:
            raise self.refusal(key, f"a number, with the decimal mark {self.mapped.mark}")
        return -number if self.mapped.mapping.signs.get(key) == "-" else number

    def number_or_none(self, key: str) -> Decimal | None:
        return None if is_blank(self.text(key)) else self.number(key)

    def moment(self, key: str) -> datetime:
        text, timing, zone = self.text(key), self.mapped.timings[key], self.mapped.zone
        moment = timing.read(text, zone)
        if moment is None:
            name = f"{self.cells.name}: line {self.row.line}, column {mask(self._column(key))}"
            accepted = "one as in the rows before, or --zone, --time-unit, --time-format"
            problem = timing.problem(text, zone, shown(text, label=key))
            raise InvalidInputError(name, problem, accepted)
        return moment

    def is_day(self, *keys: str) -> bool:
        """Tell whether one of these moments is a day without a time; an empty one is none."""
        texts = ((key, self.text(key)) for key in keys if self.has(key))
        return any(
            self.mapped.timings[key].is_day(text) for key, text in texts if not is_blank(text)
        )

    def symbol(self) -> str:
        if self.has("symbol"):
            symbol = self.text("symbol")
        else:
            symbol = self.origin.symbol_or_refuse(needs_zone=False)
        if not SYMBOL.fullmatch(symbol):
            raise self.refusal("symbol", "the name of a market, such as BTCUSDT")
        return symbol

    def kind(self, symbol: str) -> MarketKind:
        kind = self.text("kind").lower()
        if not kind:
            return "perp" if _PERP.search(symbol) else "spot"
        if kind not in MARKET_KINDS:
            raise self.refusal("kind", ", ".join(MARKET_KINDS))
        return cast(MarketKind, kind)

    def multiplier(self) -> Decimal:
        multiplier = self.number_or_none("multiplier")
        if multiplier is not None and multiplier <= 0:
            raise self.refusal("multiplier", "a number above 0")
        return Decimal(1) if multiplier is None else multiplier

    def quote(self, symbol: str) -> str:
        quote = self.text("quote") or currency_of(symbol)
        if quote is None:
            name = f"{self.cells.name}: line {self.row.line}"
            problem = f"does not say in which currency {shown(symbol)} is priced"
            accepted = "quote=COLUMN or, for all rows, quote:USD in --columns"
            raise InvalidInputError(name, problem, accepted)
        return quote

    def account(self) -> str:
        return self.origin.account_of(self.text("account"))

    def refusal(self, key: str, accepted: str) -> InvalidInputError:
        return self.cells.refusal(self._column(key), accepted)

    def _column(self, key: str) -> str:
        return self.mapped.mapping.columns.get(key, key)


def _fill(trade: _Trade) -> Item:
    mapping, line = trade.mapped.mapping, trade.row.line
    word = trade.text("side").lower()
    if word and word in mapping.words("skip"):
        return LeftOut(line, word[:40])
    size = trade.number("qty")
    if not size:
        return LeftOut(line, "size 0")
    side = _side(trade, word, size)
    symbol, price, fee = trade.symbol(), trade.number("price"), trade.number_or_none("fee")
    if price < 0:
        raise trade.refusal("price", "a number not below 0")
    quote = trade.quote(symbol)
    token = trade.text("fee_token") or split_unit(trade.text("fee"))[1]
    is_base = token and token != quote and symbol.upper().startswith(token.upper())
    effect: Literal["open", "close"] | None = "open" if word.startswith("open ") else None
    return Fill(
        venue=MAPPED_VENUE,
        account=trade.account(),
        symbol=symbol,
        kind=trade.kind(symbol),
        side=side,
        px=price,
        sz=abs(size),
        quote=quote,
        base=token if is_base else None,
        multiplier=trade.multiplier(),
        time_ms=to_micros(trade.moment("time")) // 1_000,
        is_day=trade.is_day("time"),
        fee=fee if fee is not None else Decimal(0),
        fee_token=token or None,
        oid=trade.text("order") or None,
        tid=trade.text("id") or None,
        effect="close" if word.startswith("close ") else effect,
        closed_pnl=trade.number_or_none("pnl"),
        dir=trade.text("side"),
        raw=trade.cells.raw(),
        line=line,
    )


def _side(trade: _Trade, word: str, size: Decimal) -> Literal["B", "A"]:
    """Return the side by its word or, without a column of sides, by the sign of the quantity."""
    if not trade.has("side"):
        return "B" if size > 0 else "A"
    mapping = trade.mapped.mapping
    side: Literal["B", "A"]
    if word in mapping.words("buy") or (word in BUYS and word not in mapping.words("sell")):
        side = "B"
    elif word in mapping.words("sell") or word in SELLS:
        side = "A"
    else:
        given = mask(trade.text("side"))[:40] or "WORD"
        accepted = f"buy or sell; or add buy:{given}, sell:{given} or skip:{given} to --columns"
        raise trade.refusal("side", accepted)
    if side == "B" and size < 0:
        raise trade.refusal("qty", "a purchase above 0")
    return side


def _closed(trade: _Trade) -> Item:
    line, size = trade.row.line, trade.number("qty")
    if not size:
        return LeftOut(line, "size 0")
    if trade.text("direction").lower() in trade.mapped.mapping.words("skip") - {""}:
        return LeftOut(line, trade.text("direction").lower()[:40])
    symbol, direction, multiplier = trade.symbol(), _direction(trade, size), trade.multiplier()
    entry, exit_, gross = (trade.number_or_none(key) for key in ("entry", "exit", "pnl"))
    fees, funding, net = (trade.number_or_none(key) for key in ("fee", "funding", "net"))
    if gross is None and net is None:
        if entry is None or exit_ is None:
            raise trade.refusal("net", "a profit, or both the entry's and the exit's price")
        turn = 1 if direction == "long" else -1
        gross = (exit_ - entry) * abs(size) * multiplier * turn
    after: Literal["fees", "nothing", "unknown"] = "fees"
    if net is None:
        assert gross is not None
        net = gross - (fees or 0) + (funding or 0)
        after = "fees" if fees is not None else "unknown" if trade.has("pnl") else "nothing"
        gross = None if after == "unknown" else gross
    return ClosedTrade(
        venue=MAPPED_VENUE,
        account=trade.account(),
        symbol=symbol,
        kind=trade.kind(symbol),
        direction=direction,
        size=abs(size),
        quote=trade.quote(symbol),
        closed_at=trade.moment("closed"),
        is_day=trade.is_day("closed", "opened"),
        opened_at=None if is_blank(trade.text("opened")) else trade.moment("opened"),
        net=net,
        net_is_after=after,
        multiplier=multiplier,
        entry_px=entry,
        exit_px=exit_,
        gross=gross,
        fees=fees,
        funding=funding,
        trade_id=trade.text("id") or None,
        label=trade.text("label"),
        raw=trade.cells.raw(),
        line=line,
    )


def _direction(trade: _Trade, size: Decimal) -> Literal["long", "short"]:
    if not trade.has("direction"):
        return "long" if size > 0 else "short"
    word = trade.text("direction").lower()
    if word in trade.mapped.mapping.words("buy") or word in _LONGS:
        return "long"
    if word in trade.mapped.mapping.words("sell") or word in _SHORTS:
        return "short"
    raise trade.refusal("direction", "long or short; or add buy:WORD or sell:WORD to --columns")

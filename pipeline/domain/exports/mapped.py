"""Read a table whose columns its owner named, into fills or closed trades."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final, Literal

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.documents.cells import Cells, keys_of
from afterword.pipeline.domain.documents.named import find_header
from afterword.pipeline.domain.documents.table import KeyedTable
from afterword.pipeline.domain.exports.directions import direction_by_profit
from afterword.pipeline.domain.exports.mapped_exchange import exchange
from afterword.pipeline.domain.exports.mapped_row import MappedRow
from afterword.pipeline.domain.exports.mapped_table import (
    MAPPED_TIMES,
    NUMBERS,
    MappedTable,
    mapped_table,
)
from afterword.pipeline.domain.exports.mapping import ColumnMapping, MappedProgram
from afterword.pipeline.domain.exports.side_words import (
    KNOWN_SIDES,
    LONG_WORDS,
    SHORT_WORDS,
    SideWord,
)
from afterword.pipeline.domain.exports.status_words import BLANK
from afterword.pipeline.domain.exports.text_cells import check_width
from afterword.pipeline.domain.fills.model import EXACT, ClosedTrade, Fill
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin, ShareSplit
from afterword.pipeline.domain.layouts.pairs import ratio
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.masking import mask
from afterword.pipeline.rules.setup import Direction
from afterword.pipeline.rules.tabular.numbers import is_blank

MAPPED_VENUE: Final = MappedProgram().venue
"""Venue of a table whose columns its owner named for one file."""

_FREE_KINDS: Final = ("option", "stock")
"""Kinds of markets in which a price of 0 is one: what expires, or is worth nothing any more."""

_SPLIT: Final = re.compile(r"(?:\b|_)split(?:\b|_)")
_DIGIT: Final = re.compile(r"[0-9]")
_ZERO: Final = Decimal(0)


def mapped_layout(mapping: ColumnMapping) -> Layout:
    """Return the layout of tables that have the columns of a mapping."""
    program = mapping.program
    names = program.header or tuple(mapping.columns.values())
    return Layout(
        name=program.name,
        venue=program.venue,
        title=program.title,
        columns=names,
        recognises=lambda document: document.form == "sheet" and find_header(document, names)[0],
        read=lambda document, origin: _items(mapped_table(document, mapping, origin), origin),
        is_by_columns=True,
    )


def _items(mapped: MappedTable, origin: Origin) -> Iterator[Item]:
    mapping, table = mapped.mapping, mapped.table
    read = exchange if mapping.is_exchange else _closed if mapping.is_closed else _fill
    needed = _places(table, *MAPPED_TIMES, "qty", "price", "total", "entry", "exit", "got", "gave")
    wanted = _places(table, "time", "closed", "qty", "price", "total", "side")
    named = _places(table, "symbol", "side", "direction", "price", "total", "exit")
    counted = [at for key in NUMBERS for at in table.at.get(key, ())]
    width, skips_blanks = len(mapped.names), mapped.skips_blanks
    keys = keys_of(mapped.names[: len(mapped.header.cells)] if mapped.header else mapped.names)
    last = max((at for places in table.at.values() for at in places), default=0)
    padding = [""] * max(width, last + 1)
    for row in table.rows():
        padded = row.cells + padding[len(row.cells) :]
        if _are_blank(padded, needed):
            yield LeftOut(row.line, "no trade")
            continue
        if len(row.cells) > width:
            check_width(table.name, row, width)
        cells = Cells(table.name, mapped.names, mapped.places, row.line, padded, mapped.mark, keys)
        trade = MappedRow(mapped, row, cells, origin, mapped.texts_of(row, padded))
        is_empty = len(named) > 1 and not any(map(padded.__getitem__, named))
        has_numbers = _has_digit(padded, counted)
        if (is_empty or not has_numbers) and not trade.is_timed():
            yield LeftOut(row.line, "no trade")  # a footnote, or a total below the table
        elif trade.is_of_other_sort():
            yield trade.left_out(trade.text("sort") or BLANK)
        elif (void := trade.void_status()) is not None:
            yield trade.left_out(void)
        elif skips_blanks and any(is_blank(padded[at]) for at in wanted):
            yield LeftOut(row.line, "blank cell")
        elif is_empty and not has_numbers:
            yield LeftOut(row.line, "no trade")
        else:
            yield read(trade)


def _has_digit(cells: Sequence[str], places: Sequence[int]) -> bool:
    for at in places:  # noqa: SIM110 - as below
        if _DIGIT.search(cells[at]):
            return True
    return False


def _are_blank(cells: Sequence[str], places: Sequence[int]) -> bool:
    for at in places:  # noqa: SIM110 - a generator for each row takes as long as its cells
        if not is_blank(cells[at]):
            return False
    return True


def _places(table: KeyedTable, *keys: str) -> list[int]:
    return [at for key in keys for at in table.at.get(key, ())]


def _fill(trade: MappedRow) -> Item:
    line, word = trade.row.line, trade.text("side").lower()
    if word not in KNOWN_SIDES and _SPLIT.search(word):
        at = to_micros(trade.moment("time")) // 1_000
        return LeftOut(line, "share split", ShareSplit(trade.account(), trade.symbol(), at))
    if trade.is_skipped("side"):
        return trade.left_out(word)
    size = trade.size()
    if not size:
        return LeftOut(line, "size 0")
    side, effect = _side(trade, word, size)
    symbol, fee = trade.symbol(), trade.fee()
    kind, multiplier = trade.kind(symbol), trade.multiplier(symbol, is_needed=True)
    price = _price(trade, side, abs(size) * multiplier)
    if price < 0:
        raise trade.refusal("price", "a number not below 0")
    if not price and kind not in _FREE_KINDS:
        raise trade.refusal("price", "a number above 0, or kind:stock or kind:option in --columns")
    quote = trade.quote(symbol)
    trade.check_quantity(symbol, quote)
    if symbol.upper() == quote.upper():
        return LeftOut(line, "money in its own currency")
    token = trade.fee_token(quote)
    is_base = token and token != quote and symbol.upper().startswith(token.upper())
    return Fill(
        venue=trade.mapped.mapping.program.venue,
        account=trade.account(),
        symbol=symbol,
        kind=kind,
        side=side,
        px=price,
        sz=abs(size),
        quote=quote,
        base=trade.text("base") or (token if is_base else None),
        multiplier=multiplier,
        time_ms=to_micros(trade.moment("time")) // 1_000,
        is_day=trade.is_day("time"),
        fee=fee if fee is not None else _ZERO,
        fee_is_known=fee is not None,
        fee_token=token or None,
        oid=trade.text("order") or None,
        tid=trade.text("id") or None,
        effect=effect,
        closed_pnl=trade.number_or_none("pnl"),
        dir=trade.text("side"),
        raw=trade.cells.raw(),
        line=line,
    )


def _price(trade: MappedRow, side: Literal["B", "A"], units: Decimal) -> Decimal:
    """Return the price of one unit, or what all of them came to for each, without fees and taxes.

    Raises:
        InvalidInputError: the total is less than what it holds beside the worth.
    """
    if not trade.has("total"):
        return trade.number("price")
    beside = trade.beside()
    worth = abs(trade.number("total")) + (-beside if side == "B" else beside)
    if worth < 0:
        raise trade.refusal("total", f"an amount with {abs(beside)} of fees and taxes in it")
    return ratio(worth, units)


def _side(trade: MappedRow, word: str, size: Decimal) -> SideWord:
    """Return the side by its word or, without a column of sides, by the sign of the quantity."""
    if not trade.has("side"):
        return SideWord("B" if size > 0 else "A")
    words = trade.mapped.words
    meant: SideWord | None = None
    for key, of_key in _SIDE_KEYS.items():
        if word in words[key]:
            meant = of_key
    if meant is None or (meant.effect is None and KNOWN_SIDES.get(word, meant).side == meant.side):
        meant = KNOWN_SIDES.get(word, meant)
    if meant is not None and meant.effect is None and word.startswith(("open ", "close ")):
        meant = SideWord(meant.side, "open" if word.startswith("open ") else "close")
    if meant is None:
        given = mask(trade.text("side"))[:40] or "blank"
        asked = f"buy:{given}, sell:{given}, short:{given} (opens a short), cover:{given}"
        raise trade.refusal("side", f"buy or sell; or add {asked} or skip:{given} to --columns")
    if meant.side == "B" and size < 0:
        raise trade.refusal("qty", "a purchase above 0")
    return meant


_SIDE_KEYS: Final = {
    "buy": SideWord("B"),
    "sell": SideWord("A"),
    "short": SideWord("A", "open"),
    "cover": SideWord("B", "close"),
}


def _closed(trade: MappedRow) -> Item:
    if trade.is_skipped("direction"):
        return trade.left_out(trade.text("direction"))
    line, size = trade.row.line, trade.size()
    if not size:
        return LeftOut(line, "size 0")
    symbol = trade.symbol()
    entry, exit_, gross = (trade.number_or_none(key) for key in ("entry", "exit", "pnl"))
    fees, funding, net = trade.fee(), trade.number_or_none("funding"), trade.number_or_none("net")
    multiplier = trade.multiplier(symbol, is_needed=gross is None and net is None)
    quote = trade.quote(symbol)
    trade.check_quantity(symbol, quote)
    direction = _direction(trade, size, entry, exit_, net if gross is None else gross)
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
    elif gross is None and fees is not None:
        gross = EXACT.subtract(EXACT.add(net, fees), funding or _ZERO)
    return ClosedTrade(
        venue=trade.mapped.mapping.program.venue,
        account=trade.account(),
        symbol=symbol,
        kind=trade.kind(symbol),
        direction=direction,
        size=abs(size),
        quote=quote,
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


def _direction(
    trade: MappedRow,
    size: Decimal,
    entry: Decimal | None,
    exit_: Decimal | None,
    profit: Decimal | None,
) -> Direction:
    """Return the direction as it is said: by a word, by signs, or by prices and the profit.

    Raises:
        InvalidInputError: nothing says it; no direction is the usual one.
    """
    words = trade.mapped.words
    if not trade.has("direction"):
        if trade.mapped.has_signs:
            return "long" if size > 0 else "short"
        told = direction_by_profit(entry, exit_, abs(size), profit)
        if told is None:
            place = f"{trade.cells.name}: line {trade.row.line}"
            problem = "does not say whether it is long or short"
            accepted = "direction=COLUMN or, for all rows, direction:long in --columns"
            raise InvalidInputError(place, problem, accepted)
        return told
    word = trade.text("direction").lower()
    if word in words["buy"] or word in LONG_WORDS:
        return "long"
    if word in words["sell"] | words["short"] or word in SHORT_WORDS:
        return "short"
    raise trade.refusal("direction", "long or short; or add buy:WORD or sell:WORD to --columns")

"""Account statements of thinkorswim."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final, Literal, NamedTuple

from afterword.pipeline.domain.documents.cells import Cells, cells_under, mark_in
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.layouts.dates import oldest_first
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin
from afterword.pipeline.domain.layouts.options import PER_CONTRACT, day_of, occ_symbol
from afterword.pipeline.rules.tabular.numbers import read_number
from afterword.pipeline.rules.tabular.sheet import Row

_CASH: Final = "Cash Balance"
_TRADES: Final = "Account Trade History"
_CASH_HEADER: Final = ("DATE", "TIME", "TYPE", "REF #", "DESCRIPTION")
_TRADE_HEADER: Final = ("Exec Time", "Spread", "Side", "Qty", "Pos Effect", "Symbol", "Exp")
_TIMES: Final = ("%m/%d/%y %H:%M:%S", "%m/%d/%Y %H:%M:%S", "%m/%d/%y %H:%M", "%m/%d/%Y %H:%M")
_SINGLE: Final = re.compile(
    r"(BOT|SOLD) ([+-]?[\d,.]+) (\S+)"
    r"(?: (\d+)(?: \([^)]*\))? (\d{1,2} [A-Z]{3} \d{2}) ([\d.]+) (CALL|PUT))?"
    r" @([\d,.]+)(?: .*)?"
)
_DIGITS: Final = re.compile(r"[0-9]{1,4}")
_ONE: Final = Decimal(1)
_Minute = tuple[int, ...]


def _recognises(document: Document) -> bool:
    return document.form == "sheet" and any(
        set(_CASH_HEADER) <= set(row.cells) or set(_TRADE_HEADER) <= set(row.cells)
        for row in document.head
    )


class _Line(NamedTuple):
    section: str
    row: Cells


def _lines(document: Document) -> Iterator[_Line]:
    """Yield the rows of all sections under their headers; a title stands alone in its row."""
    section, header, mark = "", Row(0, []), mark_in(document)
    for row in document.rows():
        if not any(row.cells[1:]):
            section, header = row.cells[0], Row(0, [])
        elif not header.cells:
            header = row
        else:
            yield _Line(section, cells_under(document, header, row, mark))


def _read(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield the legs of the trade history; without that section, what the cash rows describe.

    A leg has its own price; a cash row has one for all legs of a spread, so that a spread in it
    cannot be read. Fees are in the cash rows only: those of the same second and underlying are the
    first leg's. Files saved by a spreadsheet have times without seconds; those of the cash rows
    count.
    """
    if any(line.section == _TRADES for line in _lines(document)):
        return oldest_first(_history(document, origin))
    return oldest_first(_cash(document, origin))


class _Paid(NamedTuple):
    """A cash row of a trade.

    Args:
        at: as written, with seconds.
        words: of its description.
    """

    line: int
    at: str
    words: frozenset[str]
    fee: Decimal

    def is_of(self, leg: Cells) -> bool:
        """Tell whether it is of a leg whose time has no seconds: units and price are its own."""
        prices = {read_number(word[1:]) for word in self.words if word.startswith("@")}
        is_priced = leg.text("Symbol") in self.words and leg.price("Price") in prices
        return is_priced and leg.number("Qty") in map(read_number, self.words)


def _history(document: Document, origin: Origin) -> Iterator[Item]:
    paid: dict[_Minute, list[_Paid]] = {}
    for section, row in _lines(document):
        if section == _CASH and row.text("TYPE") == "TRD":
            at = f"{row.text('DATE')} {row.text('TIME')}"
            words = frozenset(row.text("DESCRIPTION").split())
            one = _Paid(row.line, at, words, _fee(row))
            paid.setdefault(_minute_of(at), []).append(one)
    at = ""
    for section, row in _lines(document):
        if section != _TRADES:
            yield LeftOut(row.line, "row of another section")
            continue
        written = row.text("Exec Time")
        mine = _paid_for(row, paid)
        at = mine.at if mine else written or at
        # A leg without seconds is found by its cash row, or else it is not known what it cost.
        is_known = mine is not None or not _is_minute(written)
        yield _leg(row, origin, at, (mine.fee if mine else Decimal(0)) if is_known else None)
    for one in (one for rows in paid.values() for one in rows if one.fee):
        yield LeftOut(one.line, "fee without its trade")


def _minute_of(written: str) -> _Minute:
    """Return day, hour and minute of a time, however its year and hour are written."""
    return tuple(int(part) % 100 for part in _DIGITS.findall(written)[:5])


def _is_minute(written: str) -> bool:
    return written.count(":") == 1


def _paid_for(leg: Cells, paid: dict[_Minute, list[_Paid]]) -> _Paid | None:
    """Return the cash row of a leg, and take it from the others; None if there is none.

    Of a leg whose time has seconds it is one of that second with a fee: of a spread, the first leg
    has the fee of all.
    """
    written = leg.text("Exec Time")
    rows = paid.get(_minute_of(written), [])
    if _is_minute(written):
        mine = next((one for one in rows if one.is_of(leg)), None)
    else:
        of_it = (one for one in rows if one.fee and one.at == written)
        mine = next((one for one in of_it if leg.text("Symbol") in one.words), None)
    if mine is not None:
        rows.remove(mine)
    return mine


def _leg(row: Cells, origin: Origin, at: str, fee: Decimal | None) -> Item:
    kind = row.text("Type")
    base, multiplier, symbol = None, _ONE, row.text("Symbol")
    if kind in ("CALL", "PUT") and not symbol.startswith("/"):
        base, multiplier = symbol, PER_CONTRACT
        symbol = _contract(row, "Exp", symbol, row.text("Exp"), kind, row.text("Strike"))
    elif kind not in ("STOCK", "ETF"):
        return LeftOut(row.line, "asset class that is not read")
    effect: Literal["open", "close"] | None = None
    if row.text("Pos Effect") in ("TO OPEN", "TO CLOSE"):
        effect = "open" if row.text("Pos Effect") == "TO OPEN" else "close"
    return Fill(
        venue="thinkorswim",
        account=origin.account,
        symbol=symbol,
        base=base,
        kind="option" if base else "stock",
        side=row.side("Side", ("buy",), ("sell",)),
        px=row.price("Price"),
        sz=row.size("Qty"),
        multiplier=multiplier,
        quote="USD",
        time_ms=row.millis("Exec Time", origin.zone_or_refuse(), *_TIMES, part=at),
        fee=fee or Decimal(0),
        fee_is_known=fee is not None,
        effect=effect,
        raw=row.raw(),
        line=row.line,
    )


def _contract(row: Cells, column: str, root: str, day: str, right: str, strike: str) -> str:
    expiry, price = day_of(day, "%d %b %y"), read_number(strike)
    if expiry is None or price is None:
        raise row.refusal(column, "an expiry such as 1 MAY 26 and a strike")
    return occ_symbol(root, expiry, right, price)


def _cash(document: Document, origin: Origin) -> Iterator[Item]:
    for section, row in _lines(document):
        if section != _CASH:
            yield LeftOut(row.line, "row of another section")
        elif row.text("TYPE") != "TRD":
            yield LeftOut(row.line, f"cash {row.text('TYPE')}")
        elif (trade := _SINGLE.fullmatch(row.text("DESCRIPTION"))) is None:
            yield LeftOut(row.line, "spread with one net price")
        else:
            yield _described(row, origin, trade)


def _described(row: Cells, origin: Origin, trade: re.Match[str]) -> Fill:
    symbol, per_contract = trade[3], trade[4]
    if per_contract:
        symbol = _contract(row, "DESCRIPTION", trade[3], trade[5], trade[7], trade[6])
    size = row.number_in_text("DESCRIPTION", trade[2])
    if not size:
        raise row.refusal("DESCRIPTION", "a quantity other than 0")
    return Fill(
        venue="thinkorswim",
        account=origin.account,
        symbol=symbol,
        base=trade[3] if per_contract else None,
        kind="option" if per_contract else "stock",
        side="B" if trade[1] == "BOT" else "A",
        px=row.number_in_text("DESCRIPTION", trade[8]),
        sz=abs(size),
        multiplier=Decimal(per_contract) if per_contract else _ONE,
        quote="USD",
        time_ms=row.millis(
            "TIME",
            origin.zone_or_refuse(),
            *_TIMES,
            part=f"{row.text('DATE')} {row.text('TIME')}",
        ),
        fee=_fee(row),
        oid=row.text("REF #").strip('="') or None,
        raw=row.raw(),
        line=row.line,
    )


def _fee(row: Cells) -> Decimal:
    """Return what a cash row says that its trade cost; the amount may hold it or not."""
    return -row.number_or_zero("Misc Fees") - row.number_or_zero("Commissions & Fees")


LAYOUTS: Final = (
    Layout(
        "thinkorswim-statement",
        "thinkorswim",
        "thinkorswim, account statement",
        _CASH_HEADER,
        _recognises,
        _read,
    ),
)

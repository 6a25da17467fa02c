"""Account statements of thinkorswim."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final, Literal, NamedTuple

from afterword.pipeline.domain.documents.cells import Cells, cells_under
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
_TIMES: Final = ("%m/%d/%y %H:%M:%S", "%m/%d/%Y %H:%M:%S")
_SINGLE: Final = re.compile(
    r"(BOT|SOLD) ([+-]?[\d,.]+) (\S+)"
    r"(?: (\d+)(?: \([^)]*\))? (\d{1,2} [A-Z]{3} \d{2}) ([\d.]+) (CALL|PUT))?"
    r" @([\d,.]+)(?: .*)?"
)
_ONE: Final = Decimal(1)


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
    section, header = "", Row(0, [])
    for row in document.rows():
        if not any(row.cells[1:]):
            section, header = row.cells[0], Row(0, [])
        elif not header.cells:
            header = row
        else:
            yield _Line(section, cells_under(document, header, row))


def _read(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield the legs of the trade history; without that section, what the cash rows describe.

    A leg has its own price; a cash row has one for all legs of a spread, so that a spread in it
    cannot be read. Fees are in the cash rows only: those of the same second and underlying are the
    first leg's.
    """
    if any(line.section == _TRADES for line in _lines(document)):
        return oldest_first(_history(document, origin))
    return oldest_first(_cash(document, origin))


def _history(document: Document, origin: Origin) -> Iterator[Item]:
    fees: dict[str, list[tuple[int, set[str], Decimal]]] = {}
    for section, row in _lines(document):
        if section == _CASH and row.text("TYPE") == "TRD" and (fee := _fee(row)):
            at = f"{row.text('DATE')} {row.text('TIME')}"
            words = set(row.text("DESCRIPTION").split())
            fees.setdefault(at, []).append((row.line, words, fee))
    at = ""
    for section, row in _lines(document):
        if section != _TRADES:
            yield LeftOut(row.line, "row of another section")
            continue
        known = fees.get(row.text("Exec Time"), [])
        at = row.text("Exec Time") or at
        mine = next((one for one in known if row.text("Symbol") in one[1]), None)
        if mine:
            known.remove(mine)
        yield _leg(row, origin, at, mine[2] if mine else Decimal(0))
    yield from (
        LeftOut(line, "fee without its trade") for known in fees.values() for line, _, _ in known
    )


def _leg(row: Cells, origin: Origin, at: str, fee: Decimal) -> Item:
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
        fee=fee,
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
    size = row.amount("DESCRIPTION", trade[2])
    if not size:
        raise row.refusal("DESCRIPTION", "a quantity other than 0")
    return Fill(
        venue="thinkorswim",
        account=origin.account,
        symbol=symbol,
        base=trade[3] if per_contract else None,
        kind="option" if per_contract else "stock",
        side="B" if trade[1] == "BOT" else "A",
        px=row.amount("DESCRIPTION", trade[8]),
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

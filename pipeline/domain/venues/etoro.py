"""Sheets of eToro: closed positions, and the account activity, whose rows share a position's id."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final, NamedTuple

from afterword.pipeline.domain.documents.cells import Cells, cells_of, has_columns
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import ClosedTrade, MarketKind
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin
from afterword.pipeline.domain.layouts.pairs import ratio
from afterword.pipeline.rules.tabular.numbers import MARKS, read_number

_COLUMNS: Final = (
    *("Date", "Type", "Details", "Amount", "Units", "Realized Equity Change"),
    *("Realized Equity", "Balance", "Position ID", "Asset type"),
)
_POSITIONS: Final = (
    *("Position ID", "Action", "Long / Short", "Amount", "Units", "Open Date", "Close Date"),
    *("Leverage", "Profit(USD)", "Open Rate", "Close Rate", "Type"),
)
_VARIANTS: Final = {"Units": ("Units / Contracts",)}
_NAMED: Final = re.compile(r"(?:(?:Buy|Sell) )?.{0,200}\(([A-Z0-9./-]{1,20})\)")
"""`Buy Some Corp. (SOME)`, in newer files without the first word."""

_RATES: Final = ("FX rate at open (USD)", "FX rate at close (USD)")
_OPENED: Final = "open position"
_CLOSED: Final = "position closed"
_TIME: Final = "%d/%m/%Y %H:%M:%S"
_KINDS: Final[dict[str, MarketKind]] = {
    "stocks": "stock",
    "etf": "stock",
    "etfs": "stock",
    "crypto": "spot",
    "cryptocurrencies": "spot",
}
"""What is owned, and so long and without leverage; of a CFD the activity says neither."""

_NO_WAY: Final = "CFD, whose direction only the sheet Closed Positions says"


class _Opening(NamedTuple):
    row: Cells
    paid: Decimal
    units: Decimal


def _read(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield positions that were closed, with their opening where the file has it.

    All amounts are in USD, also those of shares priced in other currencies. What a position cost is
    in its amounts, or in rows of its own such as SDRT: its fees are not known.
    """
    openings: dict[str, _Opening] = {}
    for row in cells_of(document, *_COLUMNS, variants=_VARIANTS):
        if row.text("Type").casefold() == _OPENED:
            opened = _Opening(row, _amount(row, "Amount"), row.positive("Units"))
            openings[_position(row)] = opened
    for row in cells_of(document, *_COLUMNS, variants=_VARIANTS):
        sort = row.text("Type").casefold()
        if sort != _CLOSED:
            is_opening = sort == _OPENED
            yield LeftOut(row.line, "opening of a position" if is_opening else sort[:40] or "note")
        elif (kind := _kind(row, "Asset type")) is None:
            yield LeftOut(row.line, _NO_WAY)
        else:
            yield _closed(row, kind, openings.get(_position(row)), origin)


def _positions(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield closed positions. Whether the profit holds fees for nights is not said.

    Rates are in the currency of the market: they are prices of the trade only where that is USD.
    """
    for row in cells_of(document, *_POSITIONS, variants=_VARIANTS):
        if not row.text("Position ID"):
            yield LeftOut(row.line, "no trade")
            continue
        named, zone = _NAMED.fullmatch(row.text("Action")), origin.zone_or_refuse()
        if named is None:
            raise row.refusal("Action", "a name with its symbol behind it: Some Corp. (SOME)")
        side = row.side("Long / Short", ("long",), ("short",))
        is_in_usd = all(row.number_or_zero(rate) == 1 for rate in _RATES)
        yield ClosedTrade(
            venue="etoro",
            account=origin.account,
            symbol=named[1],
            kind=_kind(row, "Type") or "cfd",
            direction="long" if side == "B" else "short",
            size=row.positive("Units"),
            quote="USD",
            opened_at=row.moment("Open Date", zone, _TIME),
            closed_at=row.moment("Close Date", zone, _TIME),
            entry_px=row.positive("Open Rate") if is_in_usd else None,
            exit_px=row.positive("Close Rate") if is_in_usd else None,
            net=_amount(row, "Profit(USD)"),
            net_is_after="unknown",
            trade_id=_position(row),
            raw=row.raw(),
            line=row.line,
        )


def _closed(row: Cells, kind: MarketKind, opening: _Opening | None, origin: Origin) -> ClosedTrade:
    units, received = row.positive("Units"), _amount(row, "Amount")
    zone = origin.zone_or_refuse()
    entry = ratio(opening.paid, units) if opening and opening.units == units else None
    return ClosedTrade(
        venue="etoro",
        account=origin.account,
        symbol=_symbol(row),
        kind=kind,
        direction="long",
        size=units,
        quote="USD",
        opened_at=opening.row.moment("Date", zone, _TIME) if opening else None,
        closed_at=row.moment("Date", zone, _TIME),
        entry_px=entry,
        exit_px=ratio(received, units),
        net=_amount(row, "Realized Equity Change"),
        net_is_after="unknown",
        trade_id=_position(row),
        raw=row.raw(),
        line=row.line,
    )


def _kind(row: Cells, column: str) -> MarketKind | None:
    """Return what a position is in; None of a CFD.

    Raises:
        InvalidInputError: the type of asset is not known.
    """
    asset = row.text(column).casefold()
    if asset == "cfd":
        return None
    if asset not in _KINDS:
        raise row.refusal(column, "Stocks, ETF, Crypto or CFD")
    return _KINDS[asset]


def _symbol(row: Cells) -> str:
    symbol, _, currency = row.text("Details").partition("/")
    if not symbol or not currency:
        raise row.refusal("Details", "a market such as NKE/USD")
    return symbol


def _position(row: Cells) -> str:
    if not row.text("Position ID").isdecimal():
        raise row.refusal("Position ID", "the id of the position")
    return row.text("Position ID")


def _amount(row: Cells, column: str) -> Decimal:
    """Return an amount, whose decimal mark is that of the country; two digits follow it.

    Raises:
        InvalidInputError: it is no number, or can be read in two ways.
    """
    text = row.text(column)
    readings = {number for mark in MARKS if (number := read_number(text, mark)) is not None}
    if len(readings) != 1:
        raise row.refusal(column, "an amount with two digits behind its decimal mark")
    return readings.pop()


LAYOUTS: Final = (
    Layout(
        "etoro-activity",
        "etoro",
        "eToro, account activity",
        _COLUMNS,
        has_columns(*_COLUMNS, variants=_VARIANTS),
        _read,
    ),
    Layout(
        "etoro-closed-positions",
        "etoro",
        "eToro, closed positions",
        _POSITIONS,
        has_columns(*_POSITIONS, variants=_VARIANTS),
        _positions,
    ),
)

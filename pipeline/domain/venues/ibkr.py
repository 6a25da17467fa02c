"""Sheets of Interactive Brokers: Flex queries and the activity statement."""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import partial
from typing import Final, Literal

from afterword.pipeline.domain.documents.cells import (
    Cells,
    cells_of,
    cells_under,
    has_columns,
    mark_in,
)
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import Fill, MarketKind
from afterword.pipeline.domain.layouts.amounts import nearest_whole
from afterword.pipeline.domain.layouts.dates import new_york_unless_told
from afterword.pipeline.domain.layouts.layout import (
    Item,
    Layout,
    LeftOut,
    Origin,
    ShareSplit,
    account_names,
)
from afterword.pipeline.domain.layouts.options import (
    PER_CONTRACT,
    contract_of,
    day_of,
    occ_symbol,
)
from afterword.pipeline.domain.venues.ibkr_cancels import Execution, left_out_rows
from afterword.pipeline.domain.venues.ibkr_flex import ASSET_KINDS
from afterword.pipeline.domain.venues.ibkr_splits import split_in
from afterword.pipeline.rules.tabular.sheet import Row

_ONE: Final = Decimal(1)
_TIMED: Final = ("%Y%m%d;%H%M%S", "%Y-%m-%d;%H:%M:%S", "%Y-%m-%d, %H:%M:%S", "%Y-%m-%d %H:%M:%S")
_DAYS: Final = ("%Y%m%d", "%Y-%m-%d", "%m/%d/%Y")

_TRADES: Final = ("Buy/Sell", "Quantity", "TradePrice", "CurrencyPrimary", "TradeDate")
_CONFIRMS: Final = ("Buy/Sell", "Quantity", "Price", "Commission", "CurrencyPrimary", "TradeDate")


def _flex(document: Document, origin: Origin, columns: tuple[str, ...]) -> Iterator[Item]:
    """Yield executions of a Flex query; the user chooses its columns, so most may be absent.

    A query with days only is read in the order of the file: the day of New York begins it. Rows
    without symbol and ISIN are currency conversions whose pair is not in the file.
    """
    ids = (row.text("ClientAccountID") for row in cells_of(document, *columns))
    name_of = account_names((one for one in ids if one != "ClientAccountID"), origin)
    cancels = left_out_rows(partial(_flex_executions, document, columns))
    for row in cells_of(document, *columns):
        symbol = row.text("Symbol") or row.text("ISIN")
        kind = ASSET_KINDS.get(row.text("AssetClass") or "STK")
        if row.text("Quantity") == "Quantity":  # a header again, of the next account
            continue
        if not _is_execution(row):
            yield LeftOut(row.line, row.text("LevelOfDetail").lower().replace("_", " "))
        elif kind is None:
            yield LeftOut(row.line, "asset class that is not read")
        elif not symbol:
            yield LeftOut(row.line, "currency conversion without its pair")
        elif row.line in cancels:
            yield LeftOut(row.line, cancels[row.line])
        else:
            account = name_of(row.text("ClientAccountID"))
            yield _flex_fill(row, origin, account, kind, symbol)


def _is_execution(row: Cells) -> bool:
    """Tell a row of an execution from one of another level, and from a header that comes again."""
    is_header = row.text("Quantity") == "Quantity"
    return not is_header and (row.text("LevelOfDetail") or "EXECUTION") == "EXECUTION"


def _flex_executions(document: Document, columns: tuple[str, ...]) -> Iterator[Execution]:
    rows = cells_of(document, *columns)
    return (_flex_execution(row) for row in rows if _is_execution(row))


def _flex_execution(row: Cells) -> Execution:
    """Return an execution, or what a row cancels, with its ids and terms."""
    is_cancel = "(Ca.)" in row.text("Buy/Sell") or row.text("TransactionType") == "TradeCancel"
    transaction = row.text("OrigTransactionID" if is_cancel else "TransactionID")
    trade = (is_cancel and row.text("OrigTradeID")) or row.text("TradeID")
    price = row.text("TradePrice") or row.text("Price")
    moment = row.text("DateTime") or row.text("TradeDate") + row.text("TradeTime")
    return Execution(
        line=row.line,
        is_cancel=is_cancel,
        account=row.text("ClientAccountID"),
        ids=(transaction, trade),
        terms=(
            row.text("Symbol") or row.text("ISIN"),
            row.text("Quantity").lstrip("-"),
            price,
            moment,
        ),
        fee=-row.number_or_zero("IBCommission" if row.text("IBCommission") else "Commission"),
        fee_token=row.text("IBCommissionCurrency") or row.text("CurrencyPrimary"),
    )


def _flex_fill(row: Cells, origin: Origin, account: str, kind: MarketKind, symbol: str) -> Fill:
    base = symbol.partition(".")[0] if kind == "forex" else None
    if kind == "option":
        contract = contract_of(symbol) or (symbol, None)
        symbol, base = contract[0], row.text("UnderlyingSymbol") or contract[1]
    fee = "IBCommission" if row.text("IBCommission") else "Commission"
    default = PER_CONTRACT if kind == "option" else _ONE
    if row.text("DateTime"):
        time_ms = row.millis("DateTime", origin.zone_or_refuse(), *_TIMED)
    elif row.text("TradeTime"):
        moment = f"{row.text('TradeDate')};{row.text('TradeTime')}"
        time_ms = row.millis("TradeTime", origin.zone_or_refuse(), *_TIMED, part=moment)
    else:
        time_ms = row.millis("TradeDate", new_york_unless_told(origin), *_DAYS)
    return Fill(
        venue="ibkr",
        account=account,
        symbol=symbol,
        base=base,
        kind=kind,
        side=row.side("Buy/Sell", ("buy",), ("sell",)),
        px=row.price("TradePrice" if row.text("TradePrice") else "Price"),
        sz=row.size("Quantity"),
        multiplier=row.positive("Multiplier") if row.text("Multiplier") else default,
        quote=row.text("CurrencyPrimary"),
        time_ms=time_ms,
        is_day=not (row.text("DateTime") or row.text("TradeTime")),
        fee=-row.number_or_zero(fee),
        fee_token=row.text("IBCommissionCurrency") or row.text("CommissionCurrency") or None,
        oid=row.text("IBOrderID") or row.text("OrderID") or None,
        tid=row.text("TradeID") or row.text("IBExecID") or row.text("ExecID") or None,
        effect=_EFFECTS.get(row.text("Open/CloseIndicator")),
        raw=row.raw(),
        line=row.line,
    )


_EFFECTS: Final[Mapping[str, Literal["open", "close"]]] = {"O": "open", "C": "close"}

_CLASSES: Final[Mapping[str, MarketKind]] = {
    "Stocks": "stock",
    "Warrants": "stock",
    "Equity and Index Options": "option",
    "Options On Futures": "option",
    "Futures": "future",
    "Forex": "forex",
    "CFDs": "cfd",
    "Crypto": "spot",
}
_CONTRACT: Final = re.compile(r"([A-Z0-9. ]+?) ([0-9]{2}[A-Z]{3}[0-9]{2}) ([0-9.]+) ([CP])")


def _is_statement(document: Document) -> bool:
    return document.form == "sheet" and any(
        row.cells[:2] == ["Statement", "Header"] or row.cells[:3] == _TRADES_HEADER
        for row in document.head
    )


_TRADES_HEADER: Final = ["Trades", "Header", "DataDiscriminator"]


def _statement(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield the orders of a statement; where it has none, its executions.

    Both levels repeat the same quantity. A header may come again for each asset class.
    """
    has_orders = any(row.cells[:3] == ["Trades", "Data", "Order"] for row in document.rows())
    level = "Order" if has_orders else "Trade"
    cancels = left_out_rows(partial(_statement_executions, document, level))
    header: Row | None = None
    actions: Row | None = None
    mark = mark_in(document)
    for row in document.rows():
        if row.cells[:2] == ["Trades", "Header"]:
            header = row
        elif row.cells[:2] == ["Corporate Actions", "Header"]:
            actions = row
        elif row.cells[:2] == ["Corporate Actions", "Data"] and actions is not None:
            yield _action(cells_under(document, actions, row, mark), origin)
        elif row.cells[0] != "Trades" or header is None:
            if row.cells[1:2] == ["Data"]:
                yield LeftOut(row.line, "row of another section")
        elif row.cells[1:2] != ["Data"] or len(row.cells) < 3:
            yield LeftOut(row.line, "total")
        elif row.cells[2] != level:
            reason = "execution of an order" if row.cells[2] == "Trade" else "closed lot"
            yield LeftOut(row.line, reason)
        elif row.line in cancels:
            yield LeftOut(row.line, cancels[row.line])
        else:
            yield _statement_item(cells_under(document, header, row, mark), origin)


def _action(row: Cells, origin: Origin) -> LeftOut:
    """Return a corporate action, with the split of a share where it is one."""
    stated = split_in(row.text("Description"))
    if stated is None:
        return LeftOut(row.line, "row of another section")
    at = row.millis("Date/Time", origin.zone_or_refuse(), *_TIMED)
    return LeftOut(row.line, "share split", ShareSplit(origin.account, stated[0], at, stated[1]))


def _statement_executions(document: Document, level: str) -> Iterator[Execution]:
    """Yield the trades of a statement, and the rows that cancel one; it has no ids."""
    header: Row | None = None
    mark = mark_in(document)
    for line in document.rows():
        if line.cells[:2] == ["Trades", "Header"]:
            header = line
        elif header is not None and line.cells[:3] == ["Trades", "Data", level]:
            row = cells_under(document, header, line, mark)
            fee = _fee_column(row)
            yield Execution(
                line=row.line,
                is_cancel="Ca" in _codes(row),
                account="",
                ids=("", ""),
                terms=(
                    *(row.text(column) for column in ("Symbol", "T. Price", "Date/Time")),
                    row.text("Quantity").lstrip("-"),
                ),
                fee=-row.number_or_zero(fee),
                fee_token=_fee_token(fee) or row.text("Currency"),
            )


def _codes(row: Cells) -> set[str]:
    return {code.strip() for code in row.text("Code").split(";")}


def _fee_column(row: Cells) -> str:
    """Return the column of the fee; that of a currency trade names what the fee was paid in."""
    return next((name for name in row.places if name.startswith("Comm")), "Comm/Fee")


def _fee_token(column: str) -> str | None:
    return column.removeprefix("Comm in ") if column.startswith("Comm in ") else None


def _statement_item(row: Cells, origin: Origin) -> Item:
    kind = _CLASSES.get(row.text("Asset Category"))
    if kind is None:
        return LeftOut(row.line, "asset class that is not read")
    symbol, base = _named(row.text("Symbol"), kind)
    codes, fee = _codes(row), _fee_column(row)
    quantity, price = row.number("Quantity"), row.price("T. Price")
    opens, closes = "O" in codes, "C" in codes
    return Fill(
        venue="ibkr",
        account=origin.account,
        symbol=symbol,
        base=base,
        kind=kind,
        side="B" if quantity > 0 else "A",
        px=price,
        sz=row.size("Quantity"),
        multiplier=_multiplier(row, kind, abs(quantity) * price),
        quote=row.text("Currency"),
        time_ms=row.millis("Date/Time", origin.zone_or_refuse(), *_TIMED),
        fee=-row.number_or_zero(fee),
        fee_token=_fee_token(fee),
        effect=None if opens == closes else "open" if opens else "close",
        raw=row.raw(),
        line=row.line,
    )


def _named(symbol: str, kind: MarketKind) -> tuple[str, str | None]:
    """Return a market and what is traded in it; a contract has the name it has in Flex queries."""
    if kind == "forex":
        return symbol, symbol.partition(".")[0]
    if kind == "option" and (contract := _CONTRACT.fullmatch(symbol)):
        expiry = day_of(contract[2], "%d%b%y")
        if expiry is not None:
            return occ_symbol(contract[1], expiry, contract[4], Decimal(contract[3])), contract[1]
    return symbol, None


def _multiplier(row: Cells, kind: MarketKind, worth: Decimal) -> Decimal:
    """Return the multiplier of a contract; the section does not state it, its proceeds imply it."""
    if kind not in ("option", "future"):
        return _ONE
    proceeds = "Proceeds" if row.text("Proceeds") else "Notional Value"
    paid = abs(row.number_or_zero(proceeds))
    whole = nearest_whole(paid, worth)
    if whole > 1 and abs(whole * worth - paid) <= paid / 100:
        return whole
    return PER_CONTRACT if kind == "option" else _ONE


LAYOUTS: Final = (
    Layout(
        "ibkr-flex-trades",
        "ibkr",
        "IBKR Flex Query, trades as CSV",
        _TRADES,
        has_columns(*_TRADES),
        partial(_flex, columns=_TRADES),
    ),
    Layout(
        "ibkr-flex-confirms",
        "ibkr",
        "IBKR Flex Query, trade confirmations as CSV",
        _CONFIRMS,
        has_columns(*_CONFIRMS),
        partial(_flex, columns=_CONFIRMS),
    ),
    Layout(
        "ibkr-statement",
        "ibkr",
        "IBKR activity statement, CSV",
        ("Trades", "Header", "DataDiscriminator"),
        _is_statement,
        _statement,
    ),
)

"""Transactions of Schwab's Equity Awards Center (JSON): vested shares, and sales by lot."""

import json
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, Final, Literal, NamedTuple

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.layouts.dates import new_york_unless_told, oldest_first
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.masking import shown
from afterword.pipeline.rules.tabular.moments import read_any
from afterword.pipeline.rules.tabular.numbers import read_number

_KEYS: Final = frozenset({"Date", "Action", "Symbol", "Quantity", "Amount", "TransactionDetails"})
_SALES: Final = ("sale", "quick sale", "forced quick sell", "forced sale")
_CENT: Final = Decimal("0.01")
_ZERO: Final = Decimal(0)


class _Row(NamedTuple):
    """A transaction, and where it stands."""

    name: str
    line: int
    values: Mapping[str, Any]

    def number(self, key: str, values: Mapping[str, Any] | None = None) -> Decimal:
        """Return a number such as `$1,234.56`, of the row or of one of its details."""
        text = str((self.values if values is None else values).get(key) or "")
        number = read_number(text)
        if number is None:
            raise self.refusal(key, text, "a number")
        return number

    def refusal(self, key: str, text: str, accepted: str) -> InvalidInputError:
        """Return the error that refuses a value."""
        place = f"{self.name}: Transactions[{self.line - 1}].{key}"
        return InvalidInputError(place, f"is {shown(text, 40)}" if text else "is empty", accepted)

    def details(self) -> list[Mapping[str, Any]]:
        """Return what is said of its lots."""
        parts = self.values.get("TransactionDetails") or []
        return [part["Details"] for part in parts if isinstance(part, dict) and "Details" in part]


def _recognises(document: Document) -> bool:
    content = document.content if document.form == "json" else None
    rows = content.get("Transactions") if isinstance(content, dict) else None
    return (
        isinstance(rows, list)
        and bool(rows)
        and isinstance(rows[0], dict)
        and set(rows[0]) >= _KEYS
    )


def _read(document: Document, origin: Origin) -> Iterator[Item]:
    return oldest_first(_transactions(document, origin))


def _transactions(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield sales lot by lot, and vested shares as bought at their value on that day."""
    for line, values in enumerate(document.content["Transactions"], start=1):
        if not isinstance(values, dict):
            place = f"{document.name}: Transactions[{line - 1}]"
            raise InvalidInputError(place, "is no object", "a transaction")
        row = _Row(document.name, line, values)
        action, details = str(values.get("Action")).casefold(), row.details()
        if action in _SALES:
            yield from _sale(row, details, origin)
        elif action == "deposit" and details and details[0].get("VestFairMarketValue"):
            price = row.number("VestFairMarketValue", details[0])
            yield _fill(row, "B", row.number("Quantity"), price, _ZERO, origin)
        elif action == "deposit":
            yield LeftOut(line, "shares that came without a price")
        else:
            yield LeftOut(line, action[:40])


def _sale(row: _Row, details: list[Mapping[str, Any]], origin: Origin) -> Iterator[Fill]:
    """Yield what was sold of each lot; the first has the fee.

    Raises:
        InvalidInputError: the lots are not what the transaction says.
    """
    lots = [(row.number("Shares", lot), row.number("SalePrice", lot)) for lot in details]
    if not lots or sum(shares for shares, _ in lots) != row.number("Quantity"):
        raise row.refusal("Quantity", str(row.values.get("Quantity")), "the sum of its lots")
    stated = row.values.get("FeesAndCommissions")
    fee = row.number("FeesAndCommissions") if stated else None
    worth = sum((shares * price for shares, price in lots), _ZERO) - (fee or _ZERO)
    if fee is not None and abs(worth - row.number("Amount")) > _CENT * len(lots):
        raise row.refusal("Amount", str(row.values.get("Amount")), "what its lots come to")
    for number, (shares, price) in enumerate(lots):
        yield _fill(row, "A", shares, price, _ZERO if number and fee is not None else fee, origin)


def _fill(
    row: _Row,
    side: Literal["B", "A"],
    shares: Decimal,
    price: Decimal,
    fee: Decimal | None,
    origin: Origin,
) -> Fill:
    symbol, day = str(row.values.get("Symbol") or ""), str(row.values.get("Date"))
    moment = read_any(day, ("%m/%d/%Y",), new_york_unless_told(origin))
    if moment is None:
        raise row.refusal("Date", day, "03/31/2026")
    if not symbol or shares <= 0 or price <= 0:
        raise row.refusal("Symbol", symbol, "a market, with shares and a price above 0")
    return Fill(
        venue="schwab-awards",
        account=origin.account,
        symbol=symbol,
        kind="stock",
        side=side,
        px=price,
        sz=shares,
        quote="USD",
        time_ms=to_micros(moment) // 1_000,
        is_day=True,
        fee=fee or _ZERO,
        fee_is_known=fee is not None,
        raw=json.dumps(row.values, ensure_ascii=False, separators=(",", ":")),
        line=row.line,
    )


LAYOUTS: Final = (
    Layout(
        "schwab-equity-awards",
        "schwab-awards",
        "Schwab Equity Awards, transactions (JSON)",
        (),
        _recognises,
        _read,
    ),
)

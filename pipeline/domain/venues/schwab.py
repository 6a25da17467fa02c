"""Transactions of Charles Schwab."""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Final, Literal

from afterword.pipeline.domain.documents.cells import Cells, cells_of, has_columns
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.layouts.amounts import settled_price
from afterword.pipeline.domain.layouts.dates import new_york_unless_told, oldest_first
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin, ShareSplit
from afterword.pipeline.domain.layouts.options import (
    PER_CONTRACT,
    OpenContracts,
    day_of,
    occ_symbol,
)

_COLUMNS: Final = (
    *("Date", "Action", "Symbol", "Description", "Quantity", "Price", "Fees & Comm", "Amount"),
)
_Effect = Literal["open", "close"] | None
_ACTIONS: Final[Mapping[str, tuple[Literal["B", "A"], _Effect]]] = {
    "buy": ("B", None),
    "sell": ("A", None),
    "reinvest shares": ("B", None),
    "sell short": ("A", "open"),
    "buy to cover": ("B", "close"),
    "buy to open": ("B", "open"),
    "buy to close": ("B", "close"),
    "sell to open": ("A", "open"),
    "sell to close": ("A", "close"),
}
_SPLITS: Final = frozenset({"stock split", "reverse split"})
_ENDS: Final = frozenset({"expired", "assigned", "exchange or exercise"})
_CONTRACT: Final = re.compile(r"(\S+) (\d{2}/\d{2}/\d{4}) ([\d.]+) ([CP])")


def _read(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield trades; dividends, splits, mergers and journals change positions but are not trades.

    The file has days only, the newest first as a rule. A printed price is rounded: where it does
    not give the amount, the amount counts.
    """
    held = OpenContracts(lambda: _trades(document, origin, None))
    return oldest_first(_trades(document, origin, held))


def _trades(document: Document, origin: Origin, held: OpenContracts | None) -> Iterator[Item]:
    for row in cells_of(document, *_COLUMNS):
        action = row.text("Action").lower()
        if row.text("Date") == "Transactions Total":
            yield LeftOut(row.line, "total")
        elif action in _ACTIONS:
            yield _fill(row, origin, *_ACTIONS[action])
        elif action in _ENDS and (contract := _contract(row)):
            side = held.closing_side(contract[0], row.size("Quantity")) if held else None
            if side is None:
                yield LeftOut(row.line, "option opened before the file")
            else:
                yield _fill(row, origin, side, "close")
        else:
            yield LeftOut(row.line, action or "note", _split(row, origin))


def _fill(row: Cells, origin: Origin, side: Literal["B", "A"], effect: _Effect) -> Item:
    contract = _contract(row)
    size, fee = row.size("Quantity"), row.number_or_zero("Fees & Comm")
    multiplier = PER_CONTRACT if contract else Decimal(1)
    price: Decimal | None = abs(row.number_or_zero("Price"))
    if price is not None and row.text("Amount"):
        paid = abs(row.number("Amount")) + (fee if side == "A" else -fee)
        price = settled_price(paid, size * multiplier, price)
    if price is None:
        return LeftOut(row.line, "amount and price disagree")
    return Fill(
        venue="schwab",
        account=origin.account,
        symbol=contract[0] if contract else row.text("Symbol"),
        base=contract[1] if contract else None,
        kind="option" if contract else "stock",
        side=side,
        px=price,
        sz=size,
        multiplier=multiplier,
        quote="USD",
        time_ms=_moment(row, origin),
        is_day=True,
        fee=fee,
        effect=effect,
        raw=row.raw(),
        line=row.line,
    )


def _split(row: Cells, origin: Origin) -> ShareSplit | None:
    """Return what changed the units of a share: a split, or units that came or went untraded, as
    by a merger, a spin-off, a transfer or a plan for employees. Those have no ratio."""
    action, quantity = row.text("Action").lower(), row.text("Quantity")
    if not row.text("Symbol") or not (action in _SPLITS or quantity):
        return None
    added = row.number("Quantity") if action == "stock split" and quantity else None
    return ShareSplit(origin.account, row.text("Symbol"), _moment(row, origin), added=added)


def _moment(row: Cells, origin: Origin) -> int:
    # `07/15/2024 as of 07/12/2024`: booked, and happened.
    day = row.text("Date").rpartition(" as of ")[2]
    return row.millis("Date", new_york_unless_told(origin), "%m/%d/%Y", part=day)


def _contract(row: Cells) -> tuple[str, str] | None:
    contract = _CONTRACT.fullmatch(row.text("Symbol"))
    expiry = day_of(contract[2], "%m/%d/%Y") if contract else None
    if contract is None or expiry is None:
        return None
    return occ_symbol(contract[1], expiry, contract[4], Decimal(contract[3])), contract[1]


LAYOUTS: Final = (
    Layout(
        "schwab-transactions",
        "schwab",
        "Charles Schwab, transactions",
        _COLUMNS,
        has_columns(*_COLUMNS),
        _read,
    ),
)

"""Account activity of Robinhood."""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Final, Literal

from afterword.pipeline.domain.documents.cells import Cells, cells_of, has_columns
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.layouts.amounts import settled
from afterword.pipeline.domain.layouts.dates import new_york_unless_told, oldest_first
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin, ShareSplit
from afterword.pipeline.domain.layouts.options import (
    PER_CONTRACT,
    OpenContracts,
    day_of,
    occ_symbol,
)
from afterword.pipeline.rules.tabular.numbers import read_number

_COLUMNS: Final = (
    *("Activity Date", "Process Date", "Settle Date", "Instrument", "Description"),
    *("Trans Code", "Quantity", "Price", "Amount"),
)
_CODES: Final[Mapping[str, tuple[Literal["B", "A"], Literal["open", "close"] | None]]] = {
    "Buy": ("B", None),
    "Sell": ("A", None),
    "BTO": ("B", "open"),
    "BTC": ("B", "close"),  # buy to close, not bitcoin
    "STO": ("A", "open"),
    "STC": ("A", "close"),
}
_ENDS: Final = frozenset({"OEXP", "OASGN", "OEXCS"})
_REASONS: Final[Mapping[str, str]] = {
    "": "note",
    "ACH": "transfer",
    "CDIV": "dividend",
    "SPL": "split",
    "SPR": "split",
}
_CONTRACT: Final = re.compile(r"(?<!\S)(\S+) (\d{1,2}/\d{1,2}/\d{4}) (Call|Put) \$([\d,.]+)")
_ONE: Final = Decimal(1)


def _read(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield trades, and what closes an option at 0: an expiry, an assignment, an exercise.

    The file has days only, the newest first. The fee is what the amount is short of quantity times
    price.
    """
    held = OpenContracts(lambda: _trades(document, origin, None))
    return oldest_first(_trades(document, origin, held))


def _trades(document: Document, origin: Origin, held: OpenContracts | None) -> Iterator[Item]:
    for row in cells_of(document, *_COLUMNS):
        code = row.text("Trans Code")
        if code in _CODES:
            yield _fill(row, origin, *_CODES[code], _size(row))
        elif code in _ENDS:
            symbol, size = _contract(row)[0], _size(row)
            side = held.closing_side(symbol, size) if held else None
            if side is None:
                yield LeftOut(row.line, "option opened before the file")
            else:
                yield _fill(row, origin, side, "close", size)
        else:
            yield LeftOut(row.line, _REASONS.get(code, f"activity {code}"), _split(row, origin))


def _size(row: Cells) -> Decimal:
    size = row.amount("Quantity", row.text("Quantity").removesuffix("S"))
    if size <= 0:
        raise row.refusal("Quantity", "a number above 0")
    return size


def _fill(
    row: Cells,
    origin: Origin,
    side: Literal["B", "A"],
    effect: Literal["open", "close"] | None,
    size: Decimal,
) -> Fill:
    symbol, base = _contract(row) if effect else (row.text("Instrument"), None)
    multiplier = PER_CONTRACT if effect else _ONE
    price, fee = row.number_or_zero("Price"), Decimal(0)
    if row.text("Amount"):
        price, fee = settled(row.number("Amount"), side, size * multiplier, price)
    return Fill(
        venue="robinhood",
        account=origin.account,
        symbol=symbol,
        base=base,
        kind="option" if effect else "stock",
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
    if _REASONS.get(row.text("Trans Code")) != "split" or not row.text("Instrument"):
        return None
    is_added = row.text("Trans Code") == "SPL" and bool(row.text("Quantity"))
    added = _size(row) if is_added else None
    return ShareSplit(origin.account, row.text("Instrument"), _moment(row, origin), added=added)


def _moment(row: Cells, origin: Origin) -> int:
    return row.millis("Activity Date", new_york_unless_told(origin), "%m/%d/%Y")


def _contract(row: Cells) -> tuple[str, str]:
    contract = _CONTRACT.search(row.text("Description"))
    expiry = day_of(contract[2], "%m/%d/%Y") if contract else None
    strike = read_number(contract[4]) if contract else None
    if contract is None or expiry is None or strike is None:
        raise row.refusal("Description", "a contract such as SPY 3/20/2026 Call $580.00")
    return occ_symbol(contract[1], expiry, contract[3], strike), contract[1]


LAYOUTS: Final = (
    Layout(
        "robinhood-activity",
        "robinhood",
        "Robinhood, account activity",
        _COLUMNS,
        has_columns(*_COLUMNS),
        _read,
    ),
)

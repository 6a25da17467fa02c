"""Transactions of zipline and pyfolio."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC
from decimal import Decimal
from typing import Final

from afterword.pipeline.domain.documents.cells import cells_of, has_columns
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.layouts.layout import Item, Layout, Origin
from afterword.pipeline.domain.layouts.pairs import ratio

_COLUMNS: Final = ("amount", "price", "sid", "symbol", "txn_dollars")
_INDEX: Final = "?"


def _read(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield transactions; those of a daily back-test are stamped with the first moment of the day.

    A price with noise of binary fractions gives way to the one that the dollars say. A back-test
    begins flat, so that a sale of more than it holds opens a short.
    """
    held: dict[str, Decimal] = defaultdict(Decimal)
    for row in cells_of(document, *_COLUMNS):
        amount, dollars = row.number("amount"), row.number("txn_dollars")
        size, price = row.size("amount"), row.price("price")
        exact = ratio(abs(dollars), size)
        symbol = row.text("symbol")
        before = held[symbol]
        held[symbol] = before + amount
        yield Fill(
            venue="pyfolio",
            account=origin.account,
            symbol=symbol,
            kind="stock",
            side="B" if amount > 0 else "A",
            px=exact if exact * size == abs(dollars) else price,
            sz=size,
            quote="USD",
            effect="close"
            if abs(held[symbol]) < abs(before) and held[symbol] * before >= 0
            else "open",
            time_ms=row.millis(_INDEX, origin.zone or UTC, "iso"),
            raw=row.raw(),
            line=row.line,
        )


LAYOUTS: Final = (
    Layout(
        "pyfolio-transactions",
        "pyfolio",
        "zipline and pyfolio, transactions",
        _COLUMNS,
        has_columns(*_COLUMNS),
        _read,
    ),
)

"""Transactions of zipline and pyfolio."""

from collections.abc import Iterator
from datetime import UTC
from typing import Final

from afterword.pipeline.domain.documents.cells import cells_of, has_columns
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.documents.layout import Item, Layout, Origin
from afterword.pipeline.domain.documents.pairs import ratio
from afterword.pipeline.domain.history.fill import Fill

_COLUMNS: Final = ("amount", "price", "sid", "symbol", "txn_dollars")
_INDEX: Final = "?"


def _read(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield transactions; those of a daily back-test are stamped with the first moment of the day.

    A price with noise of binary fractions gives way to the one that the dollars say.
    """
    for row in cells_of(document, *_COLUMNS):
        amount, dollars = row.number("amount"), row.number("txn_dollars")
        size, price = row.size("amount"), row.price("price")
        exact = ratio(abs(dollars), size)
        yield Fill(
            venue="pyfolio",
            account=origin.account,
            symbol=row.text("symbol"),
            kind="stock",
            side="B" if amount > 0 else "A",
            px=exact if exact * size == abs(dollars) else price,
            sz=size,
            quote="USD",
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

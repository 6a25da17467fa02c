"""Activities of Parqet."""

from collections.abc import Iterator
from datetime import UTC
from typing import Final

from afterword.pipeline.domain.documents.cells import cells_of, has_columns
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.layouts.dates import oldest_first
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin

_COLUMNS: Final = (
    *("datetime", "price", "shares", "amount", "tax", "fee", "type", "assettype"),
    *("identifier", "currency"),
)


def _read(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield purchases and sales; the tax of a sale is not a fee of trading."""
    return oldest_first(_activities(document, origin))


def _activities(document: Document, origin: Origin) -> Iterator[Item]:
    for row in cells_of(document, *_COLUMNS, usual=","):
        if row.text("type").lower() not in ("buy", "sell"):
            yield LeftOut(row.line, row.text("type").lower() or "note")
            continue
        yield Fill(
            venue="parqet",
            account=origin.account,
            symbol=row.text("identifier"),
            kind="spot" if row.text("assettype").lower() == "crypto" else "stock",
            side=row.side("type", ("buy",), ("sell",)),
            px=row.price("price"),
            sz=row.positive("shares"),
            quote=row.text("currency"),
            time_ms=row.millis("datetime", UTC, "iso"),
            fee=row.number_or_zero("fee"),
            raw=row.raw(),
            line=row.line,
        )


LAYOUTS: Final = (
    Layout(
        "parqet-activities", "parqet", "Parqet, activities", _COLUMNS, has_columns(*_COLUMNS), _read
    ),
)

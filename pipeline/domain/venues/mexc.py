"""Exports of MEXC: spot trades."""

from collections.abc import Iterator
from typing import Final

from afterword.pipeline.domain.documents.cells import cells_of, has_columns
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.layouts.layout import Item, Layout, Origin
from afterword.pipeline.domain.layouts.pairs import split_pair

_SPOT: Final = ("Pairs", "Time", "Side", "Filled Price", "Executed Amount", "Total", "Fee", "Role")

_VARIANTS: Final = {
    "Pairs": ("Paare",),
    "Time": ("Zeit",),
    "Side": ("Seite",),
    "Filled Price": ("Realisierter Preis",),
    "Executed Amount": ("Ausgeführter Betrag",),
    "Total": ("Gesamt",),
    "Fee": ("Gebühr",),
    "Role": ("Rolle",),
}
"""The German page writes the header in German, and the cells as the English one does.

Source: the header as a public program that reads the file compares it, whole.
"""


def _spot(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield fills; the fee names no currency and is in the quote, the zone is not said."""
    for row in cells_of(document, *_SPOT, variants=_VARIANTS):
        symbol = row.text("Pairs")
        pair = split_pair(symbol)
        if pair is None:
            raise row.refusal("Pairs", "a pair such as KAS_USDT")
        yield Fill(
            venue="mexc",
            account=origin.account,
            symbol=symbol,
            kind="spot",
            base=pair[0],
            quote=pair[1],
            side=row.side("Side", ("buy",), ("sell",)),
            px=row.positive("Filled Price"),
            sz=row.positive("Executed Amount"),
            time_ms=row.millis("Time", origin.zone_or_refuse(), "%Y-%m-%d %H:%M:%S"),
            fee=row.number_or_zero("Fee"),
            fee_token=pair[1],
            raw=row.raw(),
            line=row.line,
        )


LAYOUTS: Final = (
    Layout(
        "mexc-spot-trades",
        "mexc",
        "MEXC spot, trade history",
        _SPOT,
        has_columns(*_SPOT, variants=_VARIANTS),
        _spot,
    ),
)

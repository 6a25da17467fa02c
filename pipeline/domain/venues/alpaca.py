"""Account activities of Alpaca."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Final

from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.documents.records import Record, records_of
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.layouts.dates import oldest_first
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin
from afterword.pipeline.domain.layouts.markets import kind_of, quote_of
from afterword.pipeline.domain.layouts.options import PER_CONTRACT, contract_of

_REASONS: Final[Mapping[str, str]] = {"FEE": "fee of no fill", "DIV": "dividend"}


def _recognises(document: Document) -> bool:
    rows = document.content if document.form == "json" else None
    first = rows[0] if isinstance(rows, list) and rows else None
    return isinstance(first, dict) and "activity_type" in first


def _read(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield fills; fees are activities of a day, not of a fill, and so are left out."""
    return oldest_first(_activities(document, origin))


def _activities(document: Document, origin: Origin) -> Iterator[Item]:
    for row in records_of(f"{document.name}: activities", document.content):
        kind = row.text("activity_type")
        if kind == "FILL":
            yield _fill(row, origin)
        else:
            yield LeftOut(row.line, _REASONS.get(kind, f"activity {kind}"))


def _fill(row: Record, origin: Origin) -> Fill:
    contract = contract_of(row.text("symbol"))
    symbol = contract[0] if contract else row.text("symbol")
    kind = "option" if contract else kind_of(symbol)
    return Fill(
        venue="alpaca",
        account=origin.account,
        symbol=symbol,
        base=contract[1] if contract else None,
        kind=kind,
        side=row.side("side", ("buy",), ("sell", "sell_short")),
        px=row.price("price"),
        sz=row.positive("qty"),
        multiplier=PER_CONTRACT if contract else Decimal(1),
        quote="USD" if contract else quote_of(symbol),
        time_ms=row.millis("transaction_time"),
        oid=row.text("order_id") or None,
        tid=row.text("id") or None,
        effect="open" if row.text("side") == "sell_short" else None,
        raw=row.raw(),
        line=row.line,
    )


LAYOUTS: Final = (
    Layout("alpaca-activities", "alpaca", "Alpaca, account activities", (), _recognises, _read),
)

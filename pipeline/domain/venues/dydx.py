"""Exports of dYdX v4: the fills that its indexer hands out."""

from collections.abc import Iterator
from typing import Any, Final

from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.documents.records import Record, has_names, records_of
from afterword.pipeline.domain.fills.model import Fill, Liquidation
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin

_NAMES: Final = ("market", "marketType", "createdAt", "side", "price", "size")

_FORCED: Final = {"LIQUIDATED": "liquidation", "DELEVERAGED": "adl", "OFFSETTING": "adl"}


def _rows(document: Document) -> Any:
    content = document.content
    return content.get("fills") if isinstance(content, dict) else content


def _recognises(document: Document) -> bool:
    return document.form == "json" and has_names(_rows(document), *_NAMES)


def _fills(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield fills; the markets are perpetuals named like pairs, all is settled in USDC."""
    for row in records_of(f"{document.name}: fills", _rows(document)):
        if row.text("marketType") != "PERPETUAL":
            yield LeftOut(row.line, "spot market")
            continue
        yield _fill(row, origin)


def _fill(row: Record, origin: Origin) -> Fill:
    number, forced = row.text("subaccountNumber"), _FORCED.get(row.text("type"))
    return Fill(
        venue="dydx",
        account=origin.account_of("" if number in ("", "0") else number),
        symbol=row.text("market"),
        kind="perp",
        base=row.text("market").partition("-")[0],
        quote="USDC",
        side=row.side("side", ("buy",), ("sell",)),
        px=row.positive("price"),
        sz=row.positive("size"),
        time_ms=row.millis("createdAt"),
        fee=row.number_or_zero("fee"),
        fee_token="USDC",
        oid=row.text("orderId") or None,
        tid=row.text("id") or None,
        dir=row.text("type"),
        liquidation=Liquidation(None, forced) if forced else None,
        raw=row.raw(),
        line=row.line,
    )


LAYOUTS: Final = (
    Layout("dydx-fills", "dydx", "dYdX v4, fills of the indexer (JSON)", (), _recognises, _fills),
)

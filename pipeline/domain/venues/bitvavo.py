"""Exports of Bitvavo: the history of an account, with a zone in each row."""

from collections.abc import Iterator
from datetime import datetime, tzinfo
from functools import lru_cache
from typing import Final

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.documents.cells import Cells, cells_of, has_columns
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin
from afterword.pipeline.rules.tabular.moments import read_moment, read_zone

_HISTORY: Final = (
    "Timezone",
    "Date",
    "Time",
    "Type",
    "Currency",
    "Amount",
    "Quote Currency",
    "Quote Price",
    "Fee currency",
    "Fee amount",
    "Status",
    "Transaction ID",
)
_DONE: Final = ("completed", "distributed", "")

_known_zone: Final = lru_cache(maxsize=64)(read_zone)


def _history(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield purchases and sales; local times are placed by the zone of their row."""
    for row in cells_of(document, *_HISTORY):
        sort = row.text("Type").casefold()
        if sort not in ("buy", "sell"):
            known = ("deposit", "withdrawal", "staking", "affiliate", "rebate")
            yield LeftOut(row.line, sort if sort in known else "other row")
            continue
        if row.text("Status").casefold() not in _DONE:
            yield LeftOut(row.line, "unfinished trade")
            continue
        base, quote = row.text("Currency"), row.text("Quote Currency")
        sz = abs(row.number("Amount"))
        if not sz:
            raise row.refusal("Amount", "a number other than 0")
        yield Fill(
            venue="bitvavo",
            account=origin.account,
            symbol=f"{base}-{quote}",
            kind="spot",
            base=base,
            quote=quote,
            side=row.side("Type", ("buy",), ("sell",)),
            px=row.positive("Quote Price"),
            sz=sz,
            time_ms=to_micros(_moment(row)) // 1_000,
            fee=row.number_or_zero("Fee amount"),
            fee_token=row.text("Fee currency") or None,
            tid=row.text("Transaction ID") or None,
            raw=row.raw(),
            line=row.line,
        )


def _moment(row: Cells) -> datetime:
    zone: tzinfo | None = _known_zone(row.text("Timezone"))
    if zone is None:
        raise row.refusal("Timezone", "a zone such as Europe/Amsterdam")
    moment = read_moment(f"{row.text('Date')} {row.text('Time')}", "iso", zone)
    if moment is None:
        raise row.refusal("Time", "11:36:46.620 beside a date such as 2023-11-30")
    return moment


LAYOUTS: Final = (
    Layout(
        "bitvavo-history",
        "bitvavo",
        "Bitvavo, transaction history",
        _HISTORY,
        has_columns(*_HISTORY),
        _history,
    ),
)

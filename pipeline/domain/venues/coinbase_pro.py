"""Account statements of Coinbase Pro: the rows of a trade share its id."""

import re
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC
from decimal import Decimal
from typing import Final

from afterword.pipeline.domain.documents.cells import Cells, cells_of, has_columns
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin, line_of
from afterword.pipeline.domain.layouts.legs import BROKEN, LEG, Leg, exchange_of, raw_of
from afterword.pipeline.domain.layouts.transfers import Transfer, bounded

_COLUMNS: Final = (
    *("portfolio", "type", "time", "amount", "balance", "amount/balance unit"),
    *("transfer id", "trade id", "order id"),
)
_VARIANTS: Final = {"time": ("timestamp",)}
_COSTS: Final = ("fee", "rebate")
_REASONS: Final = {
    "deposit": "deposit",
    "withdrawal": "withdrawal",
    "conversion": "conversion of a dollar coin",
}
_SLOT: Final = re.compile(r"[^A-Za-z0-9_.-]+")
_ZERO: Final = Decimal(0)


def _read(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield the trades; what came and went without one is told to the next sale of its coin."""
    items: dict[str, list[Item]] = defaultdict(list)
    transfers: dict[str, list[Transfer]] = defaultdict(list)
    trades: dict[tuple[str, str, str], list[Cells]] = defaultdict(list)
    rows = cells_of(document, *_COLUMNS, variants=_VARIANTS)
    for row in rows:
        portfolio, sort = row.text("portfolio"), row.text("type").casefold()
        if sort == "match" or (sort in _COSTS and row.text("trade id")):
            if not row.text("trade id"):
                raise row.refusal("trade id", "the id of the trade")
            trades[portfolio, row.text("order id"), row.text("trade id")].append(row)
            continue
        items[portfolio].append(LeftOut(row.line, _REASONS.get(sort, "other row")))
        if sort in _REASONS:
            moved = Transfer(row.text("amount/balance unit"), row.number("amount"), _millis(row))
            transfers[portfolio].append(moved)
    for (portfolio, _, _), legs in trades.items():
        items[portfolio] += _trade(legs, origin)
    read = [bounded(of_one, transfers[portfolio]) for portfolio, of_one in items.items()]
    yield from sorted((item for of_one in read for item in of_one), key=line_of)


def _trade(rows: list[Cells], origin: Origin) -> Iterator[Item]:
    """Yield the trade of one id: what was given, what was received, and what it cost."""
    legs = [_leg(row) for row in rows]
    exchange = exchange_of(legs)
    if exchange is None:
        yield from (LeftOut(leg.line, BROKEN) for leg in legs)
        return
    first, portfolio = rows[0], rows[0].text("portfolio")
    slot = "" if portfolio == "default" else _SLOT.sub("-", portfolio).strip("-")
    yield Fill(
        venue="coinbase",
        account=origin.account_of(slot),
        symbol=f"{exchange.base}-{exchange.quote}",
        kind="spot",
        **exchange._asdict(),
        time_ms=_millis(first),
        oid=first.text("order id") or None,
        tid=first.text("trade id"),
        raw=raw_of(legs),
        line=first.line,
    )
    yield from (LeftOut(leg.line, LEG) for leg in legs[1:])


def _leg(row: Cells) -> Leg:
    coin, amount = row.text("amount/balance unit"), row.number("amount")
    if not coin:
        raise row.refusal("amount/balance unit", "the coin that moved")
    if row.text("type").casefold() in _COSTS:
        return Leg(row.line, coin, _ZERO, -amount, row.raw())
    return Leg(row.line, coin, amount, _ZERO, row.raw())


def _millis(row: Cells) -> int:
    return row.millis("time", UTC, "iso")


LAYOUTS: Final = (
    Layout(
        "coinbase-pro-account",
        "coinbase",
        "Coinbase Pro, account statement",
        _COLUMNS,
        has_columns(*_COLUMNS, variants=_VARIANTS),
        _read,
    ),
)

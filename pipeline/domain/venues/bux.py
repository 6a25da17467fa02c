"""Transactions of BUX: a purchase may be two rows, and its fee one more a moment later."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import tzinfo
from decimal import Decimal
from typing import Final, NamedTuple

from afterword.pipeline.domain.documents.cells import Cells, cells_of, has_columns
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.layouts.layout import (
    Item,
    Layout,
    LeftOut,
    Origin,
    ShareSplit,
    line_of,
)
from afterword.pipeline.domain.layouts.pairs import zone_in
from afterword.pipeline.rules.tabular.moments import read_zone

_COLUMNS: Final = (
    *("Transaction Time (*", "Transaction Category", "Transaction Type", "Transfer Type"),
    *("Transaction Amount", "Transaction Currency", "Asset Id", "Asset Name", "Asset Quantity"),
    *("Asset Price", "Asset Currency"),
)
_TIMES: Final = ("%Y-%m-%d %H:%M:%S.%f", "%Y-%m-%d %H:%M:%S")
_BESIDE_MS: Final = 1_000
"""How far a fee is from its trade; both are of one order."""


_MOST_ROWS: Final = 16
"""Trades of a share in one second among which that of a fee is looked for."""


class _Fee(NamedTuple):
    line: int
    asset: str
    time_ms: int
    amount: Decimal
    currency: str


def _read(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield trades; the file has all that moved, so that a trade without a fee cost none."""
    items: list[Item] = []
    fees: list[_Fee] = []
    for row in cells_of(document, *_COLUMNS):
        category, asset = row.text("Transaction Category").casefold(), row.text("Asset Id")
        if category == "trades":
            items.append(_fill(row, origin))
        elif category == "fees" and asset:
            paid, currency = -row.number("Transaction Amount"), row.text("Transaction Currency")
            fees.append(_Fee(row.line, asset, _millis(row, origin), paid, currency))
        elif category == "corporate_actions" and asset:
            at = _millis(row, origin)
            is_split = "split" in row.text("Transaction Description").casefold()
            split = ShareSplit(origin.account, asset, at) if is_split else None
            items.append(LeftOut(row.line, "share split" if split else "corporate action", split))
        else:
            items.append(LeftOut(row.line, category[:40] or "note"))
    yield from sorted(_with_fees(items, fees), key=line_of)


def _fill(row: Cells, origin: Origin) -> Fill:
    if not row.text("Asset Id"):
        raise row.refusal("Asset Id", "the ISIN of the share")
    return Fill(
        venue="bux",
        account=origin.account,
        symbol=row.text("Asset Id"),
        kind="stock",
        side=row.side("Transaction Type", ("buy trade",), ("sell trade",)),
        px=row.positive("Asset Price"),
        sz=row.positive("Asset Quantity"),
        quote=row.text("Asset Currency"),
        time_ms=_millis(row, origin),
        raw=row.raw(),
        line=row.line,
    )


def _with_fees(items: list[Item], fees: list[_Fee]) -> list[Item]:
    """Return the items with each fee at the first trade of its order."""
    places: dict[tuple[str, int], list[int]] = defaultdict(list)
    for place, item in enumerate(items):
        if isinstance(item, Fill):
            places[item.symbol, item.time_ms // _BESIDE_MS].append(place)
    for fee in fees:
        second = fee.time_ms // _BESIDE_MS
        near = [places[fee.asset, second + moved] for moved in (-1, 0, 1)]
        taking = [(row, at) for row in near for at in row[:_MOST_ROWS] if _takes(items[at], fee)]
        if not taking:
            items.append(LeftOut(fee.line, "fee without its trade"))
            continue
        row, at = taking[0]
        row.remove(at)
        fill = items[at]
        assert isinstance(fill, Fill)
        token = fee.currency if fee.currency != fill.quote else None
        items[at] = fill._replace(fee=fee.amount, fee_token=token)
        items.append(LeftOut(fee.line, "fee of a trade"))
    return items


def _takes(item: Item, fee: _Fee) -> bool:
    """Tell whether a trade is near enough to a fee to be of its order."""
    assert isinstance(item, Fill)
    return abs(item.time_ms - fee.time_ms) <= _BESIDE_MS


def _millis(row: Cells, origin: Origin) -> int:
    heading = row.heading("Transaction Time (*")
    return row.millis("Transaction Time (*", _zone(heading) or origin.zone_or_refuse(), *_TIMES)


def _zone(heading: str) -> tzinfo | None:
    """Return the zone in the name of a column: `Transaction Time (CET)`."""
    return zone_in(heading) or read_zone(heading.partition("(")[2].rstrip(") "))


LAYOUTS: Final = (
    Layout(
        "bux-transactions",
        "bux",
        "BUX, transactions",
        tuple(name.replace("(*", "(CET)") for name in _COLUMNS),
        has_columns(*_COLUMNS),
        _read,
    ),
)

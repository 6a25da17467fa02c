"""Exports of Hyperliquid: the fills of its API, and the trade history of its page."""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime, tzinfo
from typing import Any, Final, Literal

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.documents.cells import Cells, cells_of, has_columns
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.documents.records import Record, has_names, records_of
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin
from afterword.pipeline.domain.venues.hyperliquid_api import parse_fill, spot_quotes
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.tabular.moments import read_moment

API_NAMES: Final = ("coin", "px", "sz", "side", "time", "startPosition", "dir", "closedPnl")

_PAGE: Final = ("time", "coin", "dir", "px", "sz", "ntl", "fee", "closedPnl")

_INTEGERS: Final = ("time", "oid", "tid", "twapId")
_DATE: Final = re.compile(
    r"([0-9]{1,4})[./-]([0-9]{1,2})[./-]([0-9]{1,4})(?: - |, | )"
    r"([0-9]{1,2}):([0-9]{2}):([0-9]{2})(?: ([AaPp])\.?[Mm]\.?)?"
)
_SPOT_NAMES: Final = {"HYPE/USDC": "@107"}
"""Spot markets that the page names otherwise than the API.

Source: `spotMeta` of the venue's API, whose pair 107 is of the tokens 150 (HYPE) and 0 (USDC).
"""

_DIRECTIONS: Final[dict[str, tuple[Literal["B", "A"], Literal["open", "close"] | None]]] = {
    "open long": ("B", "open"),
    "close long": ("A", "close"),
    "open short": ("A", "open"),
    "close short": ("B", "close"),
    "long > short": ("A", None),
    "short > long": ("B", None),
    "buy": ("B", None),
    "sell": ("A", None),
}


def _lists(document: Document, origin: Origin) -> list[tuple[str, str, Any]]:
    """Return the lists of an answer of the API as (what messages call it, account, rows)."""
    content = document.content
    if isinstance(content, dict):
        return [
            (f"{document.name}: {slot}.fills", origin.account_of(slot), page.get("fills"))
            for slot, page in content.items()
            if isinstance(page, dict)
        ]
    return [(f"{document.name}: fills", origin.account, content)]


def _recognises_api(document: Document) -> bool:
    if document.form != "json":
        return False
    return any(has_names(rows, *API_NAMES) for _, _, rows in _lists(document, Origin("", "")))


def _api(document: Document, origin: Origin) -> Iterator[Item]:
    for field, account, rows in _lists(document, origin):
        if not isinstance(rows, list):
            raise InvalidInputError(field, "is not a list of fills", "a list of fills")
        quotes = spot_quotes(row for row in rows if isinstance(row, dict))
        for row in records_of(field, rows):
            yield api_fill(row, account, quotes)


def api_fill(row: Record, account: str, quotes: Mapping[str, str] | None = None) -> Fill:
    """Return the fill in a row of the API, also where a program wrote its numbers as text.

    Args:
        quotes: see `parse_fill`.

    Raises:
        InvalidInputError: it is none.
    """
    fields: dict[str, Any] = {"hash": "0x0", "crossed": True} | dict(row.fields)
    for name in _INTEGERS:
        text = fields.get(name)
        if isinstance(text, str) and text.isascii() and text.isdigit() and len(text) <= 19:
            fields[name] = int(text)
    try:
        return parse_fill(fields, account, row.raw, row.line, quotes)
    except InvalidInputError as error:
        place = f"{row.place}.{error.field}"
        raise InvalidInputError(place, error.problem, error.accepted) from None


def _page(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield the orders of the page; its profit is after the row's fee, ours is before it."""
    zone = origin.zone_or_refuse()
    order = _date_order(document, origin)
    for row in cells_of(document, *_PAGE):
        direction = _DIRECTIONS.get(row.text("dir").casefold())
        if direction is None:
            yield LeftOut(row.line, "other row")
            continue
        coin, px, fee = row.text("coin"), row.positive("px"), row.number("fee")
        base = coin.partition("/")[0]
        is_spot = "/" in coin or coin.startswith("@")
        net = row.number("closedPnl")
        # A purchase pays in the coin; its loss is then the worth of the fee, not the fee.
        in_coin = is_spot and direction[0] == "B" and bool(fee) and abs(net) != abs(fee)
        yield Fill(
            venue="hyperliquid",
            account=origin.account,
            symbol=_SPOT_NAMES.get(coin, coin),
            kind="spot" if is_spot else "perp",
            base=base.partition(":")[2] or base,
            quote="USDC",
            side=direction[0],
            px=px,
            sz=row.positive("sz"),
            time_ms=to_micros(_moment(row, order, zone)) // 1_000,
            fee=fee,
            fee_token=base if in_coin else "USDC",
            effect=direction[1],
            closed_pnl=net + (fee * px if in_coin else fee),
            dir=row.text("dir"),
            raw=row.raw(),
            line=row.line,
        )


_ORDERS: Final[Mapping[str, Literal["dmy", "mdy"]]] = {"dmy": "dmy", "mdy": "mdy"}


def _date_order(document: Document, origin: Origin) -> Literal["dmy", "mdy"]:
    """Return the order of the page's dates, which is that of the browser: a day above 12 tells.

    Raises:
        InvalidInputError: no row tells it and nobody said it, or two rows contradict.
    """
    seen: dict[Literal["dmy", "mdy"], int] = {}
    is_needed = False
    for row in cells_of(document, *_PAGE):
        date = _DATE.fullmatch(row.text("time"))
        if date is None or len(date[1]) == 4:
            continue
        is_needed = True
        if int(date[1]) > 12:
            seen.setdefault("dmy", row.line)
        if int(date[2]) > 12:
            seen.setdefault("mdy", row.line)
    stated = _ORDERS.get(origin.time_format or "")
    if len(seen) == 2 or (seen and stated and stated not in seen):
        lines = " and ".join(str(line) for line in seen.values())
        problem = f"has dates that contradict their order, see line {lines}"
        raise InvalidInputError(
            document.name, problem, "dates that all begin with the day or month"
        )
    order = stated or next(iter(seen), None)
    if order is None and is_needed:
        problem = "does not tell whether its dates begin with the day or the month"
        raise InvalidInputError(document.name, problem, "--time-format dmy or --time-format mdy")
    return order or "dmy"


def _moment(row: Cells, order: Literal["dmy", "mdy"], zone: tzinfo) -> datetime:
    date = _DATE.fullmatch(row.text("time"))
    if date is not None:
        one, two, three, hour, minute, second, half = date.groups()
        if len(one) == 4:
            year, month, day = one, two, three
        else:
            year, month, day = (three, two, one) if order == "dmy" else (three, one, two)
        hours = int(hour) if half is None else int(hour) % 12 + 12 * (half in "Pp")
        text = f"{year}-{month:0>2}-{day:0>2} {hours:02}:{minute}:{second}"
        moment = read_moment(text, "%Y-%m-%d %H:%M:%S", zone)
        if moment is not None:
            return moment
    raise row.refusal("time", "25/09/2025 - 13:33:06")


LAYOUTS: Final = (
    Layout(
        "hyperliquid-fills",
        "hyperliquid",
        "Hyperliquid, fills of the API (JSON)",
        (),
        _recognises_api,
        _api,
    ),
    Layout(
        "hyperliquid-page",
        "hyperliquid",
        "Hyperliquid, trade history of the page",
        _PAGE,
        has_columns(*_PAGE),
        _page,
    ),
)

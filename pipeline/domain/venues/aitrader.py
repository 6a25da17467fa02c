"""Position logs of AI-Trader: each action with the whole book after it, cash among it."""

import json
from collections.abc import Iterator, Mapping
from datetime import tzinfo
from decimal import Decimal
from typing import Any, Final

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.layouts.dates import new_york_unless_told
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin
from afterword.pipeline.domain.layouts.pairs import ratio
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.masking import shown
from afterword.pipeline.rules.tabular.moments import read_any
from afterword.pipeline.rules.tabular.numbers import read_number

_CASH: Final = "CASH"
_KEYS: Final = frozenset({"date", "id", "positions"})
_TIMES: Final = ("%Y-%m-%d", "%Y-%m-%d %H:%M:%S", "iso")
_NOISE: Final = Decimal("0.000001")
"""Cash is a binary fraction: digits behind this one are none of it."""

_CHINA: Final = (".SH", ".SZ")


def _recognises(document: Document) -> bool:
    rows = document.content
    is_list = document.form == "json" and isinstance(rows, list) and bool(rows)
    return (
        is_list and isinstance(rows[0], dict) and set(rows[0]) >= _KEYS and _CASH in _book(rows[0])
    )


def _read(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield trades; the price is what the cash changed by for each unit, with what it cost."""
    before: Mapping[str, Any] | None = None
    for line, row in enumerate(document.content, start=1):
        place = f"{document.name}: record {line}"
        if not isinstance(row, dict) or not set(row) >= _KEYS:
            raise InvalidInputError(place, "lacks date, id or positions", "a position log")
        action = row.get("this_action") or {}
        is_trade = action.get("action") in ("buy", "sell") and str(action.get("amount")) != "0"
        if before is not None and is_trade:
            yield _fill(place, line, row, before, origin)
        elif before is not None and _changed(before, _book(row)):
            yield LeftOut(line, "positions that change without a trade")
        else:
            yield LeftOut(line, "no trade")
        before = _book(row)


def _fill(
    place: str, line: int, row: Mapping[str, Any], before: Mapping[str, Any], origin: Origin
) -> Fill:
    action, book = row["this_action"], _book(row)
    symbol, is_buy = str(action.get("symbol")), action["action"] == "buy"
    units = _number(place, "amount", action.get("amount"))
    moved, paid = (
        _number(place, name, book.get(name, 0)) - _number(place, name, before.get(name, 0))
        for name in (symbol, _CASH)
    )
    worth = (-paid if is_buy else paid).quantize(_NOISE)
    if units <= 0 or moved != (units if is_buy else -units) or worth <= 0:
        problem = f"says {action['action']} {units} {shown(symbol)}, and its positions another"
        raise InvalidInputError(place, problem, "positions that the action leads to")
    if _changed(before, book) - {symbol, _CASH}:
        raise InvalidInputError(place, "moves several positions at once", "one for each action")
    return Fill(
        venue="ai-trader",
        account=origin.account,
        symbol=symbol,
        kind="stock",
        side="B" if is_buy else "A",
        px=ratio(worth, units),
        sz=units,
        quote="CNY" if symbol.endswith(_CHINA) else "USD",
        time_ms=_millis(place, str(row["date"]), new_york_unless_told(origin)),
        is_day=":" not in str(row["date"]),
        fee_is_known=False,
        oid=str(row["id"]),
        raw=json.dumps({name: value for name, value in row.items() if name != "positions"}),
        line=line,
    )


def _book(row: Mapping[str, Any]) -> Mapping[str, Any]:
    book = row.get("positions")
    return book if isinstance(book, dict) else {}


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> set[str]:
    """Return the positions that differ; one that a book does not name is 0."""
    return {
        name for name in {*before, *after} if str(before.get(name, 0)) != str(after.get(name, 0))
    }


def _number(place: str, name: str, value: Any) -> Decimal:
    number = read_number(str(value))
    if number is None:
        raise InvalidInputError(
            f"{place}, {shown(name, 40)}", f"is {shown(str(value), 40)}", "a number"
        )
    return number


def _millis(place: str, text: str, zone: tzinfo) -> int:
    moment = read_any(text, _TIMES, zone)
    if moment is None:
        raise InvalidInputError(
            f"{place}, date", f"is {shown(text, 40)}", "2026-03-31 or with a time"
        )
    return to_micros(moment) // 1_000


LAYOUTS: Final = (
    Layout(
        "aitrader-positions",
        "ai-trader",
        "AI-Trader, position log (JSON Lines)",
        (),
        _recognises,
        _read,
    ),
)

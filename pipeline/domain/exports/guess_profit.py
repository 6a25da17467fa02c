"""Whether the profits of a table of closed trades are before or after what trading cost."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final, NamedTuple

from afterword.pipeline.domain.exports.money import amount_of
from afterword.pipeline.domain.exports.side_words import LONG_WORDS, SHORT_WORDS
from afterword.pipeline.rules.tabular.numbers import mark_of, read_number

_CENT: Final = Decimal("0.01")
_FEWEST: Final = 3
"""Trades that must agree: two always do."""


class ClosedRow(NamedTuple):
    """A closed trade of a table.

    Args:
        move: of the price in favour of the position, times the quantity.
        size: quantity, positive.
        profit: as the file states it.
        fee: as the file states it, positive; None if it does not.
    """

    move: Decimal
    size: Decimal
    profit: Decimal
    fee: Decimal | None


def place_profit(places: dict[str, list[int]], rows: list[list[str]]) -> None:
    """Call a profit net where it lacks a cost; fees that are only a part of it are not known.

    Args:
        places: of the columns by key; changed.
        rows: of the table, as cells.
    """
    if "net" in places or not {"direction", "qty", "entry", "exit", "pnl"} <= set(places):
        return
    trades = [trade for row in rows if (trade := _closed_row(places, row)) is not None]
    cost = cost_in_profit(trades)
    if cost is None:
        return
    places["net"] = places.pop("pnl")
    if any(trade.fee is None or abs(trade.fee - cost * trade.size) > _CENT for trade in trades):
        places.pop("fee", None)


def cost_in_profit(rows: Sequence[ClosedRow]) -> Decimal | None:
    """Return what each unit of these trades cost, where their profits are after costs.

    Two trades of other moves give the units of one contract; what is missing from the profit that
    the prices give must then be the same for every unit of every trade, to the cent.

    Returns:
        None where the profits are before costs, or the rows do not say.
    """
    if len(rows) < _FEWEST:
        return None
    low = min(rows, key=lambda row: row.move / row.size)
    high = max(rows, key=lambda row: row.move / row.size)
    apart = high.move / high.size - low.move / low.size
    if not apart:
        return None
    units = (high.profit / high.size - low.profit / low.size) / apart
    cost = units * low.move / low.size - low.profit / low.size
    if units <= 0 or cost <= _CENT:
        return None
    fits = all(
        abs(units * row.move - cost * row.size - row.profit) <= _CENT * max(row.size, Decimal(1))
        for row in rows
    )
    return cost if fits else None


def _closed_row(places: dict[str, list[int]], row: list[str]) -> ClosedRow | None:
    """Return what a row says of its profit; None where it does not say it all."""
    mark = mark_of([[amount_of(cell).number for cell in row]]) or "."

    def number(key: str) -> Decimal | None:
        at = places[key][0]
        return read_number(amount_of(row[at]).number, mark) if at < len(row) else None

    size, entry, leave, profit = (number(key) for key in ("qty", "entry", "exit", "pnl"))
    word = row[places["direction"][0]].strip().lower() if places["direction"][0] < len(row) else ""
    if not size or entry is None or leave is None or profit is None:
        return None
    if word not in (*LONG_WORDS, *SHORT_WORDS):
        return None
    move = (leave - entry) * (1 if word in LONG_WORDS else -1)
    fee = number("fee") if len(places.get("fee", ())) == 1 else None
    return ClosedRow(move * abs(size), abs(size), profit, None if fee is None else abs(fee))

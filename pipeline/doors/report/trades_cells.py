"""Cuts of trades as tables: numbers, a picture of the interval, and links to their trades."""

from collections.abc import Callable, Mapping, Sequence
from datetime import tzinfo
from itertools import groupby
from typing import Final

from afterword.pipeline.domain.trades.model import Cell, Mistake, TripOutcome
from afterword.pipeline.domain.trades.text import cell_name
from afterword.pipeline.doors.render.markup import Html, element, join
from afterword.pipeline.doors.render.page import code, remark
from afterword.pipeline.doors.render.table import ReportCell, RowGroup, grouped_table
from afterword.pipeline.doors.report.trades_charts import difference_bar
from afterword.pipeline.views.numbers import count, money
from afterword.pipeline.views.trades_words import (
    CELL_COLUMNS,
    LOOKED_AT,
    attribute_words,
    cell_numbers,
    in_order,
    is_cut,
    trip_day,
)

MAX_LINKS: Final = 60
"""Trades that a line links to."""

_IN_PICTURE: Final = 0.9
"""Share of the intervals that lie wholly inside their pictures, at least."""

Lead = Callable[[str], str]
"""Returns the command that lists the trades of a cell, such as `hour=14`; of all for an empty
one."""


class Links:
    """Finds the anchors of the trades of a line."""

    def __init__(self, shown: Sequence[TripOutcome], lead: Lead, zone: tzinfo) -> None:
        self._lead, self._zone = lead, zone
        self._shown = {one.trip.trip_uid: one for one in shown}

    def of_cell(self, one: Cell) -> Html:
        """Return the number of a cell's trades, which opens their list."""
        return self._of(one.trip_uids, f"{len(one.trip_uids):,}", f"{one.attribute}={one.value}")

    def of_mistake(self, one: Mistake) -> Html:
        """Return the number of a mistake's trades, which opens their list."""
        return self._of(one.trip_uids, count(len(one.trip_uids), "trade"), f"mistake={one.rule}")

    def _of(self, uids: Sequence[str], number: str, cell: str) -> Html:
        newest = [uid for uid in reversed(uids) if uid in self._shown][:MAX_LINKS]
        listed = [join(self._link(uid), " ") for uid in newest]
        if len(newest) < len(uids):
            listed.append(join("all: ", code(self._lead(cell))))
        return element(
            *("details", element("summary", number), element("div", *listed, class_="list"))
        )

    def _link(self, uid: str) -> Html:
        trip = self._shown[uid].trip
        net = money(trip.net, trip.quote, is_named=False)
        words = f"{trip_day(trip, self._zone)} {trip.symbol} {net}"
        return element("a", words, href=f"#t-{uid}")


def named_table(named: Sequence[Cell], links: Links) -> Html:
    """Return the numbers of the cells that are named."""
    return _table({"": named}, links) if named else Html("")


def looked_at_parts(cells: Sequence[Cell], links: Links) -> list[Html]:
    """Return all other cells by what the trades are cut by, those that were tested first."""
    shown = in_order(filter(is_cut, cells))
    if not shown:
        return []
    groups: dict[str, Sequence[Cell]] = {}
    for attribute, group in groupby(shown, key=lambda one: one.attribute):
        lines = list(group)
        tested = any(one.is_tested for one in lines)
        heading = attribute_words(attribute)
        groups[heading if tested else f"{heading}: described, not tested"] = lines
    return [
        remark(
            f"{LOOKED_AT} In the picture the dot is the difference from all others, the thick line "
            "its 95 % interval, the upright line zero. Of many lines some leave out zero by luck."
        ),
        _table(groups, links),
    ]


def _table(groups: Mapping[str, Sequence[Cell]], links: Links) -> Html:
    most = _most([one for lines in groups.values() for one in lines])
    reach = f"{most:.1f}"
    which, *numbers = CELL_COLUMNS
    columns = [which, f"−{reach} to +{reach}", *numbers]
    rows = [
        RowGroup(heading, [_row(one, links, most) for one in lines])
        for heading, lines in groups.items()
    ]
    return grouped_table("Cuts of the trades", columns, rows)


def _row(one: Cell, links: Links, most: float) -> list[ReportCell]:
    _trips, *numbers = cell_numbers(one)
    picture = ""
    if most and None not in (one.difference, one.low, one.high):
        picture = difference_bar(one.difference or 0.0, one.low or 0.0, one.high or 0.0, most)
    return [cell_name(one.attribute, one.value), picture, links.of_cell(one), *numbers]


def _most(lines: Sequence[Cell]) -> float:
    """Return how far from zero the pictures reach: a few wide intervals must not hide the rest."""
    ends = sorted(
        max(abs(one.low), abs(one.high))
        for one in lines
        if one.low is not None and one.high is not None
    )
    return ends[min(len(ends) - 1, int(len(ends) * _IN_PICTURE))] if ends else 0.0

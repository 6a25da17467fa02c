"""Parts of the trades of a report, each held against all others: what is named, what is not."""

import shlex
from collections.abc import Sequence
from itertools import groupby
from typing import Final

from afterword.pipeline.domain.trades.model import Cell as TradesCell
from afterword.pipeline.domain.trades.model import Unit
from afterword.pipeline.domain.trades.text import cell_name
from afterword.pipeline.rules.text.numbers import signed, signed_dollars
from afterword.pipeline.views.blocks import (
    Block,
    Detail,
    Groups,
    Paragraph,
    Section,
    Table,
    TextOnly,
)
from afterword.pipeline.views.cells import Cell, SignedInterval
from afterword.pipeline.views.numbers import NONE, signed_percent
from afterword.pipeline.views.trades.learn_trades import TradesTable
from afterword.pipeline.views.trades.words import attribute_words, in_order, is_cut

MAX_CELLS: Final = 20
"""Lines of the list of the text; the page and --json have all of them."""

_COLUMNS: Final = (
    *("trips", "separate", "mean", "median", "than others", "95 %", "market aside", "net"),
)
_SPARE: Final = ("market aside", "median", "separate", "95 %")

_LOOKED_AT: Final = (
    "One line for each part of your trades, held against all the others. Numbers only: none of "
    "these differences is told apart from luck."
)
"""What the list of cells is, to one who reads it for the first time."""

_SHORT_UNITS: Final[dict[Unit, str]] = {"hourly_move": "moves", "own_result": "results"}
"""Units of a difference, in a table."""

_IN_PICTURE: Final = 0.9
"""Share of the intervals that lie wholly inside their pictures, at least."""


def listed_cells(cells: Sequence[TradesCell]) -> list[TradesCell]:
    """Return the cells of the list of the text: the tested ones with the most trips."""
    tested = [one for one in cells if one.is_tested and is_cut(one)]
    return in_order(sorted(tested, key=lambda one: -one.trips)[:MAX_CELLS])


def cell_key(cell: TradesCell) -> str:
    """Return a cell as `--cell` takes it: `hour=14`."""
    return f"{cell.attribute}={cell.value}"


def named_blocks(named: Sequence[TradesCell], trades: TradesTable) -> list[Block]:
    """Return the numbers of the cells that are named; sentences say them, too."""
    return [Detail("", [_groups({"": named}, _reach(named), trades)])] if named else []


def looked_at_section(cells: Sequence[TradesCell], trades: TradesTable) -> Section:
    """Return all other cells: a text lists some, a page all by what the trades are cut by."""
    shown, listed = in_order(filter(is_cut, cells)), listed_cells(cells)
    lines, groups = _list(listed, len(shown) - len(listed)), _all(shown, trades)
    return Section(
        "Looked at, not told apart from chance",
        [TextOnly(lines), Detail("", groups)] if shown else [],
        place="looked-at",
    )


def cell_numbers(cell: TradesCell, reach: float) -> list[Cell]:
    """Return a cell as numbers without adjectives, below the columns after `trips`.

    Args:
        reach: up to where pictures of differences go.
    """
    between: Cell = NONE
    difference = NONE
    if cell.difference is not None:
        difference = f"{signed(cell.difference)} {_SHORT_UNITS[cell.unit]}"
        if cell.low is not None and cell.high is not None:
            between = SignedInterval(cell.low, cell.difference, cell.high, reach)
    return [
        cell.n_eff,
        signed_percent(cell.mean, 2),
        signed_percent(cell.median, 2),
        difference,
        between,
        signed_percent(cell.beyond_market, 2),
        NONE if cell.net_micro_usd is None else signed_dollars(cell.net_micro_usd),
    ]


def _list(listed: Sequence[TradesCell], rest: int) -> list[Block]:
    """Return cells under their names for `--cell`; nothing without one.

    Args:
        rest: how many are not listed; count.
    """
    if not listed:
        return []
    reach = _reach(listed)
    rows = [[shlex.quote(cell_key(one)), one.trips, *cell_numbers(one, reach)] for one in listed]
    more = f"{rest:,} more lines, of fewer trades or only described, are in --html and --json."
    return [
        Paragraph(_LOOKED_AT),
        Table(("--cell", *_COLUMNS), rows, spare=_SPARE),
        *([Paragraph(more)] if rest else []),
    ]


def _all(shown: Sequence[TradesCell], trades: TradesTable) -> list[Block]:
    """Return cells by what they cut by, those that were tested first.

    Args:
        shown: in their order.
    """
    groups: dict[str, Sequence[TradesCell]] = {}
    for attribute, group in groupby(shown, key=lambda one: one.attribute):
        lines = list(group)
        tested = any(one.is_tested for one in lines)
        heading = attribute_words(attribute)
        groups[heading if tested else f"{heading}: described, not tested"] = lines
    reach = _reach(shown)
    lead = (
        f"{_LOOKED_AT} In the picture the dot is the difference from all others, the thick line "
        f"its 95 % interval, the upright line zero; its ends are −{reach:.1f} and +{reach:.1f}. Of "
        "many lines some leave out zero by luck."
    )
    return [Paragraph(lead, "quiet"), _groups(groups, reach, trades)]


def _groups(groups: dict[str, Sequence[TradesCell]], reach: float, trades: TradesTable) -> Groups:
    rows = {
        heading: [
            [
                cell_name(cell.attribute, cell.value),
                trades.links(cell.trip_uids, cell_key(cell)),
                *cell_numbers(cell, reach),
            ]
            for cell in cells
        ]
        for heading, cells in groups.items()
    }
    return Groups("Cuts of the trades", ("which trades", *_COLUMNS), rows)


def _reach(cells: Sequence[TradesCell]) -> float:
    """Return how far from zero the pictures reach: a few wide intervals must not hide the rest."""
    ends = sorted(
        max(abs(cell.low), abs(cell.high))
        for cell in cells
        if cell.low is not None and cell.high is not None
    )
    return ends[min(len(ends) - 1, int(len(ends) * _IN_PICTURE))] if ends else 0.0

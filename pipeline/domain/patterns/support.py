"""Decisions whose lessons the record of their cell contradicts: at their own place, or at a later
one.

The record is read after each decision, by entry, as if all stretches ended there. So a lesson ends
the same way whether its role was weighed after every decision or once after all of them.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from afterword.pipeline.domain.patterns.cells import CellKey, base_of, contradicts_lessons
from afterword.pipeline.domain.patterns.family import vote_of
from afterword.pipeline.domain.patterns.rows import OutcomeRow
from afterword.pipeline.rules.evidence.model import SETUPS, Setup, Vote
from afterword.pipeline.rules.evidence.stretches import StretchBook
from afterword.pipeline.rules.evidence.totals import SetupTotals

_NUMBERS: Final[dict[Setup, int]] = {setup: number for number, setup in enumerate(SETUPS)}


def contradicted(outcomes: Sequence[OutcomeRow]) -> frozenset[int]:
    """Return the decisions in cells that did at least as well as without skill, then or later.

    Args:
        outcomes: by entry.
    """
    classes: defaultdict[str, _ClassCells] = defaultdict(_ClassCells)
    neutral: defaultdict[CellKey, _NeutralCell] = defaultdict(_NeutralCell)
    keys = [CellKey(row.asset_class, row.direction, row.trend) for row in outcomes]
    last: dict[CellKey, int] = {}
    for place, (key, row) in enumerate(zip(keys, outcomes, strict=True)):
        vote = vote_of(row)
        if row.direction == "neutral":
            counts = neutral[key].add(row)
        elif vote is not None:
            counts = classes[row.asset_class].add(vote)
        else:
            continue
        if contradicts_lessons(*counts):
            last[key] = place
    return frozenset(
        row.subject_id
        for place, (key, row) in enumerate(zip(keys, outcomes, strict=True))
        if place <= last.get(key, -1)
    )


class _ClassCells:
    """The six cells of a class of assets that have a hypothesis."""

    def __init__(self) -> None:
        self._book = StretchBook()
        self._totals = tuple(SetupTotals(setup) for setup in SETUPS)

    def add(self, vote: Vote) -> tuple[int, float, float]:
        """Take a decision in, and return the counts of its cell; see `SetupTotals.with_open`."""
        for group in self._book.closed(vote.entry_at):
            self._totals[group.setup].add(group)
        self._book.add(vote)
        number = _NUMBERS[vote.setup]
        return self._totals[number].with_open(self._book.open_of(number))


class _NeutralCell:
    """The neutral calls of one cell; those of a stretch are averaged into one vote."""

    def __init__(self) -> None:
        self._ended = (0, 0.0, 0.0)
        self._exit_at = -(1 << 63)
        self._hits: list[bool] = []
        self._bases: list[float] = []

    def add(self, row: OutcomeRow) -> tuple[int, float, float]:
        """Take a call in, and return the counts of its cell: stretches, hits, those by luck."""
        if row.entry_at >= self._exit_at:
            self._ended, self._exit_at = self._now(), row.exit_at
            self._hits, self._bases = [], []
        if row.window_verdict != "noise":
            self._hits.append(row.window_verdict == "right")
            self._bases.append(base_of(row))
        return self._now()

    def _now(self) -> tuple[int, float, float]:
        n_eff, hits, expected = self._ended
        count = len(self._hits)
        if not count:
            return self._ended
        return n_eff + 1, hits + sum(self._hits) / count, expected + sum(self._bases) / count

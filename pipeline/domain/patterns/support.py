"""Decisions whose lessons the record of their cell contradicts: at their own place, or at a later
one.

The record is read after each decision, by entry, as if all stretches ended there. So a lesson ends
the same way whether its role was weighed after every decision or once after all of them.
"""

from collections import defaultdict
from collections.abc import Sequence

from afterword.pipeline.domain.patterns.cells import CellKey, base_of, contradicts_lessons
from afterword.pipeline.domain.patterns.family import vote_of
from afterword.pipeline.domain.patterns.rows import OutcomeRow
from afterword.pipeline.rules.evidence.model import SETUPS, Vote
from afterword.pipeline.rules.evidence.stretches import NEVER_US, SETUP_NUMBERS, StretchBook
from afterword.pipeline.rules.evidence.totals import SetupTotals


def contradicted(outcomes: Sequence[OutcomeRow]) -> frozenset[int]:
    """Return the decisions in cells that did at least as well as without skill, then or later.

    Args:
        outcomes: by entry.
    """
    record = ContradictedRecord()
    for row in outcomes:
        record.add(row)
    return frozenset(record.found)


class ContradictedRecord:
    """The decisions of a role that `contradicted` returns, kept up to date with every outcome.

    Attributes:
        found: their ids.
    """

    def __init__(self) -> None:
        self.found: set[int] = set()
        self._waiting: defaultdict[CellKey, list[int]] = defaultdict(list)
        self._classes: defaultdict[str, _ClassCells] = defaultdict(_ClassCells)
        self._neutral: defaultdict[CellKey, _NeutralCell] = defaultdict(_NeutralCell)

    def add(self, row: OutcomeRow) -> None:
        """Take an outcome in; not earlier than the last one, by entry."""
        key, vote = CellKey(row.asset_class, row.direction, row.trend), vote_of(row)
        if row.direction == "neutral":
            counts = self._neutral[key].add(row)
        elif vote is not None:
            counts = self._classes[row.asset_class].add(vote)
        else:
            return
        waiting = self._waiting[key]
        waiting.append(row.subject_id)
        if contradicts_lessons(*counts):
            self.found.update(waiting)
            waiting.clear()

    def copy(self) -> "ContradictedRecord":
        """Return a record that stands where this one does, and goes on by itself."""
        made = ContradictedRecord()
        made.found = self.found.copy()
        made._waiting.update((key, ids.copy()) for key, ids in self._waiting.items())
        made._classes.update((key, cells.copy()) for key, cells in self._classes.items())
        made._neutral.update((key, cell.copy()) for key, cell in self._neutral.items())
        return made


class _ClassCells:
    """The six cells of a class of assets that have a hypothesis."""

    def __init__(self) -> None:
        self._book = StretchBook()
        self._totals = tuple(SetupTotals(setup) for setup in SETUPS)

    def copy(self) -> "_ClassCells":
        """Return equal cells that go on by themselves."""
        made = _ClassCells()
        made._book = self._book.copy()
        made._totals = tuple(totals.copy() for totals in self._totals)
        return made

    def add(self, vote: Vote) -> tuple[int, float, float]:
        """Take a decision in, and return the counts of its cell; see `SetupTotals.with_open`."""
        for group in self._book.closed(vote.entry_at):
            self._totals[group.setup].add(group)
        self._book.add(vote)
        number = SETUP_NUMBERS[vote.setup]
        return self._totals[number].with_open(self._book.open_of(number))


class _NeutralCell:
    """The neutral calls of one cell; those of a stretch are averaged into one vote."""

    def __init__(self) -> None:
        self._ended = (0, 0.0, 0.0)
        self._exit_at = -NEVER_US
        self._hits: list[bool] = []
        self._bases: list[float] = []

    def copy(self) -> "_NeutralCell":
        """Return an equal cell that goes on by itself."""
        made = _NeutralCell()
        made._ended, made._exit_at = self._ended, self._exit_at
        made._hits, made._bases = self._hits.copy(), self._bases.copy()
        return made

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

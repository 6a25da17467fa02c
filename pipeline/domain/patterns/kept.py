"""Weigh roles pass after pass, and read only what is new: for a replay.

The drafts are those of `weighing_of`. It serves one file, in which decisions are only added, and by
this process alone: what was read stays as it was, since none of its decisions is corrected.
"""

from collections.abc import Sequence
from operator import itemgetter
from typing import Final, Generic, NamedTuple, Protocol, Self, TypeVar

from sqlalchemy import Connection

from afterword.pipeline.domain.patterns import form_rows, rows
from afterword.pipeline.domain.patterns.family import FamilyRecords
from afterword.pipeline.domain.patterns.rows import OutcomeRow
from afterword.pipeline.domain.patterns.support import ContradictedRecord
from afterword.pipeline.domain.patterns.weigh import Weighing, drafts_of, stored_form

KEPT_ROWS: Final = 500
"""Rows that a late one may come behind; count. One behind more costs a read of its whole role."""

_FIRST: Final = -(1 << 63)
"""Before any moment; microseconds."""


class KeptNews:
    """Reads the news of roles; a `ReadNews` that keeps what it has read between the calls."""

    def __init__(self) -> None:
        self._roles: dict[tuple[str, int, float], _RoleNews] = {}

    def __call__(
        self, conn: Connection, role_id: str, window_hours: int, level: float
    ) -> Weighing | None:
        """Return what the outcomes of a role show now; None without news since the last time."""
        key = role_id, window_hours, level
        role = self._roles.get(key)
        if role is None:
            role = self._roles[key] = _RoleNews(*key)
        return role.read(conn)


class _RowRecord(Protocol):
    """A record that is fed row by row, by entry."""

    def add(self, row: OutcomeRow) -> None: ...

    def copy(self) -> Self: ...


_Record = TypeVar("_Record", bound=_RowRecord)


class _Place(NamedTuple):
    """The place of an outcome among those of its role."""

    entry_at: int
    subject_id: int


class OrderedFeed(Generic[_Record]):
    """Feeds a record by entry, although some outcomes come late.

    It keeps a copy of the record from some rows ago, and these rows; it feeds them to the copy
    again when one comes late.

    Attributes:
        record: fed with all rows so far.
    """

    def __init__(self, record: _Record) -> None:
        self.record = record
        self._before, self._before_at = record.copy(), _Place(_FIRST, 0)
        self._since: list[tuple[_Place, OutcomeRow]] = []

    def take(self, new: Sequence[OutcomeRow]) -> bool:
        """Feed rows, sorted by entry; False if one belongs to before the copy: feed all anew."""
        placed = [(_Place(row.entry_at, row.subject_id), row) for row in new]
        if placed and placed[0][0] < self._before_at:
            return False
        since = self._since
        if placed and since and placed[0][0] < since[-1][0]:
            since += placed
            since.sort(key=itemgetter(0))
            self.record = self._before.copy()
            placed = since
        else:
            since += placed
        for _, row in placed:
            self.record.add(row)
        if len(since) > 2 * KEPT_ROWS:
            for _, row in since[:-KEPT_ROWS]:
                self._before.add(row)
            self._before_at = since[-KEPT_ROWS - 1][0]
            del since[:-KEPT_ROWS]
        return True


class _RoleNews:
    """What is known of one role; see `rows.seen` for what is counted."""

    def __init__(self, role_id: str, window_hours: int, level: float) -> None:
        self._role_id, self._window_hours, self._level = role_id, window_hours, level
        self._newest = self._measured = self._last_outcome = self._voteless = 0
        self._families = OrderedFeed(FamilyRecords(level))
        self._contradicted: OrderedFeed[ContradictedRecord] | None = None
        self._lessons = self._last_lesson = self._lessons_then = 0
        self._open_lessons: set[int] = set()

    def read(self, conn: Connection) -> Weighing | None:
        """Take in what is new, and return what all of it shows; None without news."""
        self._read_outcomes(conn)
        self._read_lessons(conn)
        weighed = rows.weighed(conn, self._role_id)
        seen = (
            *(self._measured, self._last_outcome, self._voteless),
            *(self._lessons, self._last_lesson, form_rows.count_current(conn, self._role_id)),
        )
        if weighed == stored_form(seen, self._window_hours, self._level):
            return None
        families = self._families.record.closed()
        drafts = drafts_of(self._role_id, families, self._window_hours, self._level)
        wrong = self._wrong_lessons(conn)
        self._open_lessons -= wrong
        way = self._role_id, self._window_hours, self._level
        return Weighing(*way, weighed, seen, tuple(drafts), wrong)

    def _read_outcomes(self, conn: Connection) -> None:
        newest, last = rows.newest(conn), self._newest
        self._newest = newest
        if newest == last:
            return
        new = rows.new_counted(conn, self._role_id, self._window_hours, last)
        if not new:
            return
        self._measured += len(new)
        self._voteless += sum(not counts for counts, _ in new)
        self._last_outcome = max(row.id for _, row in new)
        counting = [row for counts, row in new if counts]
        contradicted = self._contradicted
        is_fed = self._families.take(counting)
        if not is_fed or not (contradicted is None or contradicted.take(counting)):
            self._read_anew(conn)

    def _read_anew(self, conn: Connection) -> None:
        way = self._role_id, self._window_hours
        self._measured, self._last_outcome, self._voteless, *_ = rows.seen(conn, *way)
        self._families = OrderedFeed(FamilyRecords(self._level))
        self._families.take(rows.votes(conn, *way))
        self._contradicted = None

    def _read_lessons(self, conn: Connection) -> None:
        """Count the lessons: those of the last moment again, since more of that may have come."""
        lessons = rows.lessons_since(conn, self._role_id, self._last_lesson)
        if not lessons:
            return
        last = lessons[-1][0]
        before = self._lessons - self._lessons_then
        self._lessons = before + len(lessons)
        self._lessons_then = sum(at == last for at, _, _ in lessons)
        self._last_lesson = last
        self._open_lessons.update(row_id for _, row_id, may_end in lessons if may_end)

    def _wrong_lessons(self, conn: Connection) -> frozenset[int]:
        """Return the decisions whose lesson their cell does not support."""
        if not self._open_lessons:
            return frozenset()
        if self._contradicted is None:
            self._contradicted = OrderedFeed(ContradictedRecord())
            self._contradicted.take(rows.votes(conn, self._role_id, self._window_hours))
        return frozenset(self._open_lessons & self._contradicted.record.found)

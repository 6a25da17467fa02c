"""The rows before and after each memory in its session, cached in this process.

Ids never change and rows are only added, so the cache is read once and extended from then on.
"""

import threading
from dataclasses import dataclass, replace
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, text

from afterword.pipeline.core.store import Store
from afterword.pipeline.recall.search.ids import Ids, read_ids

Flags = NDArray[np.bool_]
Links = NDArray[np.intp]

LONG_CHARS: Final = 2_000
"""Characters of the longest typed entry (R4); a longer row is a document."""

_ASKS: Final = "instr(content, '?') > 0 OR instr(content, '？') > 0"
_NOW: Final = text("""
SELECT coalesce((SELECT max(id) FROM memories), 0),
  coalesce((SELECT max(id) FROM memory_purges), 0) + coalesce((SELECT max(id) FROM erasures), 0),
  (SELECT uid FROM memories WHERE id = :last)
""")
_SESSIONS: Final = text("""
SELECT session_id, group_concat(id) FROM memories WHERE session_id IS NOT NULL GROUP BY session_id
""")
_ALL: Final = text("SELECT group_concat(id) FROM memories INDEXED BY memories_known")
_QUESTIONS: Final = text(f"SELECT group_concat(id) FROM memories WHERE {_ASKS}")
# Named, because the planner would rather read every row than sort a few by id.
_LONG: Final = text(f"""
SELECT id, length(content) FROM memories INDEXED BY memories_long
WHERE length(content) > {LONG_CHARS} ORDER BY id
""")
_SINCE: Final = text(f"""
SELECT id, session_id, {_ASKS}, length(content) FROM memories WHERE id > :last ORDER BY id
""")


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """The neighbours of every memory up to the largest id; arrays are by id, 0 stands for none.

    Args:
        sessions: how many there are.
        exists: whether there is a row of this id, (top + 1,).
        session: a number for its session, 0 for none, (top + 1,).
        before: the id of the row before it in its session, 0 for none, (top + 1,).
        after: the id of the row after it, likewise.
        asks: whether the row asks something, (top + 1,).
        long: ids of the rows longer than `LONG_CHARS`, ascending.
        lengths: their lengths, characters.
    """

    sessions: int
    exists: Flags
    session: Links
    before: Links
    after: Links
    asks: Flags
    long: Ids
    lengths: Ids

    @property
    def top(self) -> int:
        """Return the largest id."""
        return len(self.exists) - 1

    def up_to(self, top: int) -> "Neighbours":
        """Return the neighbours as a transaction with the largest id `top` sees them."""
        if top >= self.top:
            return self
        known = np.searchsorted(self.long, top, "right")
        after = self.after[: top + 1]
        return Neighbours(
            self.sessions,
            self.exists[: top + 1],
            self.session[: top + 1],
            self.before[: top + 1],
            np.where(after <= top, after, 0),
            self.asks[: top + 1],
            self.long[:known],
            self.lengths[:known],
        )


_FLAG, _LINK, _NO_ID = np.zeros(1, np.bool_), np.zeros(1, np.intp), np.empty(0, np.int64)
_NONE: Final = Neighbours(0, _FLAG, _LINK, _LINK, _LINK, _FLAG, _NO_ID, _NO_ID)


def neighbours_of(store: Store, conn: Connection) -> Neighbours:
    """Return the neighbours of all rows this transaction sees."""
    with _opening:
        cache = _caches.setdefault(store, _Cache())
    return cache.current(conn)


class _Cache:
    """The neighbours of one store; threads take turns to extend them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._neighbours = _NONE
        self._sessions: dict[str, tuple[int, int]] = {}
        self._seen: tuple[str | None, int] = (None, 0)

    def current(self, conn: Connection) -> Neighbours:
        with self._lock:
            top, removals, uid = conn.execute(_NOW, {"last": self._neighbours.top}).one()
            if removals != self._seen[1] or (uid != self._seen[0] and self._neighbours.top <= top):
                self._neighbours = _NONE  # rows were removed for good, or the file is another one
            if self._neighbours.top < top:
                if self._neighbours is _NONE:
                    self._read(conn, top)
                else:
                    self._extend(conn, top)
                uid = conn.execute(_NOW, {"last": self._neighbours.top}).one()[2]
                self._seen = (uid, removals)
            return self._neighbours.up_to(top)

    def _read(self, conn: Connection, top: int) -> None:
        rows = conn.execute(_SESSIONS).all()
        ids = read_ids(",".join(joined for _, joined in rows))
        sizes = np.array([joined.count(",") + 1 for _, joined in rows], np.int64)
        numbers = np.repeat(np.arange(1, len(rows) + 1), sizes)
        together = numbers[1:] == numbers[:-1]
        lasts = ids[np.cumsum(sizes) - 1].tolist()
        self._sessions = {
            name: (number, last)
            for number, ((name, _), last) in enumerate(zip(rows, lasts, strict=True), 1)
        }
        exists, asks = (np.zeros(top + 1, np.bool_) for _ in range(2))
        session, before, after = (np.zeros(top + 1, np.intp) for _ in range(3))
        exists[read_ids(conn.execute(_ALL).scalar_one())] = True
        asks[read_ids(conn.execute(_QUESTIONS).scalar_one())] = True
        session[ids] = numbers
        before[ids[1:]] = np.where(together, ids[:-1], 0)
        after[ids[:-1]] = np.where(together, ids[1:], 0)
        long = conn.execute(_LONG).all()
        self._neighbours = Neighbours(
            len(rows),
            exists,
            session,
            before,
            after,
            asks,
            np.array([row_id for row_id, _ in long], np.int64),
            np.array([length for _, length in long], np.int64),
        )

    def _extend(self, conn: Connection, top: int) -> None:
        known = self._neighbours
        more = top - known.top
        exists, asks = (
            np.concatenate((values, np.zeros(more, np.bool_)))
            for values in (known.exists, known.asks)
        )
        session, before, after = (
            np.concatenate((values, np.zeros(more, np.intp)))
            for values in (known.session, known.before, known.after)
        )
        rows = conn.execute(_SINCE, {"last": known.top}).all()
        for row_id, name, is_question, _ in rows:
            exists[row_id], asks[row_id] = True, is_question
            if name is not None:
                number, last = self._sessions.get(name, (len(self._sessions) + 1, 0))
                self._sessions[name] = (number, row_id)
                session[row_id], before[row_id] = number, last
                after[last] = row_id if last else 0
        long = [(row_id, length) for row_id, _, _, length in rows if length > LONG_CHARS]
        self._neighbours = replace(
            known,
            sessions=len(self._sessions),
            exists=exists,
            session=session,
            before=before,
            after=after,
            asks=asks,
            long=np.append(known.long, np.array([row_id for row_id, _ in long], np.int64)),
            lengths=np.append(known.lengths, np.array([length for _, length in long], np.int64)),
        )


_opening = threading.Lock()
_caches: WeakKeyDictionary[Store, _Cache] = WeakKeyDictionary()

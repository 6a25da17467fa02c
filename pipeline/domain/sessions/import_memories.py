"""Import memories of a file: its conversations become sessions, and a key is imported once."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.memory.audit_log import ChangedRow, record
from afterword.pipeline.domain.memory.model import MemoryIds
from afterword.pipeline.domain.memory.rows import NewMemoryRow
from afterword.pipeline.domain.memory.write import insert_prepared
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions import import_rows as rows
from afterword.pipeline.domain.sessions.import_rows import KnownMemory
from afterword.pipeline.domain.sessions.sessions import HANDLE
from afterword.pipeline.errors import InvalidInputError


class ImportLine(NamedTuple):
    """One line of a file, checked.

    Args:
        row: the memory, as `prepare` returns it.
        session: label of the conversation it belongs to; masked.
        key: its name in the program that wrote the file; masked.
        at: its place, such as `memories[3]`.
    """

    row: NewMemoryRow
    session: str | None
    key: str | None
    at: str


@dataclass(frozen=True, slots=True)
class ImportedMemory:
    """The ids of an imported memory.

    Args:
        is_new: False where its key was imported before; then nothing was written.
    """

    id: int
    uid: str
    is_new: bool


def import_memories(
    by: Writer, lines: Sequence[ImportLine], *, max_ready: int = 0
) -> list[ImportedMemory]:
    """Write the lines of a file in one transaction: all of them, or none.

    Lines with the same label are one session. It has ended and nobody has its handle, so no agent
    writes in it, and an agent's own session of that label is another one; the limits of a session
    do not hold. Its rows are written in the order in which they happened.

    Args:
        max_ready: ready jobs of one kind beyond which the call is refused; 0 means no bound.

    Returns:
        The ids of the memories, in the order of `lines`.

    Raises:
        InvalidInputError: a key names a memory with another text; nothing was written.
        UnavailableError: the backlog is full, or the store cannot be written now.
    """
    with writing(by.store) as conn:
        now = by.clock()
        known = rows.known_keys(conn, [line.key for line in lines if line.key is not None])
        _check_known(lines, known)
        fresh = in_order([line for line in lines if line.key not in known])
        sessions = _sessions(conn, by, fresh, now)
        named = [
            line.row
            if line.session is None
            else line.row._replace(session_id=sessions[line.session])
            for line in fresh
        ]
        written = {one.uid: one for one in insert_prepared(conn, by, named, now, max_ready)}
        keys = {line.key: written[line.row.uid].id for line in fresh if line.key is not None}
        rows.keep_keys(conn, keys)
    return [_imported(line, written, known) for line in lines]


def in_order(lines: Sequence[ImportLine]) -> list[ImportLine]:
    """Return the lines with those of each session in the order in which they happened.

    A search takes the rows of a session with the next ids for what was said before and after. A
    line without a moment stays behind the line of its session that stands before it in the file.
    """
    places: dict[str, list[int]] = {}
    for place, line in enumerate(lines):
        if line.session is not None:
            places.setdefault(line.session, []).append(place)
    ordered = list(lines)
    for theirs in places.values():
        moments: dict[int, float] = {}
        latest = float("-inf")
        for place in theirs:
            occurred_at = lines[place].row.occurred_at
            latest = moments[place] = latest if occurred_at is None else occurred_at
        for place, other in zip(theirs, sorted(theirs, key=moments.__getitem__), strict=True):
            ordered[place] = lines[other]
    return ordered


def _check_known(lines: Sequence[ImportLine], known: Mapping[str, KnownMemory]) -> None:
    for line in lines:
        before = None if line.key is None else known.get(line.key)
        if before is not None and before.content != line.row.content:
            problem = f"{line.key!a:.60} names memory {before.id}, which has another text"
            raise InvalidInputError(f"{line.at}.key", problem, "a key of its own for each text")


def _sessions(
    conn: Connection, by: Writer, lines: Sequence[ImportLine], now: datetime
) -> dict[str, str]:
    """Return the uid of each session by its label, begun where it is missing."""
    stores = Counter(line.session for line in lines if line.session is not None)
    uids: dict[str, str] = {}
    for label in stores:
        uid = rows.imported_session(conn, label)
        if uid is None:
            uid = by.ids()
            made = rows.add_imported_session(conn, uid, HANDLE + by.ids(), label, to_micros(now))
            record(conn, now, by.actor, "session.import", "sessions", [ChangedRow(made, uid)])
        uids[label] = uid
    rows.count_stores(conn, {uids[label]: number for label, number in stores.items()})
    return uids


def _imported(
    line: ImportLine, written: Mapping[str, MemoryIds], known: Mapping[str, KnownMemory]
) -> ImportedMemory:
    if line.key is not None and line.key in known:
        return ImportedMemory(known[line.key].id, known[line.key].uid, is_new=False)
    return ImportedMemory(written[line.row.uid].id, line.row.uid, is_new=True)

"""The skill manager of R5: keep a learning, or count it as a repetition of one that says the same.

check_learning (secrets masked, scanned: no store is needed) → keep_learning (one transaction)
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.learnings import read_rows, rows, term_rows
from afterword.pipeline.domain.learnings.adoption import note_taught
from afterword.pipeline.domain.learnings.model import (
    CALLS,
    KeptLearning,
    Learning,
    LearningSource,
    NewLearning,
)
from afterword.pipeline.domain.learnings.procedures import (
    SAME_PROCEDURE_AT,
    may_be_same,
    may_be_same_note,
    procedure_terms,
    tools_of,
    trigger_terms,
)
from afterword.pipeline.domain.memory.audit_log import ChangedRow
from afterword.pipeline.domain.memory.audit_log import record as audit
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.methodologies.similarity import SAME_AT, weights

_MOST_COMPARED: Final = 10
"""Candidates whose tools and opposite words are read, the most alike first."""

_NO_WORDS: Final = {0: 1.0}
"""The only term of a trigger without words, so that every learning has one."""


def find_same_learning(conn: Connection, new: NewLearning) -> tuple[Learning, float] | None:
    """Return the stored learning that says the same, with its likeness; None if none does."""
    tools = tools_of(new.tool_sequence)
    query = weights(procedure_terms(_compared(new), tools))
    least = SAME_PROCEDURE_AT if tools else SAME_AT
    near = term_rows.alike(conn, "procedure", query, least, _MOST_COMPARED)
    stored = read_rows.active(conn, [row_id for row_id, _ in near]) if near else {}
    for row_id, likeness in near:
        other = stored.get(row_id)
        if other is not None and _may_be_same(new, other):
            return other, likeness
    return None


def keep_learning(
    conn: Connection,
    by: Writer,
    new: NewLearning,
    source: LearningSource,
    now: datetime,
    *,
    turn_id: int | None = None,
    taught: bool = False,
) -> KeptLearning:
    """Keep a checked learning in a transaction the caller has open.

    A stored one that says the same stays as it is, and counts the turn as one more success of it.

    Args:
        turn_id: the turn it comes from.
        taught: whether that turn has succeeded with these tools; without it the learning waits for
            the end of the turn, and one without a turn is shown at once.
    """
    moment = to_micros(now)
    same = find_same_learning(conn, new)
    if same is not None:
        stored, likeness = same
        if taught and turn_id is not None:
            note_taught(conn, turn_id, stored.id, moment)
        detail = {"uid": stored.uid, "likeness": round(likeness, 4)}
        touched = ChangedRow(stored.id, by.session, detail)
        audit(conn, now, by.actor, "learning.repeat", "learnings", [touched])
        return KeptLearning(stored.id, stored.uid, is_new=False, likeness=likeness)
    return insert_learning(conn, by, new, source, now, turn_id=turn_id, taught=taught)


def insert_learning(
    conn: Connection,
    by: Writer,
    new: NewLearning,
    source: LearningSource,
    now: datetime,
    *,
    turn_id: int | None = None,
    taught: bool = False,
) -> KeptLearning:
    """Keep a checked learning as one of its own; see `keep_learning`."""
    moment = to_micros(now)
    waits = turn_id is not None and not taught
    uid = by.ids()
    row_id = rows.insert(conn, uid, new, source, by.session, turn_id, moment, waits=waits)
    _insert_terms(conn, row_id, new)
    if taught and turn_id is not None:
        note_taught(conn, turn_id, row_id, moment)
    touched = ChangedRow(row_id, by.session, {"uid": uid, "source": source, "waits": waits})
    audit(conn, now, by.actor, "learning.keep", "learnings", [touched])
    return KeptLearning(row_id, uid, is_new=True, waits=waits)


def index_learning(
    conn: Connection, _by: Writer, row_id: int, columns: Mapping[str, Any], _now: datetime
) -> None:
    """Store the words of a learning that an import inserted as it was."""
    calls = CALLS.read(columns["tool_sequence"])
    _insert_terms(conn, row_id, NewLearning(columns["trigger"], calls, columns["guidance"]))


def _insert_terms(conn: Connection, row_id: int, new: NewLearning) -> None:
    tools = tools_of(new.tool_sequence)
    words = weights(procedure_terms(_compared(new), tools)) or _NO_WORDS
    term_rows.insert_terms(conn, row_id, "procedure", words)
    term_rows.insert_terms(conn, row_id, "trigger", weights(trigger_terms(new.trigger)))


def _may_be_same(new: NewLearning, stored: Learning) -> bool:
    tools, other_tools = tools_of(new.tool_sequence), tools_of(stored.tool_sequence)
    if tools or other_tools:
        return may_be_same(new.trigger, tools, stored.trigger, other_tools)
    return may_be_same_note(new.trigger, new.guidance, stored.trigger, stored.guidance)


def _compared(new: NewLearning) -> str:
    """Return the words by which a learning is recognised; a note without tools is its own words."""
    return new.trigger if new.tool_sequence else f"{new.trigger}\n{new.guidance}"

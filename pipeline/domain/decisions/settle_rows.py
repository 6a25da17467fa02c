"""SQL that settles decisions; each statement is guarded by the state it leaves."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Connection, text

from afterword.pipeline.core.store import driver_cursor

_THESE: Final = "FROM json_each(:rows) AS row WHERE role_memory.id = row.value ->> 0"
_WAITS: Final = "role_memory.state IN ('pending', 'parked')"
# A person's mark that came meanwhile overrules an answer given without it.
_AS_READ: Final = "role_memory.mark IS row.value ->> 1"

# One by one: SQLite reads a JSON list anew for each of its values, and these have long texts.
_JUDGES: Final = """
UPDATE role_memory SET outcome = ?3, measured = ?4, classification = ?5, narrative = ?6,
  classified_by = ?7, rule_class = ?8, evidence_hash = ?9, classified_at = ?10, tries = 0"""
_UNJUDGED: Final = f"WHERE id = ?1 AND {_WAITS} AND mark IS ?2 AND classified_at IS NULL"
_JUDGE: Final = f"{_JUDGES} {_UNJUDGED}"
_JUDGE_AND_END: Final = f"""
{_JUDGES}, state = 'reflected', reason = NULL, why = NULL, state_at = ?10, retry_at = NULL,
  reflected_at = ?10 {_UNJUDGED}
"""
_KEEP_EVIDENCE: Final = """
INSERT INTO judge_evidence (hash, body, known_at) VALUES (?, ?, ?) ON CONFLICT (hash) DO NOTHING
"""
_DROP_EVIDENCE = text("""
DELETE FROM judge_evidence WHERE hash IN (SELECT value FROM json_each(:hashes))
  AND NOT EXISTS (SELECT 1 FROM role_memory WHERE evidence_hash = judge_evidence.hash)
""")
_EVIDENCE = text("SELECT body FROM judge_evidence WHERE hash = :hash")
_REFLECT: Final = f"""
UPDATE role_memory SET state = 'reflected', reason = NULL, why = NULL, state_at = ?4,
  retry_at = NULL, lesson = ?2, lesson_by = ?3, reflected_at = ?4
WHERE id = ?1 AND {_WAITS} AND classified_at IS NOT NULL
"""
# A decision parked again for the same reason only gets a new time.
_PARK = text(f"""
UPDATE role_memory SET state = 'parked', reason = row.value ->> 2, why = row.value ->> 3,
  state_at = CASE WHEN role_memory.state = 'parked' AND role_memory.reason = row.value ->> 2
    THEN role_memory.state_at ELSE :now END,
  retry_at = row.value ->> 4
{_THESE} AND {_WAITS} AND {_AS_READ}
RETURNING id, state_at
""")
# Its own window is left to the ladder, which looks at it now.
_SKIP = text(f"""
UPDATE role_memory SET state = 'skipped', state_at = row.value ->> 1, retry_at = NULL,
  measure_at = iif(asset_key IS NULL, NULL,
    min(coalesce(measure_at, row.value ->> 1), row.value ->> 1)),
  reason = CASE WHEN reason IS NULL THEN :reason ELSE :reason || ', ' || reason END
{_THESE} AND {_WAITS}
RETURNING id
""")
_SET_BACK = text(f"""
UPDATE role_memory SET tries = tries + 1, retry_at = row.value ->> 2
{_THESE} AND {_WAITS} AND {_AS_READ}
""")
_POSTPONE: Final = f"""
UPDATE role_memory SET retry_at = ?3 WHERE id = ?1 AND {_WAITS} AND mark IS ?2
"""
_EXISTING: Final = "SELECT id FROM role_memory WHERE id IN (SELECT value FROM json_each(?))"
_TRIES = text("SELECT tries FROM role_memory WHERE id = :id")
_MARK = text(f"""
UPDATE role_memory SET mark = :mark, mark_note = :note, marked_at = :now, retry_at = :now,
  tries = 0
WHERE id = :id AND {_WAITS} AND mark IS NULL AND classified_at IS NULL
""")
_SHADOW = text("""
INSERT INTO role_shadows (role_memory_id, task, at, said_by, classification, said)
SELECT value ->> 0, :task, :now, value ->> 1, value ->> 2, value ->> 3
FROM json_each(:rows)
WHERE value ->> 0 IN (SELECT id FROM role_memory)
ON CONFLICT DO NOTHING
""")
_SHADOWED = text("""
SELECT role_memory_id FROM role_shadows
WHERE role_memory_id IN (SELECT value FROM json_each(:ids)) AND task = :task
""")
_SHADOWS = text("""
SELECT task, at, said_by, classification, said FROM role_shadows
WHERE role_memory_id = :id ORDER BY id
""")


def judge(conn: Connection, rows: Sequence[Sequence[Any]], now: int) -> set[int]:
    """Write verdicts.

    Args:
        rows: (id, mark as read, outcome, measured, classification, narrative, by, rule class,
            digest of the evidence).

    Returns:
        Ids of decisions that had no verdict, still wait and were not marked meanwhile.
    """
    return _changed(conn, _JUDGE, rows, now)


def judge_and_end(conn: Connection, rows: Sequence[Sequence[Any]], now: int) -> set[int]:
    """Write verdicts and end their decisions without a lesson: `judge` and `reflect` in one."""
    return _changed(conn, _JUDGE_AND_END, rows, now)


def keep_evidence(conn: Connection, rows: Sequence[tuple[str, str, int]]) -> None:
    """Keep what judges saw: (digest, body, known at); what is kept already stays as it is."""
    driver_cursor(conn).executemany(_KEEP_EVIDENCE, rows)


def drop_evidence(conn: Connection, hashes: Sequence[str]) -> None:
    """Remove evidence that no decision names."""
    conn.execute(_DROP_EVIDENCE, {"hashes": json.dumps(list(hashes))})


def evidence(conn: Connection, digest: str) -> str | None:
    """Return the body of what a judge saw; None if it was forgotten."""
    found: str | None = conn.execute(_EVIDENCE, {"hash": digest}).scalar_one_or_none()
    return found


def reflect(conn: Connection, rows: Sequence[Sequence[Any]], now: int) -> set[int]:
    """End judged decisions: (id, lesson, by); return the ids of those it ended."""
    return _changed(conn, _REFLECT, rows, now)


def park(conn: Connection, rows: Sequence[Sequence[Any]], now: int) -> dict[int, bool]:
    """Park decisions: (id, mark as read, reason, why, retry at).

    Returns:
        By id of each parked decision: whether its reason is new.
    """
    if not rows:
        return {}
    found = conn.execute(_PARK, _rows(rows, now))
    return {row_id: state_at == now for row_id, state_at in found}


def skip(conn: Connection, moments: Mapping[int, int], reason: str) -> set[int]:
    """End decisions without a verdict; return the ids of those it ended.

    Args:
        moments: by id, when each ended; microseconds.
    """
    values = {"rows": json.dumps([*moments.items()]), "reason": reason}
    return set(conn.execute(_SKIP, values).scalars())


def set_back(conn: Connection, rows: Sequence[Sequence[Any]]) -> int:
    """Postpone decisions after a failed question: (id, mark as read, retry at); return how many."""
    return conn.execute(_SET_BACK, {"rows": json.dumps(list(rows))}).rowcount


def postpone(conn: Connection, rows: Sequence[tuple[int, str | None, int]]) -> None:
    """Look at decisions again later: (id, mark as read, retry at)."""
    driver_cursor(conn).executemany(_POSTPONE, rows)


def existing(conn: Connection, ids: Sequence[int]) -> set[int]:
    """Return those of the decisions that were not forgotten meanwhile."""
    found = driver_cursor(conn)
    found.execute(_EXISTING, (json.dumps(list(ids)),))
    return {row_id for (row_id,) in found.fetchall()}


def tries(conn: Connection, decision_id: int) -> int:
    """Return how many questions about a decision failed since its last answer or mark."""
    return conn.execute(_TRIES, {"id": decision_id}).scalar() or 0


def mark(conn: Connection, decision_id: int, mark: str, note: str, now: int) -> bool:
    """Mark the outcome of a waiting decision; False if it is marked, judged or ended already."""
    values = {"id": decision_id, "mark": mark, "note": note, "now": now}
    return conn.execute(_MARK, values).rowcount == 1


def shadow(conn: Connection, task: str, rows: Sequence[Sequence[Any]], now: int) -> None:
    """Record what a task says in the shadow: (id, by, classification, text)."""
    conn.execute(_SHADOW, _rows(rows, now) | {"task": task})


def shadowed(conn: Connection, task: str, ids: Sequence[int]) -> set[int]:
    """Return those of the decisions that have a shadow record of a task."""
    values = {"task": task, "ids": json.dumps(list(ids))}
    return set(conn.execute(_SHADOWED, values).scalars())


def shadows(conn: Connection, decision_id: int) -> list[tuple[str, int, str, str | None, str]]:
    """Return the shadow records of a decision: task, at, by, classification, text."""
    return [tuple(row) for row in conn.execute(_SHADOWS, {"id": decision_id})]


def _changed(conn: Connection, statement: str, rows: Sequence[Sequence[Any]], now: int) -> set[int]:
    """Run a statement for each row, the moment last; return the ids of those it changed."""
    cursor, done = driver_cursor(conn), set()
    for row in rows:
        cursor.execute(statement, (*row, now))
        if cursor.rowcount:
            done.add(row[0])
    return done


def _rows(rows: Sequence[Sequence[Any]], now: int) -> dict[str, Any]:
    return {"rows": json.dumps(list(rows), ensure_ascii=False), "now": now}

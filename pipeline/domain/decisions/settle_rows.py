"""SQL that settles decisions: verdicts, ends, pauses and marks.

Each statement is guarded by the state it leaves.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Connection

from afterword.pipeline.core.store import driver_cursor, read_value, run_sql
from afterword.pipeline.domain.decisions.frozen_context import FrozenJson
from afterword.pipeline.domain.decisions.ladder import LadderDecision, NextLook
from afterword.pipeline.domain.decisions.model import Decision, DecisionVerdict
from afterword.pipeline.domain.decisions.read_rows import DECISION_VERDICT

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
_DROP_EVIDENCE: Final = """
DELETE FROM judge_evidence WHERE hash IN (SELECT value FROM json_each(?))
  AND NOT EXISTS (SELECT 1 FROM role_memory WHERE evidence_hash = judge_evidence.hash)
"""
_REFLECT: Final = f"""
UPDATE role_memory SET state = 'reflected', reason = NULL, why = NULL, state_at = ?4,
  retry_at = NULL, lesson = ?2, lesson_by = ?3, reflected_at = ?4
WHERE id = ?1 AND {_WAITS} AND classified_at IS NOT NULL
"""
# A decision parked again for the same reason only gets a new time.
_PARK: Final = f"""
UPDATE role_memory SET state = 'parked', reason = row.value ->> 2, why = row.value ->> 3,
  state_at = CASE WHEN role_memory.state = 'parked' AND role_memory.reason = row.value ->> 2
    THEN role_memory.state_at ELSE :now END,
  retry_at = row.value ->> 4
{_THESE} AND {_WAITS} AND {_AS_READ}
RETURNING id, state_at
"""
# Its own window is left to the ladder, which looks at it now.
_SKIP: Final = f"""
UPDATE role_memory SET state = 'skipped', state_at = row.value ->> 1, retry_at = NULL,
  measure_at = iif(asset_key IS NULL, NULL,
    min(coalesce(measure_at, row.value ->> 1), row.value ->> 1)),
  reason = CASE WHEN reason IS NULL THEN :reason ELSE :reason || ', ' || reason END
{_THESE} AND {_WAITS}
RETURNING id
"""
_SET_BACK: Final = f"""
UPDATE role_memory SET tries = tries + 1, retry_at = row.value ->> 2
{_THESE} AND {_WAITS} AND {_AS_READ}
"""
_POSTPONE: Final = f"""
UPDATE role_memory SET retry_at = ?3 WHERE id = ?1 AND {_WAITS} AND mark IS ?2
"""
_EXISTING: Final = "SELECT id FROM role_memory WHERE id IN (SELECT value FROM json_each(?))"
_TRIES: Final = "SELECT tries FROM role_memory WHERE id = ?"
_MARK: Final = f"""
UPDATE role_memory SET mark = :mark, mark_note = :note, marked_at = :now, retry_at = :now,
  tries = 0
WHERE id = :id AND {_WAITS} AND mark IS NULL AND classified_at IS NULL
"""
_SHADOW: Final = """
INSERT INTO role_shadows (role_memory_id, task, at, said_by, classification, said)
SELECT value ->> 0, :task, :now, value ->> 1, value ->> 2, value ->> 3
FROM json_each(:rows)
WHERE value ->> 0 IN (SELECT id FROM role_memory)
ON CONFLICT DO NOTHING
"""
# A decision that new prices made due meanwhile stays due.
_PLAN_NEXT: Final = """
UPDATE role_memory SET measure_at = row.value ->> 2, windows_missing = row.value ->> 3
FROM json_each(?) AS row
WHERE role_memory.id = row.value ->> 0 AND role_memory.measure_at = row.value ->> 1
"""
_DUE_NOW: Final = """
UPDATE role_memory SET measure_at = ?2
WHERE id IN (SELECT value FROM json_each(?1)) AND asset_key IS NOT NULL
  AND (measure_at IS NULL OR measure_at > ?2)
"""


def judge(
    conn: Connection, judged: Iterable[tuple[Decision, DecisionVerdict]], now: int
) -> set[int]:
    """Write verdicts; return the ids of decisions that had none, still wait and were not marked
    meanwhile."""
    return _changed(conn, _JUDGE, _verdicts(judged), now)


def judge_and_end(
    conn: Connection, judged: Iterable[tuple[Decision, DecisionVerdict]], now: int
) -> set[int]:
    """Write verdicts and end their decisions without a lesson: `judge` and `reflect` in one."""
    return _changed(conn, _JUDGE_AND_END, _verdicts(judged), now)


def keep_evidence(conn: Connection, seen: Sequence[FrozenJson], now: int) -> None:
    """Keep what judges saw; what is kept already stays as it is."""
    rows = [(*evidence, now) for evidence in seen]
    driver_cursor(conn).executemany(_KEEP_EVIDENCE, rows)


def drop_evidence(conn: Connection, hashes: Sequence[str]) -> None:
    """Remove evidence that no decision names."""
    run_sql(conn, _DROP_EVIDENCE, (json.dumps(list(hashes)),))


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
    parked = run_sql(conn, _PARK, {"rows": _listed(rows), "now": now}).fetchall()
    return {row_id: state_at == now for row_id, state_at in parked}


def skip(conn: Connection, moments: Mapping[int, int], reason: str) -> set[int]:
    """End decisions without a verdict; return the ids of those it ended.

    Args:
        moments: by id, when each ended; microseconds.
    """
    values = {"rows": _listed(moments.items()), "reason": reason}
    return {row_id for (row_id,) in run_sql(conn, _SKIP, values).fetchall()}


def set_back(conn: Connection, rows: Sequence[Sequence[Any]]) -> int:
    """Postpone decisions after a failed question: (id, mark as read, retry at); return how many."""
    return run_sql(conn, _SET_BACK, {"rows": _listed(rows)}).rowcount


def postpone(conn: Connection, rows: Sequence[tuple[int, str | None, int]]) -> None:
    """Look at decisions again later: (id, mark as read, retry at)."""
    driver_cursor(conn).executemany(_POSTPONE, rows)


def existing(conn: Connection, ids: Sequence[int]) -> set[int]:
    """Return those of the decisions that were not forgotten meanwhile."""
    return {row_id for (row_id,) in run_sql(conn, _EXISTING, (_listed(ids),)).fetchall()}


def tries(conn: Connection, decision_id: int) -> int:
    """Return how many questions about a decision failed since its last answer or mark."""
    return int(read_value(conn, _TRIES, (decision_id,)) or 0)


def mark(conn: Connection, decision_id: int, mark: str, note: str, now: int) -> bool:
    """Mark the outcome of a waiting decision; False if it is marked, judged or ended already."""
    values = {"id": decision_id, "mark": mark, "note": note, "now": now}
    return run_sql(conn, _MARK, values).rowcount == 1


def shadow(conn: Connection, task: str, rows: Sequence[Sequence[Any]], now: int) -> None:
    """Record what a task says in the shadow: (id, by, classification, text)."""
    run_sql(conn, _SHADOW, {"rows": _listed(rows), "now": now, "task": task})


def plan_next(conn: Connection, looks: Sequence[tuple[LadderDecision, NextLook]]) -> None:
    """Keep when decisions are measured next, unless something made them due meanwhile."""
    rows = [(decision.id, decision.measure_at, look.at, look.missing) for decision, look in looks]
    run_sql(conn, _PLAN_NEXT, (_listed(rows),))


def make_these_due(conn: Connection, ids: Sequence[int], now: int) -> None:
    """Make decisions due to be measured, whatever they lack."""
    run_sql(conn, _DUE_NOW, (_listed(ids), now))


def _verdicts(
    judged: Iterable[tuple[Decision, DecisionVerdict]],
) -> list[tuple[Any, ...]]:
    return [
        (decision.id, decision.mark, *DECISION_VERDICT.write(verdict))
        for decision, verdict in judged
    ]


def _changed(conn: Connection, statement: str, rows: Sequence[Sequence[Any]], now: int) -> set[int]:
    """Run a statement for each row, the moment last; return the ids of those it changed."""
    cursor, changed = driver_cursor(conn), set()
    for row in rows:
        cursor.execute(statement, (*row, now))
        if cursor.rowcount:
            changed.add(row[0])
    return changed


def _listed(rows: Iterable[Any]) -> str:
    return json.dumps(list(rows), ensure_ascii=False)

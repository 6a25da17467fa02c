"""SQL over what came of runs: the answers of their ladder, and notes of them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.core.store import driver_cursor, run_sql
from afterword.pipeline.core.store.codec import Codec
from afterword.pipeline.domain.institution.ladder import LadderAnswer
from afterword.pipeline.domain.institution.model import NoteKind, RunAnswer, RunNote
from afterword.pipeline.domain.outcomes.model import LADDER_HOURS, RULE_VERSION, MeasuredOutcome
from afterword.pipeline.rules.market.windows import HOUR_US

_NOTE: Final = Codec(RunNote, moments=("known_at",))

_LADDER: Final = ", ".join(map(str, LADDER_HOURS))

_WINDOWS: Final = json.dumps(LADDER_HOURS)

_WAS_TOLD: Final = (
    "SELECT 1 FROM institution_reflections WHERE digest = ? AND kind = 'lazy' LIMIT 1"
)

# The order of the tables is told: a reader of what is due must begin with the runs.
_WITH_OUTCOMES: Final = f"""
FROM institution_runs AS r INDEXED BY institution_runs_next
  CROSS JOIN role_memory AS m ON m.uid = r.decision_uid
  CROSS JOIN outcomes AS o ON o.subject_kind = 'decision' AND o.subject_id = m.id
    AND o.window_hours IN ({_LADDER}) AND o.rule_version = {RULE_VERSION}
WHERE r.next_at <= :now AND r.known_at <= :now AND r.id > :after AND o.known_at <= :now
  AND NOT EXISTS (SELECT 1 FROM institution_reflections AS f
    WHERE f.run_id = r.id AND f.kind = 'window' AND f.window_hours = o.window_hours
      AND f.is_shadow = :shadow)
"""

_DUE_RUNS: Final = f"""
SELECT r.id, r.horizon_hours, m.id,
  (SELECT json_group_array(f.window_hours) FROM institution_reflections AS f
    WHERE f.run_id = r.id AND f.kind = 'window' AND f.is_shadow = :shadow)
{_WITH_OUTCOMES} GROUP BY r.id ORDER BY r.id LIMIT :limit
"""

_FIRST_UNANSWERED: Final = f"SELECT o.known_at {_WITH_OUTCOMES} LIMIT 1"

_ALWAYS: Final = (1 << 62) - 1

_OUTCOME_COLUMNS: Final = ", ".join(MeasuredOutcome._fields)

_OUTCOMES: Final = f"""
SELECT {_OUTCOME_COLUMNS} FROM outcomes
WHERE subject_kind = 'decision' AND subject_id IN (SELECT value FROM json_each(:ids))
  AND rule_version = {RULE_VERSION} AND window_hours IN ({_LADDER}) AND known_at <= :now
"""

_ANSWER: Final = """
INSERT INTO institution_reflections (run_id, kind, window_hours, answer, is_shadow, numbers, text,
  exit_at, known_at)
SELECT ?, 'window', ?, ?, ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM institution_runs WHERE id = ?)
ON CONFLICT DO NOTHING
"""

_NEXT: Final = f"""
UPDATE institution_runs SET next_at = (
  SELECT min(decided_at + wanted.value * {HOUR_US}) FROM json_each('{_WINDOWS}') AS wanted
  WHERE NOT EXISTS (SELECT 1 FROM institution_reflections AS f
    WHERE f.run_id = institution_runs.id AND f.kind = 'window' AND f.is_shadow = 0
      AND f.window_hours = wanted.value))
WHERE id = ?
"""

_NOTE_INSERT: Final = """
INSERT INTO institution_reflections (run_id, kind, text, digest, known_at) VALUES (?, ?, ?, ?, ?)
ON CONFLICT DO NOTHING
"""

_ANSWERS: Final = """
SELECT run_id, window_hours, answer, text, exit_at, known_at FROM institution_reflections
WHERE run_id IN (SELECT value FROM json_each(:ids)) AND kind = 'window' AND is_shadow = 0
  AND (:at IS NULL OR known_at <= :at)
ORDER BY run_id, window_hours
"""

_NOTES: Final = f"""
SELECT {_NOTE.columns} FROM institution_reflections
WHERE run_id = :run AND kind <> 'window' AND (:at IS NULL OR known_at <= :at) ORDER BY known_at, id
"""

_COUNT: Final = "SELECT count(*) FROM institution_runs"

_COUNT_ANSWERS: Final = """
SELECT answer, count(*) FROM institution_reflections
WHERE kind = 'window' AND is_shadow = 0 GROUP BY answer
"""

_UNMEASURED: Final = f"""
SELECT count(*) FROM institution_runs AS r INDEXED BY institution_runs_next,
  json_each('{_WINDOWS}') AS wanted
WHERE r.next_at <= :before AND r.decided_at + wanted.value * {HOUR_US} <= :before
  AND NOT EXISTS (SELECT 1 FROM institution_reflections AS f WHERE f.run_id = r.id
    AND f.kind = 'window' AND f.is_shadow = 0 AND f.window_hours = wanted.value)
"""


class DueRun(NamedTuple):
    """A run with an outcome that no question of its ladder has answered.

    Args:
        decision_id: row of its decision.
        answered: windows that are answered; hours.
    """

    id: int
    horizon_hours: int
    decision_id: int
    answered: frozenset[int]


class AnsweredRow(NamedTuple):
    """The answer of one window."""

    run_id: int
    window_hours: int
    answer: RunAnswer
    text: str
    exit_at: datetime
    known_at: datetime


class RunNumbers(NamedTuple):
    """The runs of a group.

    Args:
        runs: count.
        answers: answered windows by answer; count.
        unanswered: since when an outcome waits for its answer; None if none does.
    """

    runs: int
    answers: Mapping[str, int]
    unanswered: datetime | None


def was_told(conn: Connection, digest: str) -> bool:
    """Return whether a retrospect of this digest was told."""
    return run_sql(conn, _WAS_TOLD, (digest,)).fetchone() is not None


def due(conn: Connection, now: int, after: int, limit: int, *, is_shadow: bool) -> list[DueRun]:
    """Return runs with an outcome that is not answered yet, by row id.

    Args:
        now: microseconds.
        after: row id that they follow.
    """
    values = {"now": now, "after": after, "limit": limit, "shadow": int(is_shadow)}
    return [
        DueRun(run_id, horizon, decision, frozenset(json.loads(answered)))
        for run_id, horizon, decision, answered in run_sql(conn, _DUE_RUNS, values).fetchall()
    ]


def first_unanswered(conn: Connection) -> int | None:
    """Return when an outcome became known that no question has answered; microseconds."""
    values = {"now": _ALWAYS, "after": 0, "shadow": 0}
    row = run_sql(conn, _FIRST_UNANSWERED, values).fetchone()
    return None if row is None else int(row[0])


def outcomes(
    conn: Connection, decisions: Sequence[int], now: int
) -> dict[int, dict[int, MeasuredOutcome]]:
    """Return what is measured of decisions (row ids), by window (hours)."""
    by_decision: dict[int, dict[int, MeasuredOutcome]] = {one: {} for one in decisions}
    for row in run_sql(conn, _OUTCOMES, {"ids": json.dumps([*decisions]), "now": now}).fetchall():
        outcome = MeasuredOutcome(*row)
        by_decision[outcome.subject_id][outcome.window_hours] = outcome
    return by_decision


def keep_answers(
    conn: Connection,
    answers: Iterable[tuple[int, LadderAnswer]],
    now: int,
    *,
    is_shadow: bool,
) -> list[LadderAnswer]:
    """Write answers by run (row id); return those that were not there before."""
    cursor, kept, touched = driver_cursor(conn), list[LadderAnswer](), dict[int, None]()
    for run_id, answer in answers:
        cursor.execute(
            _ANSWER,
            (
                *(run_id, answer.window_hours, answer.answer, int(is_shadow)),
                *(
                    json.dumps(answer.numbers, ensure_ascii=False),
                    answer.text,
                    answer.exit_at,
                    now,
                    run_id,
                ),
            ),
        )
        touched[run_id] = None
        kept += [answer] if cursor.rowcount == 1 else []
    if not is_shadow:
        cursor.executemany(_NEXT, [(run_id,) for run_id in touched])
    return kept


def keep_note(
    conn: Connection, run_id: int, kind: NoteKind, text: str, digest: str, now: datetime
) -> bool:
    """Write a snapshot; False if the same one is there."""
    values = (run_id, kind, text, digest, to_micros(now))
    return run_sql(conn, _NOTE_INSERT, values).rowcount == 1


def answers_of(
    conn: Connection, runs: Sequence[int], at: int | None = None
) -> dict[int, dict[int, AnsweredRow]]:
    """Return the answers of runs (row ids), by window, as known at a moment (microseconds)."""
    answers: dict[int, dict[int, AnsweredRow]] = {run: {} for run in runs}
    values = {"ids": json.dumps([*runs]), "at": at}
    for run_id, hours, answer, text, exit_at, known_at in run_sql(
        conn, _ANSWERS, values
    ).fetchall():
        answers[run_id][hours] = AnsweredRow(
            run_id, hours, answer, text, from_micros(exit_at), from_micros(known_at)
        )
    return answers


def notes_of(conn: Connection, run_id: int, at: int | None = None) -> list[RunNote]:
    """Return the snapshots of a run, the oldest first, as known at a moment (microseconds)."""
    rows = run_sql(conn, _NOTES, {"run": run_id, "at": at}).fetchall()
    return [_NOTE.read(row) for row in rows]


def numbers(conn: Connection) -> RunNumbers:
    """Return the numbers of a group."""
    (runs,) = run_sql(conn, _COUNT, ()).fetchall()[0]
    answers = dict(run_sql(conn, _COUNT_ANSWERS, ()).fetchall())
    at = first_unanswered(conn) if runs else None
    return RunNumbers(runs, answers, None if at is None else from_micros(at))


def count_unmeasured(conn: Connection, before: int) -> int:
    """Count the windows that were over at a moment (microseconds) and are not answered."""
    return int(run_sql(conn, _UNMEASURED, {"before": before}).fetchall()[0][0])

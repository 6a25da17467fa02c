"""SQL over runs, what their roles handed in, and what came of them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.core.store import driver_cursor, run_sql
from afterword.pipeline.core.store.codec import Codec
from afterword.pipeline.domain.decisions.model import Decision
from afterword.pipeline.domain.institution.checks import CheckedRun
from afterword.pipeline.domain.institution.ladder import LadderAnswer
from afterword.pipeline.domain.institution.model import (
    InstitutionRun,
    NoteKind,
    RoleOutput,
    RunAnswer,
    RunCitation,
    RunNote,
)
from afterword.pipeline.domain.outcomes.model import (
    LADDER_HOURS,
    RULE_VERSION,
    MeasuredOutcome,
)
from afterword.pipeline.rules.market.windows import HOUR_US

_RUN: Final = Codec(
    InstitutionRun,
    names={"decision": "decision_uid"},
    given=("windows",),
    moments=("decided_at", "known_at"),
    json=("meta",),
    items=("cited",),
)
_OUTPUT: Final = Codec(RoleOutput, json=("body",), items=("cited",))
_NOTE: Final = Codec(RunNote, moments=("known_at",))
_LADDER: Final = ", ".join(map(str, LADDER_HOURS))
_WINDOWS: Final = json.dumps(LADDER_HOURS)

_CAPTURED: Final = "SELECT digest, decision_uid, known_at FROM institution_runs WHERE uid = ?"
_RUN_OF: Final = "SELECT uid FROM institution_runs WHERE decision_uid = ?"
_WAS_TOLD: Final = (
    "SELECT 1 FROM institution_reflections WHERE digest = ? AND kind = 'lazy' LIMIT 1"
)
_INSERT: Final = """
INSERT INTO institution_runs (uid, digest, session_id, asset, asset_key, direction, confidence,
  horizon_hours, trigger, base_case, thesis, decision_uid, retrospect, meta, cited, decided_at,
  known_at, next_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_INSERT_OUTPUT: Final = _OUTPUT.insert("institution_role_outputs", "run_id", "place", "known_at")
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
_FIND: Final = f"""
SELECT {_RUN.columns} FROM institution_runs
WHERE {{which}} = :key AND (:at IS NULL OR known_at <= :at)
"""
_BY_UID: Final = _FIND.format(which="uid")
_BY_ID: Final = _FIND.format(which="id")
_LIST: Final = f"""
SELECT {_RUN.columns} FROM institution_runs
WHERE (:asset IS NULL OR asset_key = :asset) AND (:at IS NULL OR known_at <= :at)
ORDER BY decided_at DESC, id DESC LIMIT :limit
"""
_ALL: Final = f"SELECT {_RUN.columns} FROM institution_runs WHERE known_at <= :at ORDER BY id"
_OUTPUTS: Final = f"""
SELECT {_OUTPUT.columns} FROM institution_role_outputs WHERE run_id = ? ORDER BY place
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
# Of the past: what was decided since of a citation is taken back.
_CITATIONS: Final = f"""
SELECT cited.value,
  CASE WHEN method.id IS NULL THEN 'unknown' WHEN ci.standing IS NULL THEN 'open'
    WHEN ci.standing = 'withdrawn' AND (m.superseded_at > :at OR o.id IS NULL AND :at IS NOT NULL)
      THEN 'counts' ELSE ci.standing END,
  CASE WHEN ci.standing IS NULL THEN '' WHEN :at IS NULL THEN ci.outcome_state
    WHEN o.id IS NOT NULL THEN o.window_verdict
    WHEN ci.outcome_state = 'unresolved' AND c.closed_at <= :at THEN 'unresolved'
    ELSE 'pending' END,
  coalesce(ci.is_repeat, 0)
FROM json_each(:cited) AS cited
  LEFT JOIN methodologies AS method ON method.uid = cited.value
    AND (:at IS NULL OR method.known_at <= :at)
  LEFT JOIN role_memory AS m ON m.uid = :decision
  LEFT JOIN methodology_cases AS c ON c.decision_id = m.id AND (:at IS NULL OR c.known_at <= :at)
  LEFT JOIN methodology_citations AS ci ON ci.case_id = c.id AND ci.methodology_id = method.id
  LEFT JOIN outcomes AS o ON o.subject_kind = 'decision' AND o.subject_id = m.id
    AND o.window_hours = ci.window_hours AND o.rule_version = {RULE_VERSION}
    AND (:at IS NULL OR o.known_at <= :at)
ORDER BY cited.key
"""
_ID_DIGITS: Final = 19
"""Digits from which on a number may be none of SQLite's."""

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


class CapturedRow(NamedTuple):
    """A run that was captured before."""

    digest: str
    decision: str
    known_at: datetime


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


def captured(conn: Connection, uid: str) -> CapturedRow | None:
    """Return a run by its id, if it was captured."""
    row = run_sql(conn, _CAPTURED, (uid,)).fetchone()
    return None if row is None else CapturedRow(row[0], row[1], from_micros(row[2]))


def run_of(conn: Connection, decision: str) -> str | None:
    """Return the id of the run that a decision (uid) was made in."""
    row = run_sql(conn, _RUN_OF, (decision,)).fetchone()
    return None if row is None else str(row[0])


def was_told(conn: Connection, digest: str) -> bool:
    """Return whether a retrospect of this digest was told."""
    return run_sql(conn, _WAS_TOLD, (digest,)).fetchone() is not None


def insert(
    conn: Connection, run: CheckedRun, decision: Decision, session: str | None, now: datetime
) -> int:
    """Write a run with its outputs; return its row id."""
    portfolio, at = run.portfolio, to_micros(now)
    decided_at = to_micros(decision.decided_at)
    (deciding,) = (output for output in run.outputs if output.form == "portfolio_decision")
    words = [deciding.body[name] for name in ("trigger", "base_case", "thesis")]
    values = (
        *(run.uid, run.digest, session, run.asset, run.asset_key, portfolio.direction),
        *(float(portfolio.confidence), round(portfolio.horizon_days * 24), *words, decision.uid),
        *(run.retrospect, _json(run.meta), _json(run.cited), decided_at, at),
        decided_at + LADDER_HOURS[0] * HOUR_US,
    )
    cursor = driver_cursor(conn)
    cursor.execute(_INSERT, values)
    run_id = cursor.lastrowid
    assert run_id is not None  # an insert has a row
    outputs = [
        (*_OUTPUT.write(RoleOutput(*output)), run_id, place, at)
        for place, output in enumerate(
            (one.role, one.form, one.body, one.cited, one.model) for one in run.outputs
        )
    ]
    cursor.executemany(_INSERT_OUTPUT, outputs)
    return run_id


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
                *(_json(answer.numbers), answer.text, answer.exit_at, now, run_id),
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


def find(conn: Connection, key: str, at: int | None = None) -> InstitutionRun | None:
    """Return a run by its id or its number, as known at a moment (microseconds)."""
    row = run_sql(conn, _BY_UID, {"key": key, "at": at}).fetchone()
    if row is None and key.isascii() and key.isdigit() and len(key) < _ID_DIGITS:
        row = run_sql(conn, _BY_ID, {"key": int(key), "at": at}).fetchone()
    return None if row is None else _RUN.read(row)


def listed(
    conn: Connection, asset_key: str | None, limit: int, at: int | None = None
) -> list[InstitutionRun]:
    """Return runs, the latest decision first; see `find`."""
    values = {"asset": asset_key, "limit": limit, "at": at}
    return [_RUN.read(row) for row in run_sql(conn, _LIST, values).fetchall()]


def all_runs(conn: Connection, at: int) -> list[InstitutionRun]:
    """Return all runs known at a moment (microseconds), in the order of their capture."""
    return [_RUN.read(row) for row in run_sql(conn, _ALL, {"at": at}).fetchall()]


def keep_run(conn: Connection, run: InstitutionRun, outputs: Sequence[RoleOutput]) -> None:
    """Write a run of another file as it is there, with its moment and without answers."""
    decided_at, at = to_micros(run.decided_at), to_micros(run.known_at)
    values = (
        *(run.uid, "0" * 64, run.session_id, run.asset, run.asset_key, run.direction),
        *(run.confidence, run.horizon_hours, run.trigger, run.base_case, run.thesis),
        *(run.decision, run.retrospect, _json(run.meta), _json(run.cited), decided_at, at),
        decided_at + LADDER_HOURS[0] * HOUR_US,
    )
    cursor = driver_cursor(conn)
    cursor.execute(_INSERT, values)
    rows = [(*_OUTPUT.write(one), cursor.lastrowid, place, at) for place, one in enumerate(outputs)]
    cursor.executemany(_INSERT_OUTPUT, rows)


def outputs_of(conn: Connection, run_id: int) -> list[RoleOutput]:
    """Return what the roles of a run handed in, in their order."""
    return [_OUTPUT.read(row) for row in run_sql(conn, _OUTPUTS, (run_id,)).fetchall()]


def answers_of(
    conn: Connection, runs: Sequence[int], at: int | None = None
) -> dict[int, dict[int, AnsweredRow]]:
    """Return the answers of runs (row ids), by window; see `find`."""
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
    """Return the snapshots of a run, the oldest first; see `find`."""
    rows = run_sql(conn, _NOTES, {"run": run_id, "at": at}).fetchall()
    return [_NOTE.read(row) for row in rows]


def citations_of(conn: Connection, run: InstitutionRun, at: int | None = None) -> list[RunCitation]:
    """Return what became of the methodologies that a run cites; see `find`."""
    values = {"cited": _json(run.cited), "decision": run.decision, "at": at}
    return [
        RunCitation(uid, standing, state, bool(repeats))
        for uid, standing, state, repeats in run_sql(conn, _CITATIONS, values).fetchall()
    ]


def numbers(conn: Connection) -> RunNumbers:
    """Return the numbers of a group."""
    (runs,) = run_sql(conn, _COUNT, ()).fetchall()[0]
    answers = dict(run_sql(conn, _COUNT_ANSWERS, ()).fetchall())
    at = first_unanswered(conn) if runs else None
    return RunNumbers(runs, answers, None if at is None else from_micros(at))


def count_unmeasured(conn: Connection, before: int) -> int:
    """Count the windows that were over at a moment (microseconds) and are not answered."""
    return int(run_sql(conn, _UNMEASURED, {"before": before}).fetchall()[0][0])


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)

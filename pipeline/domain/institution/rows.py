"""SQL over runs, what their roles handed in, and what became of what they cite."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.core.store import driver_cursor, run_sql
from afterword.pipeline.core.store.codec import Codec
from afterword.pipeline.domain.decisions.model import Decision
from afterword.pipeline.domain.institution.checks import CheckedRun
from afterword.pipeline.domain.institution.model import InstitutionRun, RoleOutput, RunCitation
from afterword.pipeline.domain.outcomes.model import LADDER_HOURS, RULE_VERSION
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

_CAPTURED: Final = "SELECT digest, decision_uid, known_at FROM institution_runs WHERE uid = ?"
_RUN_OF: Final = "SELECT uid FROM institution_runs WHERE decision_uid = ?"
_INSERT: Final = """
INSERT INTO institution_runs (uid, digest, session_id, asset, asset_key, direction, confidence,
  horizon_hours, trigger, base_case, thesis, decision_uid, retrospect, meta, cited, decided_at,
  known_at, next_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_INSERT_OUTPUT: Final = _OUTPUT.insert("institution_role_outputs", "run_id", "place", "known_at")
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


class CapturedRow(NamedTuple):
    """A run that was captured before."""

    digest: str
    decision: str
    known_at: datetime


def captured(conn: Connection, uid: str) -> CapturedRow | None:
    """Return a run by its id, if it was captured."""
    row = run_sql(conn, _CAPTURED, (uid,)).fetchone()
    return None if row is None else CapturedRow(row[0], row[1], from_micros(row[2]))


def run_of(conn: Connection, decision: str) -> str | None:
    """Return the id of the run that a decision (uid) was made in."""
    row = run_sql(conn, _RUN_OF, (decision,)).fetchone()
    return None if row is None else str(row[0])


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


def citations_of(conn: Connection, run: InstitutionRun, at: int | None = None) -> list[RunCitation]:
    """Return what became of the methodologies that a run cites; see `find`."""
    values = {"cited": _json(run.cited), "decision": run.decision, "at": at}
    return [
        RunCitation(uid, standing, state, bool(repeats))
        for uid, standing, state, repeats in run_sql(conn, _CITATIONS, values).fetchall()
    ]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)

"""Keep a run: its outputs, its decision, and the jobs of its ladder, in one short transaction."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import iso
from afterword.pipeline.core.jobs.add import add_many
from afterword.pipeline.core.store import writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.decisions import read_rows as decision_rows
from afterword.pipeline.domain.decisions.model import Decision
from afterword.pipeline.domain.decisions.record import insert as insert_decisions
from afterword.pipeline.domain.institution import reflection_rows, rows
from afterword.pipeline.domain.institution.area import REFLECT_RUNS
from afterword.pipeline.domain.institution.checks import CheckedRun
from afterword.pipeline.domain.institution.desk import desk_registry
from afterword.pipeline.domain.institution.model import CapturedRun
from afterword.pipeline.domain.memory.audit_log import ChangedRow
from afterword.pipeline.domain.memory.audit_log import record as audit
from afterword.pipeline.domain.memory.checks import short_repr
from afterword.pipeline.domain.memory.flags import families_of
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.methodologies.read import unknown_methods
from afterword.pipeline.domain.outcomes.model import LADDER_HOURS
from afterword.pipeline.errors import InvalidInputError, NotFoundError

MEASURED_BY: Final = timedelta(minutes=30)
"""How long after a window its job looks: outcomes are measured every quarter of an hour."""


def capture_run(by: Writer, checked: CheckedRun) -> CapturedRun:
    """Keep a run; captured again, it changes nothing.

    Raises:
        InvalidInputError: its id names another run, it is of the future, or the decision it names
            is another one than it made.
        NotFoundError: the decision it names does not exist.
        UnavailableError: the store cannot be written now.
    """
    with writing(by.store) as conn:
        return insert_run(conn, by, checked, by.clock())


def insert_run(conn: Connection, by: Writer, checked: CheckedRun, now: datetime) -> CapturedRun:
    """Keep a run in a transaction that the caller has open; see `capture_run`."""
    before = rows.captured(conn, checked.uid)
    if before is not None:
        return _again(conn, checked, before)
    if checked.retrospect is not None and not reflection_rows.was_told(conn, checked.retrospect):
        accepted = "the digest that `institution_retrospect` returned"
        raise InvalidInputError("retrospect", "was told to nobody here", accepted)
    decision = _recorded(conn, checked) or _record(conn, by, checked, now)
    run_id = rows.insert(conn, checked, decision, by.session, now)
    _add_jobs(conn, run_id, decision.decided_at, now)
    audit(
        conn,
        now,
        by.actor,
        "institution.capture",
        "institution_runs",
        [ChangedRow(run_id, by.session, {"outputs": len(checked.outputs)})],
    )
    emit("institution.captured", runs=1, run=run_id)
    return CapturedRun(
        checked.uid,
        is_kept=True,
        is_new=True,
        decision=decision.uid,
        cited=checked.cited,
        unknown=tuple(unknown_methods(conn, checked.cited)),
        flagged=families_of(*_texts(checked)),
    )


def _again(conn: Connection, checked: CheckedRun, before: rows.CapturedRow) -> CapturedRun:
    if before.digest != checked.digest:
        problem = f"{short_repr(checked.uid)} names another run, captured {iso(before.known_at)}"
        raise InvalidInputError("run", problem, "an id of its own for each run")
    return CapturedRun(
        checked.uid,
        is_kept=True,
        is_new=False,
        decision=before.decision,
        cited=checked.cited,
        unknown=tuple(unknown_methods(conn, checked.cited)),
        flagged=families_of(*_texts(checked)),
    )


def _record(conn: Connection, by: Writer, checked: CheckedRun, now: datetime) -> Decision:
    """Record the decision of the run, as one of the desk."""
    row = replace(checked.row, uid=by.ids(), session_id=by.session)
    (done,) = insert_decisions(
        conn, desk_registry(), [row], now, actor=by.actor, embedding_enabled=by.embeds
    )
    decision = decision_rows.find(conn, done.id)
    assert decision is not None  # it was just written
    return decision


def _recorded(conn: Connection, checked: CheckedRun) -> Decision | None:
    """Return the decision that the run names, checked to be the one it made; None if it names none.

    A decision and the run it was made in are one: it votes once.
    """
    if checked.decision is None:
        return None
    decision = decision_rows.find(conn, checked.decision)
    if decision is None:
        raise NotFoundError(f"decision: there is no decision {short_repr(checked.decision)}")
    if (run := rows.run_of(conn, decision.uid)) is not None:
        problem = f"{decision.uid} is that of the run {short_repr(run)}"
        raise InvalidInputError("decision", problem, "a decision of its own for each run")
    if decision.from_trip_uid is not None:
        problem = f"{decision.uid} was made from a round trip, afterwards"
        raise InvalidInputError("decision", problem, "one that was recorded when it was made")
    for name, own, given in (
        ("asset", decision.asset_key, checked.asset_key),
        ("direction", decision.direction, checked.portfolio.direction),
        ("decided_at", decision.decided_at, checked.decided_at or decision.decided_at),
    ):
        if own != given:
            problem = f"{decision.uid} is about another {name}: {own}"
            raise InvalidInputError("decision", problem, f"one with the {name} of the run: {given}")
    missing = [uid for uid in checked.cited if uid not in decision.methods]
    if missing:
        problem = f"{decision.uid} does not cite {short_repr(missing[0])}, which the run cites"
        accepted = "a decision that cites all that its run cites; a citation is never added later"
        raise InvalidInputError("decision", problem, accepted)
    return decision


def _add_jobs(conn: Connection, run_id: int, decided_at: datetime, now: datetime) -> None:
    for hours in LADDER_HOURS:
        payload = {"run": run_id, "window_hours": hours}
        run_at = decided_at + timedelta(hours=hours) + MEASURED_BY
        add_many(conn, REFLECT_RUNS, [payload], now, run_at=max(now, run_at))


def _texts(checked: CheckedRun) -> list[str]:
    """Return the words of a run that the injection scan reads."""
    texts = [checked.uid, checked.asset]
    for output in checked.outputs:
        texts.append(output.role)
        for value in output.body.values():
            texts += [value] if isinstance(value, str) else []
            texts += (
                [part for part in value if isinstance(part, str)] if isinstance(value, list) else []
            )
    return texts

"""What a decision and its lesson come from: a session, a trip, methods, prices that it met."""

from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.domain.decisions import read_rows
from afterword.pipeline.domain.decisions.model import Decision
from afterword.pipeline.domain.lineage.model import Cause, LineageStep

_OUTCOMES: Final = text("""
SELECT id FROM outcomes WHERE subject_kind = 'decision' AND subject_id = :id
  AND rule_version = (SELECT max(rule_version) FROM outcomes WHERE subject_kind = 'decision'
    AND subject_id = :id)
ORDER BY window_hours, id DESC
""")
_OUTCOME: Final = text("""
SELECT window_hours, verdict, source, symbol, entry_at, entry_price, exit_at, exit_price, known_at
FROM outcomes WHERE id = :key
""")


def decision_lineage(conn: Connection, key: str | int, at: int | None) -> LineageStep | None:
    """Return a decision with its lesson, and what both come from; see `ReadLineageStep`."""
    del at
    decision = read_rows.find(conn, key)
    if decision is None:
        return None
    lesson = f" / lesson: {decision.lesson}" if decision.lesson else ""
    says = f"[{decision.role_id}] {decision.decision}{lesson}"
    return LineageStep(
        f"decision {decision.uid}", says, decision.decided_at, _causes(conn, decision)
    )


def _causes(conn: Connection, decision: Decision) -> list[Cause]:
    causes = [Cause("applies", "method", uid) for uid in decision.methods]
    if decision.from_trip_uid is not None:
        causes.append(Cause("made from", "trip", decision.from_trip_uid))
    outcomes = conn.execute(_OUTCOMES, {"id": decision.id}).scalars()
    causes += [Cause("measured by", "outcome", str(row_id), at=0) for row_id in outcomes]
    if decision.session_id is not None:
        moment = to_micros(decision.known_at)
        causes.append(Cause("recorded in", "session", decision.session_id, moment))
    return causes


def outcome_lineage(conn: Connection, key: str | int, at: int | None) -> LineageStep | None:
    """Return the prices that a decision met in a window; decisions lead to it."""
    row = None if at is None else conn.execute(_OUTCOME, {"key": int(key)}).one_or_none()
    if row is None:
        return None
    prices = ((row.entry_price, row.entry_at), (row.exit_price, row.exit_at))
    met = " to ".join(
        f"{price} at {from_micros(moment):%Y-%m-%d %H:%M}" for price, moment in prices
    )
    says = f"{row.verdict}: {row.symbol} of {row.source} from {met}"
    return LineageStep(f"outcome after {row.window_hours} h", says, from_micros(row.known_at))

"""What a run comes from: the methodologies that its roles cite, and the session it was made in."""

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.decisions import read_rows as decision_rows
from afterword.pipeline.domain.institution import rows
from afterword.pipeline.domain.lineage.model import Cause, LineageStep
from afterword.pipeline.domain.memory.checks import is_name


def run_lineage(conn: Connection, key: str | int, at: int | None) -> LineageStep | None:
    """Return a run with what its roles said; see `ReadLineageStep`."""
    del at
    run = rows.find(conn, key) if is_name(key) else None
    if run is None or run.uid != key:
        return None
    roles = "; ".join(f"{output.role}: {output.form}" for output in rows.outputs_of(conn, run.id))
    causes = [Cause("cites", "method", uid) for uid in run.cited]
    if run.session_id is not None:
        causes.append(Cause("captured in", "session", run.session_id, to_micros(run.known_at)))
    says = f"{run.direction} {run.asset}: {run.thesis} / {roles} / decision {run.decision}"
    return LineageStep(f"institution run {run.uid}", says, run.decided_at, causes)


def run_of_decision(conn: Connection, key: str | int, at: int | None) -> LineageStep | None:
    """Add to a decision the run that it was made in."""
    del at
    decision = decision_rows.find(conn, key)
    run = None if decision is None else rows.run_of(conn, decision.uid)
    return None if run is None else LineageStep(causes=[Cause("made in", "institution run", run)])

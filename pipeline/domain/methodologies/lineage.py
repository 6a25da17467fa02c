"""What a methodology comes from: the decisions it was made of, or the session it was written in."""

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.lineage.model import Cause, LineageStep
from afterword.pipeline.domain.memory.checks import is_name
from afterword.pipeline.domain.methodologies import read_rows


def method_lineage(conn: Connection, key: str | int, at: int | None) -> LineageStep | None:
    """Return a methodology; see `ReadLineageStep`."""
    del at
    method = read_rows.find(conn, key, None) if is_name(key) else None
    if method is None:
        return None
    causes = [
        Cause("made of", "decision", uid)
        for seed in method.seeded_from
        for uid in seed.get("decisions", ())
    ]
    if method.session_id is not None:
        moment = to_micros(method.known_at)
        causes.append(Cause("written in", "session", method.session_id, moment))
    says = f"[{method.source}, from {method.origin}] {method.name}: {method.methodology}"
    return LineageStep(f"methodology {method.uid}", says, method.known_at, causes)

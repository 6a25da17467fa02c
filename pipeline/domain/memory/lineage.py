"""What a memory comes from: the memories it was derived from or replaced, and its session."""

from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.lineage.model import Cause, LineageStep
from afterword.pipeline.domain.memory import rows

_EARLIER: Final = {
    "derived from": text("SELECT parent_id FROM memory_parents WHERE child_id = :id ORDER BY 1"),
    "in place of": text("SELECT id FROM memories WHERE superseded_by = :id ORDER BY id"),
}


def memory_lineage(conn: Connection, key: str | int, at: int | None) -> LineageStep | None:
    """Return a memory, without its words if it is deleted; see `ReadLineageStep`."""
    del at
    memory = rows.find(conn, key)
    if memory is None:
        return None
    causes = [
        Cause(how, "memory", row_id)
        for how, statement in _EARLIER.items()
        for row_id in conn.execute(statement, {"id": memory.id}).scalars()
    ]
    if memory.session_id is not None:
        moment = to_micros(memory.known_at)
        causes.append(Cause("written in", "session", memory.session_id, moment))
    by = memory.origin if memory.source is None else f"{memory.origin}, {memory.source}"
    words = memory.content if memory.deleted_at is None else "(deleted)"
    says = f"[{memory.category}, from {by}] {words}"
    return LineageStep(f"memory {memory.id}", says, memory.known_at, causes)

"""What a learning comes from: the turns that taught it, or the session in which it was said."""

from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.learnings import read_rows
from afterword.pipeline.domain.learnings.procedures import tools_of
from afterword.pipeline.domain.lineage.model import Cause, LineageStep
from afterword.pipeline.domain.memory.checks import is_name

_TAUGHT: Final = text("""
SELECT turns.uid FROM learning_turns AS lt JOIN turns ON turns.id = lt.turn_id
WHERE lt.learning_id = :id AND lt.arm = 'taught' ORDER BY lt.known_at, lt.id LIMIT 10
""")


def learning_lineage(conn: Connection, key: str | int, at: int | None) -> LineageStep | None:
    """Return a learning; see `ReadLineageStep`."""
    del at
    learning = read_rows.find(conn, key, None) if is_name(key) or isinstance(key, int) else None
    if learning is None:
        return None
    turns = [str(uid) for uid in conn.execute(_TAUGHT, {"id": learning.id}).scalars()]
    if learning.turn is not None and learning.turn not in turns:
        turns.insert(0, learning.turn)
    causes = [Cause("learned in", "turn", uid) for uid in turns]
    if learning.session_id is not None:
        moment = to_micros(learning.created_at)
        causes.append(Cause("learned in", "session", learning.session_id, moment))
    steps = " → ".join(tools_of(learning.tool_sequence))
    says = f"[{learning.source}] {learning.trigger}: {steps or learning.guidance}"
    return LineageStep(f"learning {learning.uid}", says, learning.created_at, causes)

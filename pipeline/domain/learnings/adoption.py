"""Whether a turn ran the tools of a learning, and the turns that taught one."""

from collections.abc import Iterable, Sequence

from sqlalchemy import Connection

from afterword.pipeline.domain.learnings import rows
from afterword.pipeline.domain.sessions.model import ToolCall, Turn


def ran_in_order(tools: Sequence[str], calls: Iterable[ToolCall]) -> bool:
    """Say whether calls that succeeded ran some tools in their order, others between them or not.

    A sequence without tools was never run.
    """
    done = iter([call.name for call in calls if call.succeeded])
    return bool(tools) and all(tool in done for tool in tools)


def was_followed(tools: Sequence[str], turn: Turn) -> bool:
    """Say whether a turn took up a sequence: it called its tools in order.

    A turn that failed took it up as far as the call that failed.
    """
    at, has_failed = 0, False
    for call in turn.tool_calls:
        if at < len(tools) and call.name == tools[at]:
            at, has_failed = at + 1, not call.succeeded
    if not tools or not at:
        return False
    return at == len(tools) or (turn.outcome == "failed" and has_failed)


def note_taught(conn: Connection, turn_id: int, learning_id: int, moment: int) -> None:
    """Count a turn that has succeeded with the tools of a learning, once, whatever showed it.

    Args:
        moment: microseconds.
    """
    is_first = rows.add_turn(
        conn, turn_id, learning_id, "taught", moment, result="succeeded", outcome="succeeded"
    )
    if is_first:
        rows.count(conn, learning_id, "succeeded", moment, shown=False)

"""What the program around a model does: what a session starts with, its turns, and its end."""

from collections.abc import Sequence
from datetime import timedelta

from afterword.pipeline.domain.sessions import sessions, turns
from afterword.pipeline.domain.sessions.model import Outcome, ToolCall
from afterword.pipeline.domain.sessions.turns import BUSY_FOR
from afterword.pipeline.doors.agent.arguments import checked
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.recall.prompts import brief
from afterword.pipeline.recall.prompts.snapshot import start_snapshot


def snapshot(door: Door) -> str:
    """Return the block this session's prompt starts with: the same bytes all its life."""
    most = door.snapshot_max_chars
    return start_snapshot(door.store, door.handle, door.clock, max_chars=most)


def start_brief(door: Door) -> str | None:
    """Return the brief this session starts with, the same all its life.

    Returns:
        The block; None if it failed or was late: an agent starts without it then.
    """
    return brief.start_brief(door.store, door.handle, door.clock, door.brief_limits)


@checked
def begin_turn(door: Door, message: str, *, busy_for: timedelta = BUSY_FOR) -> str:
    """Say that the agent is at work on a message, and return the turn's id.

    Args:
        busy_for: after how long the turn counts as abandoned.
    """
    begun = turns.begin_turn(
        door.store, door.handle, message, door.clock, door.ids, busy_for=busy_for
    )
    return begun.uid


@checked
def finish_turn(
    door: Door,
    turn: str,
    outcome: Outcome,
    *,
    reply: str | None = None,
    tool_calls: Sequence[ToolCall] = (),
) -> None:
    """Say how a turn went: `succeeded` or `failed`.

    Raises:
        NotFoundError: this session has no such turn.
        ConflictError: it is finished already, and otherwise.
    """
    turns.finish_turn(
        door.store,
        door.handle,
        turn,
        outcome,
        door.clock,
        reply=reply,
        tool_calls=tool_calls,
    )


def end(door: Door) -> None:
    """End the session: nothing more is written in it. Repeated, it changes nothing."""
    sessions.end_session(door.store, door.handle, door.clock)

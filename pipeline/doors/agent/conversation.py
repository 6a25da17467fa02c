"""For the program around a model: the prompt a session starts with, its turns, and its end."""

from collections.abc import Sequence
from datetime import timedelta

from afterword.pipeline.domain.sessions import turns
from afterword.pipeline.domain.sessions.model import Outcome, ToolCall
from afterword.pipeline.domain.sessions.turns import BUSY_FOR
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.doors.agent.workspace_model import (
    NO_WORKSPACE,
    AgentWorkspace,
    agent_workspace,
)
from afterword.pipeline.recall.prompts import brief
from afterword.pipeline.recall.prompts.personalization import start_personalization
from afterword.pipeline.recall.prompts.snapshot import start_snapshot


def snapshot(door: Door) -> str:
    """Return the block this session's prompt starts with: the same bytes for the whole session."""
    return start_snapshot(
        door.store,
        door.handle,
        door.clock,
        max_chars=door.snapshot_max_chars,
        choice=door.start_choice,
        unplayed_days=door.unplayed_days,
    )


def personalization(door: Door) -> str:
    """Return who the user is, for this session's prompt: the same bytes for the whole session.

    It stands in the prompt before `snapshot`: a memory that one of them shows is not in the other.
    With `AFTERWORD_CHAT_INTENT_GATING_ENABLED` it has the core of the tags; see `turn_block`.
    """
    return start_personalization(door.store, door.handle, door.clock, gated=door.gates_tags)


def start_brief(door: Door) -> str | None:
    """Return the brief this session starts with: the same bytes for the whole session.

    Returns:
        The block; None if it failed or was late, and the agent starts without it.
    """
    limits, choice = door.brief_limits, door.start_choice
    return brief.start_brief(door.store, door.handle, door.clock, limits, choice=choice)


def workspace(door: Door) -> AgentWorkspace:
    """Return what this session's prompt has of the workspace: the same bytes until it ends.

    Only the prefix changes, once: BOOTSTRAP.md follows it until the session's first turn is
    finished, in the one session that sees that file.

    Raises:
        InvalidInputError: there is no such folder.
    """
    kept = door.start_workspace()
    return NO_WORKSPACE if kept is None else agent_workspace(kept)


def begin_turn(door: Door, message: str, *, busy_for: timedelta = BUSY_FOR) -> str:
    """Begin a turn, the agent's work on a message, and return its id.

    Args:
        busy_for: after how long the turn counts as abandoned.
    """
    return turns.begin_turn(door.writer, message, busy_for=busy_for).uid


def turn_block(door: Door, turn: str) -> str:
    """Return what this turn's prompt gets beside: the tags of the user that its answer needs.

    It stands behind all that is cached, such as before the message. Empty for a turn that needs
    none, and always without `AFTERWORD_CHAT_INTENT_GATING_ENABLED`.

    Args:
        turn: the id from `begin_turn`.

    Raises:
        NotFoundError: this session has no such turn.
    """
    if not door.gates_tags:
        return ""
    # Imported here: it loads what asks a model, for which no start waits.
    from afterword.pipeline.recall.prompts import turn_block as turn_blocks

    return turn_blocks.turn_block(door.store, door.handle, turn, door.clock, door.find_turn_model)


def finish_turn(
    door: Door,
    turn: str,
    outcome: Outcome,
    *,
    reply: str | None = None,
    tool_calls: Sequence[ToolCall] = (),
) -> None:
    """Finish a turn: it `succeeded` or `failed`.

    Raises:
        NotFoundError: this session has no such turn.
        ConflictError: it is finished already, with other values.
    """
    turns.finish_turn(door.writer, turn, outcome, reply=reply, tool_calls=tool_calls)
    door.end_bootstrap()


def end(door: Door) -> None:
    """End the session: nothing more is written in it. Repeated, it changes nothing."""
    door.end()

"""Begin and finish a turn: a message to the agent, and how its work on it went."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.memory.audit_log import ChangedRow, record
from afterword.pipeline.domain.memory.checks import (
    MAX_CONTENT,
    MAX_NAME,
    check_text,
    check_word,
    is_name,
)
from afterword.pipeline.domain.memory.json_object import object_text
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions import rows
from afterword.pipeline.domain.sessions.model import TURN_OUTCOMES, Outcome, ToolCall, Turn
from afterword.pipeline.domain.sessions.sessions import open_session
from afterword.pipeline.errors import ConflictError, InvalidInputError, NotFoundError
from afterword.pipeline.rules.masking import mask, mask_json

BUSY_FOR: Final = timedelta(minutes=10)
"""How long a turn counts as busy unless its client says otherwise: a long chain of tool calls."""

LONGEST: Final = timedelta(days=1)
"""The longest time a client may set."""

MAX_TOOL_CALLS: Final = 500
"""Tool calls kept of one turn; a longer one is a loop."""


OnFinished = Callable[[Connection, Writer, Turn, datetime], None]
"""Called in the transaction that finishes a turn, once: by whom, and when."""


def begin_turn(by: Writer, message: str, *, busy_for: timedelta = BUSY_FOR) -> Turn:
    """Begin a turn: the session is busy until the turn is finished or its time has passed.

    Args:
        message: what was asked, up to 100,000 characters.
        busy_for: after how long it counts as abandoned; 1 s to 1 day.

    Raises:
        NotFoundError: the writer is in no session of this group, or it was erased since.
        InvalidInputError: the session has ended, or an argument is wrong; nothing was written.
    """
    check_text(message, MAX_CONTENT, "message")
    if not timedelta(seconds=1) <= busy_for <= LONGEST:
        raise InvalidInputError("busy_for", f"is {busy_for}", f"1 second to {LONGEST.days} day")
    uid, masked = by.ids(), mask(message)
    with writing(by.store) as conn:
        session, now = open_session(conn, by), by.clock()
        turn = rows.add_turn(conn, session, uid, masked, to_micros(now), to_micros(now + busy_for))
        touched = ChangedRow(turn.id, session.uid, {"uid": uid})
        record(conn, now, by.actor, "turn.begin", "turns", [touched])
        return turn


def finish_turn(
    by: Writer,
    turn: str,
    outcome: Outcome,
    *,
    reply: str | None = None,
    tool_calls: Sequence[ToolCall] = (),
    on_finished: OnFinished | None = None,
) -> Turn:
    """Finish a turn; an abandoned one may still be finished.

    The same call again changes nothing: a client that got no answer may repeat it.

    Args:
        turn: its uid.
        outcome: `succeeded` or `failed`.
        reply: what was answered, up to 100,000 characters.
        tool_calls: the tools it used, in order; up to 500.
        on_finished: what else the end of the turn writes.

    Raises:
        NotFoundError: there is no such turn in the writer's session, or no such session.
        InvalidInputError: the session has ended, or an argument is wrong; nothing was written.
        ConflictError: it is finished already, with other values.
    """
    check_word(outcome, TURN_OUTCOMES, "outcome")
    if len(tool_calls) > MAX_TOOL_CALLS:
        problem = f"has {len(tool_calls)} calls"
        raise InvalidInputError("tool_calls", problem, f"up to {MAX_TOOL_CALLS}")
    if reply is not None:
        check_text(reply, MAX_CONTENT, "reply")
        reply = mask(reply)
    calls = tuple(_masked(call, f"tool_calls[{at}]") for at, call in enumerate(tool_calls))
    with writing(by.store) as conn:
        session, now = open_session(conn, by), by.clock()
        before = rows.turn(conn, session, turn) if is_name(turn) else None
        if before is None:
            raise NotFoundError("this session has no such turn; begin one")
        done = rows.finish_turn(conn, session, turn, outcome, reply, calls, to_micros(now))
        if done is not None:
            touched = ChangedRow(done.id, session.uid, {"uid": turn, "outcome": outcome})
            record(conn, now, by.actor, "turn.finish", "turns", [touched])
            if on_finished is not None:
                on_finished(conn, by, done, now)
            return done
    if (before.outcome, before.reply, before.tool_calls) != (outcome, reply, calls):
        raise ConflictError(f"turn {before.uid} is finished already, as {before.outcome}")
    return before


def _masked(call: ToolCall, at: str) -> ToolCall:
    check_text(call.name, MAX_NAME, f"{at}.name")
    object_text(call.arguments, f"{at}.arguments")
    if not isinstance(call.succeeded, bool):
        raise InvalidInputError(f"{at}.succeeded", "is neither", "true or false")
    return replace(call, name=mask(call.name), arguments=mask_json(call.arguments))

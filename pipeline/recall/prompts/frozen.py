"""Freeze a text per session: it stays the same bytes, so that a prompt's prefix stays cached."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.memory.model import Actor
from afterword.pipeline.domain.sessions.sessions import find_session
from afterword.pipeline.recall.prompts import frozen_rows
from afterword.pipeline.recall.prompts.prompt_lessons import PromptLesson
from afterword.pipeline.recall.prompts.told_lessons import keep_start

Surface = Literal["snapshot", "brief", "personalization"]


@dataclass(frozen=True, slots=True)
class FrozenText:
    """A text for a prompt, and the ids of the memories and the lessons that it contains."""

    body: str
    memory_ids: Sequence[int]
    lessons: Sequence[PromptLesson] = ()


def freeze(
    store: Store,
    session: str,
    surface: Surface,
    clock: Clock,
    make: Callable[[Connection, datetime], FrozenText],
) -> str:
    """Return a session's text; the first call makes and stores it.

    It is made as of the session's start, so the time of that call does not matter, and inside the
    write, so of two processes at once one makes it and both return it.

    Args:
        session: its handle.
        make: reads the store as it was at a moment, the session's start.

    Raises:
        NotFoundError: there is no such session in this group.
        UnavailableError: it is the first time, and the store cannot be written now.
    """
    body = read_frozen(store, session, surface, "agent")
    if body is not None:
        return body
    with writing(store) as conn:
        stored = find_session(conn, session)
        body = frozen_rows.read(conn, stored.id, surface)
        if body is not None:
            return body
        made = make(conn, stored.started_at)
        ids, now = sorted(made.memory_ids), to_micros(clock())
        frozen_rows.keep(conn, stored.id, surface, made.body, ids, now)
        keep_start(conn, stored.uid, made.lessons, now)
        return made.body


def shown_before(conn: Connection, session: str, surface: Surface) -> frozenset[int]:
    """Return the ids of the memories that a session's text of another surface contains.

    Args:
        session: its handle.
    """
    return frozen_rows.memories(conn, find_session(conn, session).id, surface)


def read_frozen(store: Store, session: str, surface: Surface, actor: Actor = "owner") -> str | None:
    """Return a session's text, None if it has none yet; nothing is made.

    Args:
        session: its handle; the owner may also use its uid.

    Raises:
        NotFoundError: there is no such session in this group.
    """
    with reading(store) as conn:
        return frozen_rows.read(conn, find_session(conn, session, actor).id, surface)

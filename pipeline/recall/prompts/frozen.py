"""Show a session the same bytes for as long as it lives, so that a prompt's prefix stays cached."""

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

Surface = Literal["snapshot", "brief"]


@dataclass(frozen=True, slots=True)
class FrozenText:
    """A text for a prompt, and the ids of the memories it shows."""

    body: str
    memory_ids: Sequence[int]


def freeze(
    store: Store,
    session: str,
    surface: Surface,
    clock: Clock,
    make: Callable[[Connection, datetime], FrozenText],
) -> str:
    """Return what a session is shown, made and kept when it first asks.

    It is made as of the session's start, so it does not matter when that is; and while no other
    writer is at work, so of two processes that ask at once one makes it and both show it.

    Args:
        session: its handle.
        make: reads the store as it was at a moment, the session's start.

    Raises:
        NotFoundError: there is no such session in this group.
        UnavailableError: it is new, and the store cannot be written now.
    """
    found = read_frozen(store, session, surface, "agent")
    if found is not None:
        return found
    with writing(store) as conn:
        of = find_session(conn, session)
        found = frozen_rows.kept(conn, of.id, surface)
        if found is not None:
            return found
        shown = make(conn, of.started_at)
        ids = sorted(shown.memory_ids)
        frozen_rows.keep(conn, of.id, surface, shown.body, ids, to_micros(clock()))
        return shown.body


def read_frozen(store: Store, session: str, surface: Surface, actor: Actor = "owner") -> str | None:
    """Return what a session was shown, None if it was shown none yet; looking changes nothing.

    Args:
        session: its handle; its owner may also say its uid.

    Raises:
        NotFoundError: there is no such session in this group.
    """
    with reading(store) as conn:
        return frozen_rows.kept(conn, find_session(conn, session, actor).id, surface)

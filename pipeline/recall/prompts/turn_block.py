"""What one turn's prompt gets beside the frozen texts: the tags of the user that its answer needs.

It stands behind all that is cached, so that no question changes the bytes of the prefix.
"""

from collections.abc import Callable

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.memory.checks import is_name
from afterword.pipeline.domain.profile.portrait import traits_at
from afterword.pipeline.domain.sessions import rows as session_rows
from afterword.pipeline.domain.sessions.model import Session, Turn
from afterword.pipeline.domain.sessions.sessions import find_session
from afterword.pipeline.errors import NotFoundError
from afterword.pipeline.recall.prompts import frozen_rows, turn_tag_rows
from afterword.pipeline.recall.prompts.personalization_block import tag_lines
from afterword.pipeline.recall.prompts.turn_choice import TurnChoice, TurnModel, choose_turn_tags
from afterword.pipeline.recall.prompts.turn_preview import render_turn


def turn_block(
    store: Store,
    session: str,
    turn: str,
    clock: Clock,
    find_model: Callable[[], TurnModel | None] = lambda: None,
) -> str:
    """Return the block of a turn: the same bytes each time; empty if the turn needs none.

    Tags are told as they were at the start of the turn. What the session started with is not told
    again.

    Args:
        session: its handle.
        turn: its uid.
        find_model: returns the model that is asked which tags it needs, once for a turn; None for
            the rules.

    Raises:
        NotFoundError: there is no such session in this group, or it has no such turn.
        UnavailableError: a model was asked, and the store cannot be written now.
    """
    with reading(store) as conn:
        held, asked = _turn(conn, session, turn)
        choice = turn_tag_rows.of_turn(conn, asked.id)
    if choice is None:
        choice = _chosen(store, asked, find_model(), clock)
    if not choice.dimensions:
        return ""
    with reading(store) as conn:
        started = to_micros(asked.started_at)
        lines = tag_lines(traits_at(conn, asked.started_at, started), choice.dimensions)
        told = frozen_rows.read(conn, held.id, "personalization") or ""
    before = frozenset(told.splitlines())
    return render_turn([line for line in lines if line not in before])


def _turn(conn: Connection, session: str, turn: str) -> tuple[Session, Turn]:
    held = find_session(conn, session)
    asked = session_rows.turn(conn, held, turn) if is_name(turn) else None
    if asked is None:
        raise NotFoundError("this session has no such turn; begin one")
    return held, asked


def _chosen(store: Store, turn: Turn, model: TurnModel | None, clock: Clock) -> TurnChoice:
    choice = choose_turn_tags(model, turn.message, group=store.name, occasion=turn.uid)
    if model is None or not model.mode.is_enabled:
        return choice  # the rules say the same each time
    with writing(store) as conn:
        turn_tag_rows.keep(conn, turn.id, choice, to_micros(clock()))
        # Of two processes at once the first one's choice counts, for both.
        return turn_tag_rows.of_turn(conn, turn.id) or choice

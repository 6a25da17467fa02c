"""Undo a decision: settle the retired fact again."""

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.store import Store, writing
from afterword.pipeline.domain.facts import event_rows, rows
from afterword.pipeline.domain.facts.model import Event, NewEvent
from afterword.pipeline.domain.memory.model import Actor
from afterword.pipeline.domain.memory.supersede import bring_back
from afterword.pipeline.errors import ConflictError, InvalidInputError, NotFoundError

_RETIRING = ("retired", "superseded")


def undo_event(store: Store, event_id: int, clock: Clock, *, actor: Actor = "owner") -> Event:
    """Settle a retired fact again, beside the one that replaced it.

    The two are never compared again. A read as of a moment in between still does not see it.

    Returns:
        The event that records it.

    Raises:
        NotFoundError: there is no such event, or the fact was erased.
        InvalidInputError: that event retired no fact.
        ConflictError: it is undone already, or the fact changed since.
    """
    with writing(store) as conn:
        event = event_rows.find(conn, event_id)
        if event is None:
            raise NotFoundError(f"event {event_id} does not exist; see `afterword fact events`")
        _check_undoable(event)
        now = clock()
        undone = _undo(conn, event)
        assert event.other_id is not None
        bring_back(conn, event.memory_id, event.other_id, now, actor=actor)
        event_rows.keep(conn, [undone], to_micros(now))
        return event_rows.recent(conn, limit=1)[0]


def _check_undoable(event: Event) -> None:
    if event.kind not in _RETIRING:
        problem = f"{event.id} is of kind {event.kind}: it retired no fact"
        raise InvalidInputError("event", problem, "one of kind retired or superseded")
    if event.undone:
        raise ConflictError(f"event {event.id} is undone already")


def _undo(conn: Connection, event: Event) -> NewEvent:
    loser, survivor = event.memory_id, event.other_id
    fact = rows.find(conn, loser)
    if fact is None:
        raise NotFoundError(f"fact {loser} of event {event.id} is deleted or erased")
    if not rows.revive(conn, loser, event.version):
        raise ConflictError(
            f"fact {loser} changed since event {event.id}: it is {fact.state}, version "
            f"{fact.version} instead of {event.version}; see `afterword fact show {loser}`"
        )
    other = rows.find(conn, survivor) if survivor is not None else None
    if other is not None and other.state == "settled" and event.kind == "retired":
        # The survivor may have been restated by the retired fact, which counts by itself again.
        rows.set_said_at(conn, [(other.id, rows.last_said(conn, other.id))])
    detail = {"reason": "owner", "undoes": event.kind}
    return NewEvent("undone", loser, survivor, event.version + 1, "owner", detail, undoes=event.id)

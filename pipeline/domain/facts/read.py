"""Read facts and the decisions about them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final, get_args

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.facts import event_rows, rows
from afterword.pipeline.domain.facts.model import Event, EventKind, Fact, FactState, KnownFact
from afterword.pipeline.domain.memory import rows as memory_rows
from afterword.pipeline.domain.memory.checks import check_limit, check_word
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.errors import NotFoundError

MAX_FACTS_READ: Final = 1_000
"""Facts or events of one read."""


@dataclass(frozen=True, slots=True)
class FactDetails:
    """A fact with the decisions it took part in, the newest first."""

    fact: Fact
    events: tuple[Event, ...]


def standing_facts(
    store: Store, limit: int = 100, *, as_of: datetime | None = None
) -> list[KnownFact]:
    """Return the facts a reader sees, last known first.

    Args:
        limit: up to `MAX_FACTS_READ`.
        as_of: those visible at this moment, without anything recorded or decided later.

    Raises:
        InvalidInputError: a limit out of range, or a moment that was purged.
    """
    check_limit(limit, MAX_FACTS_READ)
    with reading(store) as conn:
        return rows.visible(conn, limit, read_moment(conn, as_of))


def list_facts(store: Store, state: FactState | None = None, limit: int = 100) -> list[Fact]:
    """Return facts in every state, or in one, last known first.

    Raises:
        InvalidInputError: no such state, or a limit out of range.
    """
    check_limit(limit, MAX_FACTS_READ)
    if state is not None:
        check_word(state, get_args(FactState), "state")
    with reading(store) as conn:
        return rows.listed(conn, state, limit)


def count_unjudged(store: Store) -> int:
    """Return how many facts wait to be compared; each costs one question at most."""
    with reading(store) as conn:
        return rows.count_unjudged(conn)


def show_fact(store: Store, fact_id: int) -> FactDetails:
    """Return one fact and the decisions about it.

    Raises:
        NotFoundError: there is no such fact, it is deleted, or a memory of another kind.
    """
    with reading(store) as conn:
        fact = rows.find(conn, fact_id) if fact_id.bit_length() < 64 else None
        if fact is None and memory_rows.find(conn, fact_id) is not None:
            raise NotFoundError(
                f"memory {fact_id} is deleted, or not a fact of `afterword fact ls`; see "
                "`afterword memory read`"
            )
        if fact is None:
            raise NotFoundError(f"fact {fact_id} does not exist, or is deleted")
        return FactDetails(fact, tuple(event_rows.recent(conn, MAX_FACTS_READ, memory_id=fact_id)))


def list_events(store: Store, kind: EventKind | None = None, limit: int = 100) -> list[Event]:
    """Return the latest decisions, the newest first.

    Raises:
        InvalidInputError: no such kind, or a limit out of range.
    """
    check_limit(limit, MAX_FACTS_READ)
    if kind is not None:
        check_word(kind, get_args(EventKind), "kind")
    with reading(store) as conn:
        return event_rows.recent(conn, limit, kind)

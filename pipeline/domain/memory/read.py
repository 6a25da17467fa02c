"""Read one memory by its name, or the newest visible ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.memory import rows
from afterword.pipeline.domain.memory.checks import check_limit, check_word, short_repr
from afterword.pipeline.domain.memory.model import MEMORY_CATEGORIES, Memory
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.errors import NotFoundError

MAX_MEMORIES_READ: Final = 1_000
"""Rows of one read: with the longest texts, 100 MB."""

MOST_REPLACED: Final = 100
"""Memories that one replaced, in its story; count."""


def get_memory(store: Store, memory: str | int) -> Memory:
    """Return one memory, superseded or not.

    Args:
        memory: its uid, or its id inside the store.

    Raises:
        NotFoundError: there is no such memory, or it is deleted.
    """
    with reading(store) as conn:
        row = rows.find(conn, memory)
    if row is None or row.deleted_at is not None:
        raise NotFoundError(f"memory {short_repr(memory)} does not exist, or is deleted")
    return row


@dataclass(frozen=True, slots=True)
class MemoryStory:
    """One memory, deleted or not, and what it replaced or was replaced by.

    Args:
        successor: the memory that stands in its place; None if none does.
        predecessors: those that it replaced, the last one first; at most `MOST_REPLACED`.
    """

    memory: Memory
    successor: Memory | None
    predecessors: Sequence[Memory]


def memory_story(store: Store, memory: str | int) -> MemoryStory:
    """Return one memory, also a deleted one, with what it replaced and what replaced it.

    Args:
        memory: its uid, or its id inside the store.

    Raises:
        NotFoundError: there is no such memory.
    """
    with reading(store) as conn:
        row = rows.find(conn, memory)
        if row is None:
            raise NotFoundError(f"memory {short_repr(memory)} does not exist")
        successor = None if row.superseded_by is None else rows.find(conn, row.superseded_by)
        return MemoryStory(row, successor, rows.replaced_by(conn, row.id, MOST_REPLACED))


def deleted_memories(store: Store, limit: int = 20) -> list[Memory]:
    """Return deleted memories that are not purged yet, the last deleted first.

    Raises:
        InvalidInputError: a limit out of range.
    """
    check_limit(limit, MAX_MEMORIES_READ)
    with reading(store) as conn:
        return rows.deleted(conn, limit)


def read_memories(
    store: Store,
    category: str | None = None,
    limit: int = 20,
    *,
    as_of: datetime | None = None,
) -> list[Memory]:
    """Return visible memories, last updated first, without ranking them.

    Args:
        category: only these; all if missing.
        limit: up to `MAX_MEMORIES_READ`.
        as_of: read what was visible at this moment.

    Raises:
        InvalidInputError: no such category, a limit out of range, or a moment that was purged.
    """
    check_limit(limit, MAX_MEMORIES_READ)
    if category is not None:
        check_word(category, MEMORY_CATEGORIES, "category")
    with reading(store) as conn:
        return rows.recent(conn, category, limit, as_of=read_moment(conn, as_of))

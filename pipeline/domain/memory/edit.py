"""Edit what the owner wrote by hand: a new row supersedes the old one."""

from collections.abc import Sequence
from typing import Any

from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.memory import rows
from afterword.pipeline.domain.memory.checks import short_repr
from afterword.pipeline.domain.memory.model import Actor, Memory, MemoryIds, NewMemory
from afterword.pipeline.domain.memory.supersede import supersede
from afterword.pipeline.domain.memory.write import insert_memory
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.errors import ConflictError, InvalidInputError, NotFoundError


def edit_memory(
    by: Writer,
    memory: str | int,
    *,
    content: str | None = None,
    metadata: dict[str, Any] | None = None,
    tags: Sequence[str] | None = None,
) -> MemoryIds:
    """Write a memory again as a new row; reads of the past still find the old one.

    Args:
        memory: its uid, or its id inside the store.
        content: the new text; None leaves it as it is, here and below.

    Returns:
        The ids of the new row.

    Raises:
        NotFoundError: there is no such memory, or it is deleted.
        ConflictError: it was edited or superseded before; read it again.
        InvalidInputError: a memory this actor may not edit (`is_editable`), or a bad value.
    """
    if content is None and metadata is None and tags is None:
        raise InvalidInputError("content", "is missing, and nothing else changes", "a new text")
    with writing(by.store) as conn:
        old = rows.find(conn, memory)
        if old is None or old.deleted_at is not None:
            raise NotFoundError(f"memory {short_repr(memory)} does not exist, or is deleted")
        if not is_editable(old, by.actor):
            raise _refusal(old, by.actor)
        if old.superseded_at is not None:
            raise ConflictError(
                f"memory {short_repr(memory)} was changed before; read what replaced it"
            )
        now = by.clock()
        new = NewMemory(
            old.category,
            old.content if content is None else content,
            old.metadata if metadata is None else metadata,
            source=old.source,
            origin=old.origin,
            tags=old.tags if tags is None else tags,
            session_id=old.session_id,
            occurred_at=old.occurred_at,
            scenario_id=old.scenario_id,
        )
        written = insert_memory(conn, by, new, now)
        supersede(conn, by, old.id, written.id, now)
        return written


def is_editable(memory: Memory, actor: Actor) -> bool:
    """Say whether an actor may edit a memory: only the owner, what the owner wrote by hand (R1)."""
    by_hand = memory.category == "personalization" and memory.source == "user_manual"
    return actor == "owner" and by_hand


def _refusal(memory: Memory, actor: Actor) -> InvalidInputError:
    """Return why a memory may not be edited, and what to do instead."""
    if actor != "owner":
        problem, instead = "is only its owner's to edit", "an entry that supersedes it"
    elif memory.type is not None:
        problem = f"is a typed {memory.category}, which is replaced and not edited"
        instead = f"`afterword entry store TYPE TEXT --supersedes {memory.uid}`"
    else:
        problem = (
            f"was not written by hand as personalization ({memory.category}), and stays as it is"
        )
        instead = "a personalization you wrote by hand"
    return InvalidInputError("memory", problem, instead)

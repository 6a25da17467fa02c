"""Change what the owner wrote by hand: the new words take the old ones' place."""

from collections.abc import Sequence
from typing import Any

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.store import Store, writing
from afterword.pipeline.domain.memory import rows
from afterword.pipeline.domain.memory.checks import shown
from afterword.pipeline.domain.memory.model import Actor, Memory, MemoryIds, NewMemory
from afterword.pipeline.domain.memory.supersede import supersede
from afterword.pipeline.domain.memory.write import insert_memory
from afterword.pipeline.errors import ConflictError, InvalidInputError, NotFoundError
from afterword.pipeline.ids import IdSource


def edit_memory(
    store: Store,
    memory: str | int,
    clock: Clock,
    ids: IdSource,
    *,
    content: str | None = None,
    metadata: dict[str, Any] | None = None,
    tags: Sequence[str] | None = None,
    actor: Actor = "owner",
    embedding_enabled: bool = False,
) -> MemoryIds:
    """Write a memory anew under a new name; reads of the past still find the old words.

    Args:
        memory: its uid, or its id inside the store.
        content: the new text; what is None stays as it is, here and below.

    Returns:
        The name of the row that stands from now on.

    Raises:
        NotFoundError: there is no such memory, or it is deleted.
        ConflictError: it was edited or superseded before; read it again.
        InvalidInputError: a memory this actor may not edit (`is_editable`), or a bad value.
    """
    if content is None and metadata is None and tags is None:
        raise InvalidInputError("content", "is missing, and nothing else changes", "a new text")
    with writing(store) as conn:
        old = rows.find(conn, memory)
        if old is None or old.deleted_at is not None:
            raise NotFoundError(f"memory {shown(memory)} does not exist, or is deleted")
        if not is_editable(old, actor):
            raise _kept(old, actor)
        if old.superseded_at is not None:
            raise ConflictError(f"memory {shown(memory)} was changed before; read what replaced it")
        now = clock()
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
        written = insert_memory(
            conn, new, now, ids, actor=actor, embedding_enabled=embedding_enabled
        )
        supersede(conn, old.id, written.id, now, actor=actor)
        return written


def is_editable(memory: Memory, actor: Actor) -> bool:
    """Say whether an actor may edit a memory: its owner, what the owner wrote by hand (R1)."""
    by_hand = memory.category == "personalization" and memory.source == "user_manual"
    return actor == "owner" and by_hand


def _kept(memory: Memory, actor: Actor) -> InvalidInputError:
    """Return why a memory stays as it is, and what its reader can do instead."""
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

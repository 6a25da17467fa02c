"""The tools that write and delete memories, within the limits of the session."""

from collections.abc import Sequence
from typing import Annotated, Any

from afterword.pipeline.doors.agent import write
from afterword.pipeline.doors.agent.arguments import (
    MOST_TAGS,
    Category,
    Content,
    EntryContent,
    Tag,
    Type,
    described,
)
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.doors.agent.model import StoredMemory


def memory_write(
    door: Door,
    category: Annotated[
        Category,
        described(
            "The kind of memory. preference, instruction, correction and context: memory_store."
        ),
    ],
    content: Content,
    metadata: Annotated[dict[str, Any] | None, described("An object kept with it.")] = None,
) -> StoredMemory:
    """Remember what you noticed or learned: an observation, a lesson, a fact about the world.
    What the user said goes to `memory_store`.

    Args:
        category: such as `observation`, `lesson` or `fact`; a fact is joined with restatements of
            it later.
        content: up to 100,000 characters; 2,000 for a fact.
        metadata: a JSON object stored with it; nothing in it is trusted.

    Raises:
        InvalidInputError: an argument is wrong, or the session has ended.
        BudgetExceededError: the session has no more stores.
    """
    return write.write(
        door.writer, door.limits, category, content, {} if metadata is None else metadata
    )


def memory_store(
    door: Door,
    type: Annotated[
        Type,
        described(
            "preference: a wish of the user; correction: of what you did; instruction: a standing "
            "order; fact: about the user; context: what the next session must know."
        ),
    ],
    content: EntryContent,
    tags: Annotated[Sequence[Tag], described("Words to find it by.", **MOST_TAGS)] = (),
    supersedes: Annotated[str | None, described("Id of the entry this one replaces.")] = None,
) -> StoredMemory:
    """Remember what the user said, and what the next session must know: prompts begin with it.
    What you noticed or learned yourself goes to `memory_write`.

    Args:
        type: `preference`, `fact`, `instruction`, `context` or `correction`.
        content: up to 2,000 characters.
        tags: up to 10 of up to 50 characters.
        supersedes: id of the entry this one replaces; not one of the owner's own words.

    Raises:
        InvalidInputError: an argument is wrong, or the session has ended.
        NotFoundError: there is no entry to supersede.
        ConflictError: it was superseded before.
        BudgetExceededError: the session has no more stores, or supersedes.
    """
    return write.store_entry(door.writer, door.limits, type, content, tags, supersedes)


def memory_delete(door: Door, id: Annotated[str, described("Id of the entry.")]) -> None:
    """Delete an entry; its owner can restore it for thirty days.

    Args:
        id: of a typed entry; not one of the owner's own words.

    Raises:
        InvalidInputError: an agent may not delete it, or the session has ended.
        NotFoundError: there is no such entry, or it is deleted already.
        BudgetExceededError: the session has no more deletes.
    """
    write.delete_entry(door.writer, door.limits, id)

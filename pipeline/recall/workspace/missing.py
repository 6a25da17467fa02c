"""What the store keeps for good and the files of the workspace do not say.

The files are the owner's and the agent's: nothing here writes them.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from afterword.pipeline.core.store import Store
from afterword.pipeline.domain.facts.agreement import Signature, signature
from afterword.pipeline.domain.memory.model import BEHAVIORAL, Memory
from afterword.pipeline.domain.memory.read import MAX_MEMORIES_READ, read_memories
from afterword.pipeline.recall.prompts.sanitize import SHORT, sanitize
from afterword.pipeline.recall.workspace.withhold import passages

DURABLE: Final = (*sorted(BEHAVIORAL), "fact", "personalization")
"""Categories of what is to be kept: rules of the user, facts, and what is known about them."""

SAID_SHARE: Final = 0.8
"""Share of the content words of a memory that a passage must have to say the same."""


class MissingMemory(NamedTuple):
    """A memory that the files do not say.

    Args:
        text: on one line, as a prompt would show it.
    """

    id: str
    category: str
    text: str


def missing_memories(
    store: Store, files: Mapping[str, str], as_of: datetime | None = None
) -> list[MissingMemory]:
    """Return what the store keeps for good and no file says that stays: the oldest first.

    A file says a memory if one passage has its numbers, its assets and most of its words, and both
    or neither deny something. Notes of days do not count: they leave the prompt after three days.
    Words of the web, and what reads like an order, are left out.

    Args:
        files: what the files say, or said then, by name.

    Raises:
        InvalidInputError: a moment without time zone, or one that was purged.
    """
    said = [
        signature(" ".join(lines))
        for name, text in files.items()
        if name.endswith(("USER.md", "MEMORY.md"))
        for lines in passages(text)
    ]
    return [
        MissingMemory(memory.uid, memory.category, sanitize(memory.content, SHORT))
        for memory in _durable(store, as_of)
        if not _is_said(signature(memory.content), said)
    ]


def _durable(store: Store, as_of: datetime | None) -> Iterator[Memory]:
    found: list[Memory] = []
    for category in DURABLE:
        found += read_memories(store, category, MAX_MEMORIES_READ, as_of=as_of)
    for memory in sorted(found, key=lambda row: row.id):
        if memory.origin != "web" and not memory.flagged:
            yield memory


def _is_said(memory: Signature, said: Sequence[Signature]) -> bool:
    return any(_says(passage, memory) for passage in said)


def _says(passage: Signature, memory: Signature) -> bool:
    numbers = {number.value for number in passage.numbers}
    return (
        bool(passage.denied) == bool(memory.denied)
        and {number.value for number in memory.numbers} <= numbers
        and set(memory.entities) <= set(passage.entities)
        and len(memory.words & passage.words) >= SAID_SHARE * len(memory.words)
        and memory.length > 0
    )

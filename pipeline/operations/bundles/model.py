"""What a reader of another program's memory yields."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from afterword.pipeline.core.files.plain_tree import PlainTree

MOST_FOREIGN_BYTES = 64 * 1024 * 1024
"""Of a file of another program, which is read whole."""


@dataclass(frozen=True, slots=True)
class ForeignMemory:
    """What another program remembered, as a memory of ours will say it.

    Args:
        path: of its file.
        category: `observation`, `personalization` or `lesson`: never one that gives the agent a
            rule, since nobody here said it.
        occurred_at: when it happened, if the program says so; aware.
        metadata: what else the program says of it.
    """

    path: str
    content: str
    category: str = "observation"
    tags: tuple[str, ...] = ()
    occurred_at: datetime | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


class NotCarried(NamedTuple):
    """A file, or something in it, that does not become a memory, and why."""

    path: str
    why: str


Found = ForeignMemory | NotCarried


class BundleReader(Protocol):
    """Reads what one other program remembered."""

    @property
    def name(self) -> str:
        """Name of the program, in small letters."""

    def recognises(self, tree: PlainTree) -> bool:
        """Say whether a folder is of this program."""

    def read(self, tree: PlainTree, path: str) -> Iterator[Found]:
        """Yield everything in a file of the folder: what becomes a memory, and what does not.

        Raises:
            InvalidInputError: the file cannot be read.
        """

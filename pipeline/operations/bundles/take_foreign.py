"""Write what another program remembered; what cannot be written is listed."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import chain, islice
from typing import Final

from afterword.pipeline.core.files.plain_tree import PlainTree
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import prepare
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions.import_memories import ImportLine, import_memories
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.operations.bundles.model import (
    BundleReader,
    ForeignMemory,
    Found,
    NotCarried,
)
from afterword.pipeline.rules.masking import mask

_AT_ONCE: Final = 1_000
"""Memories that one transaction writes."""

_KEY_CHARS: Final = 32
_LISTED: Final = 20
"""What is not carried of one file, by its reason."""


class ForeignFile:
    """What became of one file; counts.

    Args:
        problems: what is not carried, and why.
    """

    def __init__(self) -> None:
        self.new = self.known = self.not_carried = 0
        self.problems: list[str] = []
        self.notes: dict[str, int] = {}

    def leave(self, why: str) -> None:
        """Note something that is not carried."""
        self.not_carried += 1
        if len(self.problems) < _LISTED:
            self.problems.append(why)


def take_foreign(by: Writer, tree: PlainTree, reader: BundleReader) -> dict[str, ForeignFile]:
    """Write what a program remembered, once: the same words of it again change nothing.

    A file that cannot be read is not carried; the others are.

    Returns:
        What became of each file, by its path.

    Raises:
        UnavailableError: the store cannot be written now.
    """
    files: defaultdict[str, ForeignFile] = defaultdict(ForeignFile)
    found = chain.from_iterable(_found(reader, tree, path) for path in tree.files)
    while batch := list(islice(found, _AT_ONCE)):
        lines: list[ImportLine] = []
        places: list[str] = []
        keys: set[str] = set()
        for one in batch:
            file = files[one.path]
            if isinstance(one, NotCarried):
                file.leave(one.why)
                continue
            try:
                line = _line(by, reader.name, one, len(places))
            except InvalidInputError as error:
                file.leave(f"{error}")
                continue
            if line.key in keys:
                file.known += 1
                continue
            keys.add(line.key or "")
            lines.append(line)
            places.append(one.path)
            if line.row.flags:
                words = f"it reads like an order to the agent ({' '.join(line.row.flags)}): flagged"
                file.notes[words] = file.notes.get(words, 0) + 1
        _write(by, lines, places, files)
    return dict(files)


def _found(reader: BundleReader, tree: PlainTree, path: str) -> Iterator[Found]:
    is_empty = True
    try:
        for found in reader.read(tree, path):
            is_empty = False
            yield found
    except InvalidInputError as error:
        yield NotCarried(path, f"{error}")
    else:
        if is_empty:
            yield NotCarried(path, "it says nothing")


def _write(
    by: Writer, lines: Sequence[ImportLine], places: Sequence[str], files: dict[str, ForeignFile]
) -> None:
    for place, written in zip(places, import_memories(by, lines), strict=True):
        files[place].new += written.is_new
        files[place].known += not written.is_new
    emit("import.rows_written", name="foreign")


def _line(by: Writer, program: str, memory: ForeignMemory, place: int) -> ImportLine:
    at = f"memories[{place}]"
    new = NewMemory(
        memory.category,
        memory.content,
        metadata={"from": program, "file": memory.path, **memory.metadata},
        origin="import",
        tags=memory.tags,
        occurred_at=memory.occurred_at,
    )
    row = prepare(new, by.ids(), by.actor, f"{memory.path}: ")
    # By its words as they are stored: the same entry in two copies of a file is one memory.
    said = f"{memory.category}\0{row.content}\0{row.occurred_at}"
    key = f"{program}:{sha256(said.encode()).hexdigest()[:_KEY_CHARS]}"
    return ImportLine(row, None, mask(key), at)

"""Read a workspace; the folder is never written to."""

import os
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Final

from afterword.pipeline.core.files.inside import read_inside
from afterword.pipeline.domain.workspace.layouts import (
    MOST_NOTES,
    files_of,
    layout_of,
    notes_folder,
    notes_of,
)
from afterword.pipeline.domain.workspace.model import (
    FilePlace,
    ReadWorkspace,
    WorkspaceFault,
    WorkspaceFile,
    WorkspaceText,
)
from afterword.pipeline.domain.workspace.source import DAYS, WorkspaceSource
from afterword.pipeline.domain.workspace.text import prompt_text
from afterword.pipeline.errors import InvalidInputError

_BYTES_A_CHARACTER: Final = 4
_SPARE_BYTES: Final = 65_536

_AT_A_START: Final = frozenset({"IDENTITY.md"})
"""Files of no prompt that a session reads all the same."""

_MOST_SEEN: Final = 2_000
"""Files of a folder that are listed (count)."""

_OTHERS: Final = frozenset({"node_modules", "site-packages"})
"""Folders of other programs' packages, with files in the thousands."""


def read_workspace(
    source: WorkspaceSource, at: datetime, *, with_display: bool = False
) -> ReadWorkspace:
    """Return the files of a workspace as a session reads them that begins at a moment.

    Args:
        with_display: also the files that no prompt has.

    Raises:
        InvalidInputError: there is no such folder.
    """
    source.check()
    layout = layout_of(source)
    texts: list[WorkspaceText] = []
    faults: list[WorkspaceFault] = []
    for file in files_of(source, layout):
        if with_display or file.place != "display" or file.name in _AT_A_START:
            _add(source, file, texts, faults)
    folder = notes_folder(source, layout)
    try:
        notes = notes_of(source.folder, folder, source.days(at)) if folder else []
    except InvalidInputError as refusal:
        notes, faults = [], [*faults, _fault(refusal)]
    for name in notes[:MOST_NOTES]:
        _add(source, WorkspaceFile(name, "memory", "agent"), texts, faults)
    if len(notes) > MOST_NOTES:
        problem = f"has {len(notes):,} notes of {DAYS} days"
        faults.append(WorkspaceFault(folder, problem, f"the latest {MOST_NOTES}, which are read"))
    return ReadWorkspace(layout, tuple(texts), tuple(faults))


def _add(
    source: WorkspaceSource,
    file: WorkspaceFile,
    texts: list[WorkspaceText],
    faults: list[WorkspaceFault],
) -> None:
    """Add what a file says, or why it is not read; nothing if there is no such file."""
    try:
        text = read_file(source, file)
    except InvalidInputError as refusal:
        faults.append(_fault(refusal))
    else:
        texts += [] if text is None else [text]


def read_file(source: WorkspaceSource, file: WorkspaceFile) -> WorkspaceText | None:
    """Return what a file says; None if there is no such file.

    Raises:
        InvalidInputError: it cannot be read, see `read_inside`; or its name is no text.
    """
    if not file.name.isprintable():
        problem = "has a name that cannot be printed"
        raise InvalidInputError(ascii(file.name), problem, "a name of letters, digits and signs")
    most = _BYTES_A_CHARACTER * source.file_chars + _SPARE_BYTES
    read = read_inside(source.folder, file.name, most)
    return None if read is None else prompt_text(file, read)


def unread_files(source: WorkspaceSource, read: ReadWorkspace) -> list[str]:
    """Return the markdown files below a workspace that were neither read nor refused, sorted."""
    known = {text.file.name for text in read.texts} | {fault.name for fault in read.faults}
    below = files_below(source.folder)
    return [name for name in below if name.endswith(".md") and name not in known]


def files_below(folder: Path) -> list[str]:
    """Return the names of the files below a folder, sorted; links are not followed."""
    return sorted(islice(_files(folder), _MOST_SEEN))


def in_place(texts: Iterable[WorkspaceText], place: FilePlace) -> list[WorkspaceText]:
    """Return the files of one place that say anything."""
    return [text for text in texts if text.file.place == place and text.text]


def _files(folder: Path) -> Iterator[str]:
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in _OTHERS]
        for name in names:
            path = Path(place, name)
            if path.is_file() and not path.is_symlink():
                yield path.relative_to(folder).as_posix()


def _fault(refusal: InvalidInputError) -> WorkspaceFault:
    return WorkspaceFault(refusal.field, refusal.problem, refusal.accepted)

"""Which files a workspace has, where each goes, and whose words it has.

Three layouts: that of R3, which is our own; that of OpenClaw, which has some more files; and that
of Hermes Agent, whose agent writes both of its memory files. Retired files are known: they are
shown to people, as others that no prompt has.
"""

import os
import re
from collections.abc import Callable, Collection, Iterator
from datetime import date
from pathlib import Path
from typing import Final

from afterword.pipeline.core.files.inside import names_inside
from afterword.pipeline.domain.workspace.model import WorkspaceFile, WorkspaceLayout
from afterword.pipeline.domain.workspace.source import FIRST_GROUP, WorkspaceSource

MOST_NOTES: Final = 30
"""Notes of one prompt: the newest of the days it has; OpenClaw may write one for each session."""

_NOTE: Final = re.compile(r"(\d{4}-\d{2}-\d{2})(?:-[^/]+)?\.md")
_DISPLAY: Final = ("IDENTITY.md", "TOOLS.md", "HEARTBEAT.md", "BOOT.md", "DREAMS.md")
_PROJECT: Final = (
    ".hermes.md",
    "HERMES.md",
    "AGENTS.override.md",
    "AGENTS.md",
    "CLAUDE.md",
    ".cursorrules",
)
"""Files of instructions of a project; Hermes reads the first there is."""

_MEMORIES: Final = ("MEMORY.md", "USER.md")
_IN_MEMORIES: Final = tuple(f"memories/{name}" for name in _MEMORIES)

Exists = Callable[[str], bool]


def layout_of(source: WorkspaceSource) -> WorkspaceLayout:
    """Return how a folder is laid out.

    That of Hermes has its memory files in `memories`; that folder alone is known by having nothing
    else.
    """
    if source.is_ours:
        return "own"
    exists = _exists(source.folder)
    if any(map(exists, _MEMORIES)):
        others = ("SOUL.md", "AGENTS.md", "BOOTSTRAP.md", "memory", "users", *_DISPLAY)
        return "openclaw" if any(map(exists, others)) else "hermes"
    return "hermes" if any(map(exists, (*_IN_MEMORIES, *_PROJECT[:2]))) else "openclaw"


def files_of(source: WorkspaceSource, layout: WorkspaceLayout) -> Iterator[WorkspaceFile]:
    """Yield the files that a folder may have, in the order of a prompt; notes of days come last.

    A file of the user is that of the group's user. In our folder those at the top are of the group
    `main`, and another group's are in `users/GROUP/`: what one user says reaches no other one. A
    folder that was named is read as it is, with `users/GROUP/USER.md` first.
    """
    yield WorkspaceFile("SOUL.md", "prefix", "owner")
    exists = _exists(source.folder)
    if layout == "hermes":
        yield from _hermes(exists)
        return
    yield WorkspaceFile("AGENTS.md", "prefix", "owner")
    own, named = top_of_user(source), f"users/{source.group}/USER.md"
    yield WorkspaceFile(named if exists(named) else f"{own}USER.md", "user", "owner")
    yield WorkspaceFile(f"{own}MEMORY.md", "memory", "agent")
    yield WorkspaceFile("BOOTSTRAP.md", "bootstrap", "owner")
    for name in _DISPLAY:
        yield WorkspaceFile(name, "display", "owner")


def top_of_user(source: WorkspaceSource) -> str:
    """Return where the files of the group's user are: `users/GROUP/`, or empty for the top."""
    return f"users/{source.group}/" if source.is_ours and source.group != FIRST_GROUP else ""


def notes_folder(source: WorkspaceSource, layout: WorkspaceLayout) -> str:
    """Return the folder of the notes of days; empty where a layout has none."""
    return "" if layout == "hermes" else f"{top_of_user(source)}memory"


def notes_of(folder: Path, name: str, days: Collection[date]) -> list[str]:
    """Return the notes of some days in a folder of notes, the latest day first.

    Raises:
        InvalidInputError: the folder cannot be read, or leads out of the workspace.
    """
    wanted = {day.isoformat() for day in days}
    notes = [
        (match[1], note)
        for note in names_inside(folder, name)
        if (match := _NOTE.fullmatch(note)) and match[1] in wanted
    ]
    return [f"{name}/{note}" for _, note in sorted(notes, key=lambda of: of[0], reverse=True)]


def _hermes(exists: Exists) -> Iterator[WorkspaceFile]:
    project = next(filter(exists, _PROJECT), None)
    if project is not None:
        yield WorkspaceFile(project, "prefix", "owner")
    top = "memories/" if any(map(exists, _IN_MEMORIES)) else ""
    for name in ("USER.md", "MEMORY.md"):
        yield WorkspaceFile(top + name, "memory", "agent")


def _exists(folder: Path) -> Exists:
    return lambda name: os.path.lexists(folder / name)

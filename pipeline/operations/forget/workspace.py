"""Files of the workspace that hold what is forgotten: they are named, and never changed."""

import stat
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from afterword.pipeline.core.files.inside import read_inside
from afterword.pipeline.domain.workspace.read import files_below
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.operations.forget.matching import Repeats, names_subject
from afterword.pipeline.operations.forget.model import ForgetRequest

MOST_BYTES: Final = 1024 * 1024
"""Of one file; of a larger one its beginning and its end are searched."""


def files_that_hold(
    folder: Path, request: ForgetRequest, contents: Sequence[str]
) -> tuple[Path, ...]:
    """Return the files below a workspace that name the subject, or repeat forgotten contents.

    A file is found by its name as well. The next session reads it again, so its owner has to take
    the words out of it.
    """
    repeats = Repeats(contents)
    names = names_subject(request.subject) if request.subject else None

    def holds(name: str) -> bool:
        text = _text(folder, name)
        return repeats.is_in(text, quotes=True) or (names is not None and names(text))

    return tuple(folder / name for name in files_below(folder) if holds(name))


def searched_whole(folder: Path) -> tuple[Path, ...]:
    """Return the files below a workspace that `files_that_hold` reads from beginning to end."""
    paths = (folder / name for name in files_below(folder))
    return tuple(path for path in paths if 0 <= _size(path) <= MOST_BYTES)


def _size(path: Path) -> int:
    """Return the size of a regular file in bytes; -1 for what is none."""
    with suppress(OSError):
        found = path.lstat()
        if stat.S_ISREG(found.st_mode):
            return found.st_size
    return -1


def _text(folder: Path, name: str) -> str:
    """Return what a file says, its name included."""
    said = [name.encode(errors="replace").decode().replace("-", " ").replace("_", " ")]
    with suppress(InvalidInputError):  # `workspace check` says so
        read = read_inside(folder, name, MOST_BYTES)
        said += [part.decode(errors="replace") for part in (read.head, read.tail)] if read else []
    return "\n".join(said)

"""Write a file as a whole: a reader, and a crash, find the old bytes or the new ones."""

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

from afterword.pipeline.errors import InvalidInputError

PRIVATE_MODE: Final = 0o600
"""Mode of a file that its owner alone may read."""

_NEW_MODE: Final = 0o644


def check_writable(path: Path) -> None:
    """Refuse a file that `write_whole` could not write, before anything else is written.

    Raises:
        InvalidInputError: its folder, or the one in which that is made, may not be written.
    """
    folder = Path(os.path.realpath(path)).parent
    while not folder.exists():
        folder = folder.parent
    if not (folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)):
        raise _refused(path, "its folder may not be written")


def write_whole(path: Path, content: bytes, mode: int | None = None) -> None:
    """Write a file in the place of what it held; where a link leads, the link stays.

    Args:
        mode: of the file; None keeps the mode that it has.

    Raises:
        InvalidInputError: it cannot be written.
    """
    place = Path(os.path.realpath(path))
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        if mode is None:
            mode = stat.S_IMODE(place.stat().st_mode) if place.exists() else _NEW_MODE
        fd, temporary = tempfile.mkstemp(prefix=f".{place.name}.", dir=place.parent)
        try:
            with os.fdopen(fd, "wb") as file:
                file.write(content)
                os.fchmod(fd, mode)
                file.flush()
                os.fsync(fd)
            Path(temporary).replace(place)
        except BaseException:
            with suppress(OSError):
                Path(temporary).unlink()
            raise
    except OSError as error:
        raise _refused(path, error.strerror or "no reason given") from None


def _refused(path: Path, reason: str) -> InvalidInputError:
    problem = f"{path} cannot be written ({reason})"
    return InvalidInputError("file", problem, "a file in a folder of yours")

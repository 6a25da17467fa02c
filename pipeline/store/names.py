"""Which group names are allowed, and where a group's file lies."""

import re
import stat
from pathlib import Path

from pipeline.errors import CorruptStoreError, InvalidInputError

_GROUP = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)


def checked_group(name: str) -> str:
    """Return the name if it is one, before any path is built from it.

    Raises:
        InvalidInputError: it could leave the groups folder or confuse a file system.
    """
    if not isinstance(name, str) or not _GROUP.fullmatch(name):
        raise InvalidInputError(
            "group", f"{name!r} is not a group name", "1-64 of the characters A-Z a-z 0-9 _ -"
        )
    return name


def group_path(home: Path, name: str) -> Path:
    """Return where the group's file lies (whether or not it exists)."""
    return home / "groups" / f"{checked_group(name)}.sqlite"


def check_plain_file(path: Path) -> None:
    """Refuse a path that leads to another group's file, or to no regular file.

    Raises:
        CorruptStoreError: a symbolic link, a second hard link, a directory or a device.
    """
    found = path.lstat()
    if stat.S_ISLNK(found.st_mode):
        raise CorruptStoreError(
            f"{path} is a symbolic link; move the real file here, a group's file is never shared"
        )
    if not stat.S_ISREG(found.st_mode):
        raise CorruptStoreError(f"{path} is not a regular file; move it away")
    if found.st_nlink > 1:
        raise CorruptStoreError(
            f"{path} has {found.st_nlink} hard links; remove the others, two names would share "
            "one file and one would miss the other's log"
        )

"""The allowed names of groups and replays, and the paths of their files."""

import os
import re
import stat
from pathlib import Path
from typing import Final

from afterword.pipeline.errors import CorruptStoreError, InvalidInputError

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}", re.ASCII)
_OLDER = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)
"""The older rule: a group that was made under it is opened, with a warning."""

_REPLAY: Final = "replay:"
"""Begins the address of a replay; no name of a group has a colon."""

_DEVICES = frozenset(
    {
        *("con", "prn", "aux", "nul"),
        *(f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10)),
    }
)
"""Names that Windows reads as a device, whatever follows a dot; in lower case."""

ACCEPTED = (
    "1-64 of the characters A-Z a-z 0-9 _ -, the first a letter or a digit, and no device name "
    "such as CON or NUL"
)

OLDER_NAME = (
    "group {name!r} has a name that new groups may not have; give it another with `afterword store "
    "backup DIR` and `afterword store restore DIR --group NEW --from={name}`"
)


def is_group(name: str) -> bool:
    """Return whether a group may exist under a name, by the new rule or the older one."""
    return _OLDER.fullmatch(name) is not None


def checked_group(name: str) -> str:
    """Return the name of a group that may exist, before any path is built from it.

    Raises:
        InvalidInputError: it could leave the groups folder or confuse a file system.
    """
    if not isinstance(name, str) or not is_group(name):
        raise InvalidInputError("group", f"{name!r} is not a group name", ACCEPTED)
    return name


def checked_new_group(name: str) -> str:
    """Return the name if a group may be made under it.

    Raises:
        InvalidInputError: not a group name, begins with `-` or `_`, or is a device name of Windows.
    """
    if is_older_name(checked_group(name)):
        raise InvalidInputError("group", f"{name!r} must not be the name of a new group", ACCEPTED)
    return name


def is_older_name(name: str) -> bool:
    """Return whether only the older rule allows this name."""
    return _NAME.fullmatch(name) is None or name.lower() in _DEVICES


def checked_group_in(home: Path, name: str) -> str:
    """Return the name of a group that exists in this home, or may be made there.

    Raises:
        InvalidInputError: neither exists, nor may a group be made under this name.
    """
    return name if os.path.lexists(group_path(home, name)) else checked_new_group(name)


def group_path(home: Path, name: str) -> Path:
    """Return the path of the group's file, which may not exist."""
    return home / "groups" / f"{checked_group(name)}.sqlite"


def replay_path(home: Path, name: str) -> Path:
    """Return the path of the replay's file, which may not exist.

    Raises:
        InvalidInputError: no group could be made under this name.
    """
    if not is_replay(name):
        raise InvalidInputError("replay", f"{name!r} is not a replay name", ACCEPTED)
    return home / "replays" / f"{name}.sqlite"


def is_replay(name: str) -> bool:
    """Return whether a replay may exist under a name: the rule of new groups."""
    return isinstance(name, str) and not is_older_name(name)


def address_of_replay(name: str) -> str:
    """Return the address of a replay: what messages, locks, logs and the budget call its file."""
    return _REPLAY + name


def replay_at(address: str) -> str | None:
    """Return the name of the replay with this address; None of the address of a group, its name."""
    return address.removeprefix(_REPLAY) if address.startswith(_REPLAY) else None


def checked_address(address: str) -> str:
    """Return the address of a group or a replay that may exist.

    Raises:
        InvalidInputError: neither may have this address.
    """
    replay = replay_at(address) if isinstance(address, str) else None
    if replay is None:
        return checked_group(address)
    if not is_replay(replay):
        raise InvalidInputError("replay", f"{replay!r} is not a replay name", ACCEPTED)
    return address


def log_path(path: Path) -> Path:
    """Return the path of a file's write-ahead log, which may not exist."""
    return path.with_name(f"{path.name}-wal")


def check_plain_file(path: Path) -> None:
    """Refuse a path that is another group's file, or not a regular file.

    Raises:
        CorruptStoreError: a symbolic link, a second hard link, a directory or a device.
    """
    check_regular(path)
    if (links := path.lstat().st_nlink) > 1:
        raise CorruptStoreError(
            f"{path} has {links} hard links; remove the others, two names would share "
            "one file and one would miss the other's log"
        )


def check_regular(path: Path) -> None:
    """Refuse a path that is not a regular file: opening it could follow a link or wait for a pipe.

    Raises:
        CorruptStoreError: a symbolic link, a directory, a pipe or a device.
    """
    mode = path.lstat().st_mode
    if stat.S_ISLNK(mode):
        raise CorruptStoreError(
            f"{path} is a symbolic link; move the real file here, a home's files are never shared"
        )
    if not stat.S_ISREG(mode):
        raise CorruptStoreError(f"{path} is not a regular file; move it away")

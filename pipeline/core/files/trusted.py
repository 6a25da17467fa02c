"""Files that this program runs or trusts: who may change one is checked before it is read.

The rule is that of OpenSSH's StrictModes, as Debian has it: a file and its folders belong to the
user of this process or to root, and nobody else may write them.
"""

import grp
import os
import pwd
import shlex
import stat
from contextlib import ExitStack
from pathlib import Path
from typing import Final, NamedTuple

from afterword.pipeline.errors import InvalidInputError

_ROOT: Final = 0
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
# A pipe put in the place of a file would wait for a writer.
_FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Distrust(NamedTuple):
    """Why a file or folder is not trusted.

    Args:
        remedy: the command, or the step, after which it is.
        names: the users and groups that both name.
    """

    problem: str
    remedy: str
    names: tuple[str, ...] = ()


def distrust_of(path: Path, status: os.stat_result) -> Distrust | None:
    """Return why a file or folder is not trusted; None if it is.

    Args:
        status: of the path itself, not of what a link leads to.
    """
    if stat.S_ISLNK(status.st_mode):
        return Distrust("is a symbolic link", "a copy of what it leads to, in its place")
    if status.st_uid not in (_ROOT, os.geteuid()):
        owner, me = _user(status.st_uid), _user(os.geteuid())
        problem = f"belongs to {owner}, not to {me}"
        return Distrust(problem, _command("chown", me, path), (owner, me))
    if status.st_mode & stat.S_IWOTH:
        return Distrust("may be written by every user", _command("chmod", "o-w", path))
    if status.st_mode & stat.S_IWGRP and not _is_own_group(status.st_gid):
        group = _group(status.st_gid)
        problem = f"may be written by the group {group}"
        return Distrust(problem, _command("chmod", "g-w", path), (group,))
    if stat.S_ISREG(status.st_mode) and status.st_nlink > 1:
        problem = f"has {status.st_nlink} hard links"
        return Distrust(problem, "a copy of it in its place")
    return None


def read_trusted(path: Path, top: Path | None = None) -> bytes:
    """Return the bytes of a file that nobody else may write.

    Each folder and the file is opened inside the one before it and checked as it was opened: what
    is put in their place meanwhile is not read.

    Args:
        top: the folder from which on folders are checked, itself included; they follow no link
            below it. None checks the file alone.

    Raises:
        InvalidInputError: somebody else may write it, or it is not a plain file.
        OSError: it cannot be read.
    """
    with ExitStack() as open_:
        above: int | None = None
        if top is not None:
            place = top
            above = _opened(open_, place, top, _FOLDER, None)
            for name in path.relative_to(top).parts[:-1]:
                place /= name
                above = _opened(open_, place, name, _FOLDER | os.O_NOFOLLOW, above)
        file = _opened(open_, path, path if above is None else path.name, _FILE, above)
        with os.fdopen(os.dup(file), "rb") as stream:
            return stream.read()


def _opened(open_: ExitStack, path: Path, name: str | Path, flags: int, above: int | None) -> int:
    """Open a folder or a file, and check it.

    Args:
        path: as errors name it; `name` is read inside the folder `above`.
    """
    if flags & os.O_NOFOLLOW:
        # Opening a link fails without saying so; the check below is the one that counts.
        _check(path, os.stat(name, dir_fd=above, follow_symlinks=False))
    fd = os.open(name, flags, dir_fd=above)
    open_.callback(os.close, fd)
    status = os.fstat(fd)
    _check(path, status)
    if not flags & os.O_DIRECTORY and not stat.S_ISREG(status.st_mode):
        raise InvalidInputError(str(path), "is not a regular file", "a plain file")
    return fd


def _check(path: Path, status: os.stat_result) -> None:
    distrust = distrust_of(path, status)
    if distrust is not None:
        raise InvalidInputError(str(path), distrust.problem, distrust.remedy)


def _is_own_group(number: int) -> bool:
    """Say whether only this user and root are in a group: many systems give each user one.

    With it goes the umask 002, which lets the group write each new file. A group whose members are
    not known is not one.
    """
    trusted = {_ROOT, os.geteuid()}
    try:
        members = {pwd.getpwnam(name).pw_uid for name in grp.getgrgid(number).gr_mem}
    except KeyError:
        return False
    members |= {user.pw_uid for user in pwd.getpwall() if user.pw_gid == number}
    return bool(members) and members <= trusted


def _command(program: str, to: str, path: Path) -> str:
    return f"{program} {to} {shlex.quote(str(path))}"


def _user(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


def _group(number: int) -> str:
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)

"""Check who may read and change the files of the home, and take from others what they need not."""

import os
import shlex
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from afterword.pipeline.core.files.trusted import distrust_of
from afterword.pipeline.operations.doctor.model import Finding, HomeTools

_READ: Final = 0o044
_WRITE: Final = 0o022
_ANY: Final = 0o077
"""Rights of others."""

_TRUSTED: Final = (
    *("skills", "skills/*.py", "keys", "keys/*", "groups", "replays", "owners"),
    *("workspace", "workspace/*.md"),
)
"""What is run or trusted, and the folders in which a file could be exchanged."""

_SECRET: Final = ("instance.sqlite", "groups/*.sqlite", "replays/*.sqlite", "keys/*")
"""Files that nobody else may open."""


class _Fault(NamedTuple):
    """A fault of one path.

    Args:
        mode: the mode that mends it; None if only a person can.
        private: names in what it says.
    """

    path: Path
    says: str
    remedy: str
    mode: int | None
    private: tuple[str, ...] = ()


def examine_access(home: Path) -> Iterator[Finding]:
    """Yield a finding for each file and folder that others may change, or open."""
    faults = list(_faults(home))
    for fault in faults:
        yield Finding("privacy", "wrong", fault.says, fault.remedy, fault.private)
    if faults:
        return
    if home.stat().st_mode & _READ:
        said = f"other users may list {home}, but open none of its files"
        yield Finding("privacy", "note", said, _chmod(0o700, home))
    else:
        yield Finding("privacy", "fine", "only this user may open the files")


def fix_access(tools: HomeTools) -> tuple[int, str]:
    """Take from others the right to change what is trusted, and to open secret files."""
    modes = {fault.path: fault.mode for fault in _faults(tools.home) if fault.mode is not None}
    if tools.apply:
        for path, mode in modes.items():
            path.chmod(mode)
    return len(modes), "takes from other users what they may change, or open, in the home"


def _faults(home: Path) -> Iterator[_Fault]:
    faults = [_distrusted(home)]
    if home.stat().st_uid in (0, os.geteuid()):  # else each file in it would say the same
        faults += map(_distrusted, _found(home, _TRUSTED))
        faults += map(_opened, _found(home, _SECRET))
    yield from (fault for fault in faults if fault is not None)


def _distrusted(path: Path) -> _Fault | None:
    status = path.lstat()
    distrust = distrust_of(path, status)
    if distrust is None:
        return None
    may_mend = status.st_mode & _WRITE and status.st_uid == os.geteuid() and not path.is_symlink()
    mode = stat.S_IMODE(status.st_mode) & ~_WRITE if may_mend else None
    private = (path.name, *distrust.names)
    return _Fault(path, f"{path} {distrust.problem}", distrust.remedy, mode, private)


def _opened(path: Path) -> _Fault | None:
    status = path.lstat()
    if path.is_symlink() or not status.st_mode & _ANY:
        return None
    mode = 0o600 if status.st_uid == os.geteuid() else None
    return _Fault(path, f"other users may open {path}", _chmod(0o600, path), mode)


def _found(home: Path, names: tuple[str, ...]) -> list[Path]:
    return [path for name in names for path in sorted(home.glob(name))]


def _chmod(mode: int, path: Path) -> str:
    return f"chmod {mode:o} {shlex.quote(str(path))}"

"""Limits of this process: file descriptors, the error when none is left, and sizes of files."""

import errno
import os
from contextlib import ExitStack
from pathlib import Path

from afterword.pipeline.errors import UnavailableError
from afterword.pipeline.posix import resource

NONE_LEFT = (errno.EMFILE, errno.ENFILE)
"""Error numbers for "too many open files": of this process, or of the machine."""

_WANTED = 8
"""Descriptors for copying a store: file, log and shared memory twice, and two locks."""


def limit() -> int:
    """Return how many files this process may open at once."""
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def file_size_limit() -> int | None:
    """Return how large a file this process may write (`ulimit -f`); bytes, None without a limit."""
    most = resource.getrlimit(resource.RLIMIT_FSIZE)[0]
    return None if most == resource.RLIM_INFINITY else most


def are_left(wanted: int = _WANTED) -> bool:
    """Return whether this many more files can be opened now."""
    with ExitStack() as opened:
        try:
            for _ in range(wanted):
                opened.callback(os.close, os.open(os.sep, os.O_RDONLY | os.O_CLOEXEC))
        except OSError as error:
            return error.errno not in NONE_LEFT
    return True


def none_left(what: str | Path) -> UnavailableError:
    """Return the error for a file or connection that could not be opened."""
    return UnavailableError(
        f"{what}: too many open files; this process may open {limit()}: raise the limit "
        "(`ulimit -n 4096`, or LimitNOFILE=4096 in its systemd unit) and start it again"
    )


def is_want_of(error: BaseException | None) -> bool:
    """Return whether an error, or one of its causes, is a lack of descriptors."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in NONE_LEFT:
            return True
        error = error.__cause__ or error.__context__
    return False

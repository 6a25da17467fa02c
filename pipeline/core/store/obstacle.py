"""Find why the operating system does not let a file be written."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from afterword.pipeline.descriptors import file_size_limit

_LEAST_FREE_BYTES: Final = 64 * 1024
"""Free disk below which SQLite cannot make the 32 KiB of shared memory that readers need too."""

_NEW_BYTES: Final = 1024 * 1024
"""Size of a new file with its tables, at least."""

Reason = Literal[
    "no disk",
    "read-only disk",
    "full disk",
    "no inodes",
    "read-only folder",
    "read-only file",
    "file size limit",
]


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A reason why a file cannot be written.

    Args:
        remedy: the obstacle and how to remove it, as part of a message.
    """

    reason: Reason
    remedy: str


def obstacle(path: Path) -> Obstacle | None:
    """Return the first obstacle to making or writing a file; None if there is none."""
    folder = path.parent
    try:
        disk = os.statvfs(folder)
    except OSError:  # the folder is gone: opening the file reports it
        return None
    if not disk.f_blocks:  # /proc, /sys: a view of the kernel, which is full by its own numbers
        remedy = f"the file system of {folder} stores no files; name a folder on a disk"
        return Obstacle("no disk", remedy)
    if disk.f_flag & os.ST_RDONLY:
        return Obstacle("read-only disk", "its disk is mounted read-only; mount it writable")
    if disk.f_bavail * disk.f_frsize < _LEAST_FREE_BYTES:
        return Obstacle("full disk", "its disk is full; free some disk space and try again")
    if disk.f_files and not disk.f_favail:
        return Obstacle("no inodes", "its disk has no inodes left; delete some files and try again")
    if not os.access(folder, os.W_OK | os.X_OK, effective_ids=True):
        return Obstacle("read-only folder", f"make the folder {folder} writable and try again")
    files = (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm")))
    for file in files:
        if file.exists() and not os.access(file, os.W_OK, effective_ids=True):
            return Obstacle("read-only file", f"make the file {file} writable and try again")
    limit = file_size_limit()
    largest = max((file.stat().st_size for file in files if file.exists()), default=_NEW_BYTES)
    if limit is not None and largest + _LEAST_FREE_BYTES > limit:
        most = f"this process may write {limit:,} bytes a file"
        return Obstacle("file size limit", f"{most}; raise the limit (`ulimit -f`) and try again")
    return None

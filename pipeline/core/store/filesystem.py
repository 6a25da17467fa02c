"""Refuse file systems on which SQLite's shared memory does not work; sync what was written."""

import os
from pathlib import Path

from afterword.pipeline.errors import UnavailableError

# WAL needs coherent shared memory; on these, corruption was reported within minutes.
_REMOTE = {
    *("nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ceph", "glusterfs", "lustre", "ncpfs"),
    *("9p", "virtiofs", "davfs", "fuse.sshfs", "fuse.glusterfs", "fuse.s3fs", "fuse.rclone"),
}


def filesystem_type(path: Path, mounts: str) -> str:
    """Return the type of the file system the path lies on.

    Args:
        path: absolute and resolved.
        mounts: text in the form of `/proc/self/mounts`.

    Returns:
        Such as `ext4`; `unknown` if no mount point matches.
    """
    best, found = -1, "unknown"
    for line in mounts.splitlines():
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        point = fields[1].replace("\\040", " ")
        if path.is_relative_to(point) and len(point) >= best:
            best, found = len(point), fields[2]
    return found


def check_local(folder: Path, mounts_file: Path = Path("/proc/self/mounts")) -> None:
    """Refuse a folder on a network or guest-shared file system.

    Raises:
        UnavailableError: the folder's file system cannot hold a SQLite write-ahead log safely.
    """
    try:
        mounts = mounts_file.read_text()
    except OSError:  # not Linux: nothing to read, nothing to claim
        return
    kind = filesystem_type(folder.resolve(), mounts)
    if kind in _REMOTE:
        raise UnavailableError(
            f"{folder} lies on {kind}, where SQLite files get corrupted; "
            "set AFTERWORD_HOME to a folder on a local disk"
        )


def sync(path: Path) -> None:
    """Sync a file, or the names in a folder, to the disk."""
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    except OSError:
        if not path.is_dir():  # some file systems cannot sync a folder
            raise
    finally:
        os.close(fd)

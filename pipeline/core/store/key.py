"""The secret key of the installation: without it, a digest in a file reveals nothing."""

import os
import secrets
from pathlib import Path
from typing import Final

from afterword.pipeline.core.files.trusted import read_trusted
from afterword.pipeline.core.store.failures import answered
from afterword.pipeline.core.store.filesystem import sync
from afterword.pipeline.core.store.names import check_regular
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.posix import fcntl

_NAME: Final = "hmac.key"
SIZE: Final = 32
"""Length of the key, equal to that of its digests; bytes."""


def secret_key(home: Path) -> bytes:
    """Return the key in `keys/`; the first call makes it, with mode 0600, and none replaces it.

    Raises:
        InvalidInputError: another user may write it, or its folder.
        CorruptStoreError: it is a link, a folder or a pipe.
        UnavailableError: it cannot be read or written.
    """
    path = home / "keys" / _NAME
    with answered(path):
        if not os.path.lexists(path):
            _make(path)
        check_regular(path)
        return read_trusted(path, top=path.parent)


def carried_key(path: Path) -> bytes:
    """Return the key of another home, which its owner brought.

    Args:
        path: of the file, or of that home.

    Raises:
        InvalidInputError: it is no key, or another user may write it.
        CorruptStoreError: it is a link, a folder or a pipe.
        UnavailableError: it cannot be read.
    """
    file = path / "keys" / _NAME if path.is_dir() else path
    with answered(file):
        check_regular(file)
        key = read_trusted(file)
    if len(key) != SIZE:
        problem = f"{file} has {len(key)} bytes"
        raise InvalidInputError("key", problem, f"keys/{_NAME} of a home, {SIZE} bytes")
    return key


def _make(path: Path) -> None:
    """Make the key unless another process did; a kill leaves a whole key or none."""
    fresh = path.with_name(f"{_NAME}.new")
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        if os.path.lexists(path):
            return
        fresh.unlink(missing_ok=True)
        fd = os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600)
        try:
            os.write(fd, secrets.token_bytes(SIZE))
            os.fsync(fd)
        finally:
            os.close(fd)
        fresh.rename(path)
        sync(path.parent)
    finally:
        os.close(folder)

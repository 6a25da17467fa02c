"""The secret key of the installation: without it, a digest in a file reveals nothing."""

import os
import secrets
from pathlib import Path
from typing import Final

from afterword.pipeline.core.store.failures import answered
from afterword.pipeline.core.store.manifest import sync
from afterword.pipeline.core.store.names import check_regular

NAME: Final = "hmac.key"
SIZE: Final = 32
"""Length of the key, equal to that of its digests; bytes."""


def secret_key(home: Path) -> bytes:
    """Return the key in `keys/`; the first call makes it, with mode 0600, and none replaces it.

    Raises:
        CorruptStoreError: it is a link, a folder or a pipe.
        UnavailableError: it cannot be read or written.
    """
    path = home / "keys" / NAME
    with answered(path):
        if not os.path.lexists(path):
            _make(path)
        check_regular(path)
        return path.read_bytes()


def _make(path: Path) -> None:
    """Write the whole key under another name first: a kill leaves a key or none."""
    fresh = path.with_name(f"{NAME}.{os.getpid()}.new")
    fresh.unlink(missing_ok=True)
    fd = os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        os.write(fd, secrets.token_bytes(SIZE))
        os.fsync(fd)
    finally:
        os.close(fd)
    try:
        path.hardlink_to(fresh)
    except FileExistsError:
        pass  # another process was first: use its key
    finally:
        fresh.unlink()
    sync(path.parent)

"""What the operating system and SQLite refuse, as errors a user can act on."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipeline.errors import CorruptStoreError, PipelineError, UnavailableError
from pipeline.store.driver import dbapi
from pipeline.telemetry import tell

_PASSING: tuple[tuple[str, str], ...] = (
    ("locked", "another program holds the file; close it and try again"),
    ("busy", "another program holds the file; close it and try again"),
    ("full", "free some disk space and try again; nothing was written"),
    ("disk I/O", "check the disk and its free space, then try again; nothing was written"),
    ("readonly", "make the file and its folder writable and try again"),
    ("unable to open", "its folder must be writable, with inodes and open files left"),
)
"""Parts of SQLite's messages about what may pass, and the remedy."""


def meaning(path: Path, said: str) -> PipelineError | None:
    """Return the error for what SQLite said about a file; None if it is our own mistake."""
    if "malformed" in said or "not a database" in said:
        return CorruptStoreError(
            f"{path} is damaged ({said}); stop all processes, run `afterword store check`, "
            "then `afterword store restore` from a backup"
        )
    for sign, remedy in _PASSING:
        if sign in said:
            tell("store.refused", reason=sign)
            return UnavailableError(f"{path}: {said}; {remedy}")
    return None


@contextmanager
def answered(path: Path) -> Iterator[None]:
    """Turn what is refused about a store's files into an error that names the remedy.

    Raises:
        UnavailableError: read-only, full, out of inodes or descriptors, locked, or not allowed.
        CorruptStoreError: the file is damaged.
    """
    try:
        yield
    except OSError as error:
        raise UnavailableError(
            f"{path}: {error.strerror}; its folder must be writable, with free space, inodes and "
            "open files left; mend that and try again"
        ) from error
    except dbapi.Error as error:
        raise meaning(path, str(error)) or error from error

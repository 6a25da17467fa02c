"""Copy one file as it is at one moment, while other processes write it."""

import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.core.store.failures import CORRUPT, code_of, meaning
from afterword.pipeline.core.store.opening import open_to_read

Progress = Callable[[str, int, int], None]
"""Receives a file's name, the copied pages and all pages."""

PAGES_A_STEP: Final = 4096
"""Pages copied between two progress reports: 16 MB; count."""


@contextmanager
def copied(
    source: Path,
    copy: Path,
    name: str = "",
    progress: Progress = lambda _name, _done, _all: None,
) -> Iterator[Any]:
    """Copy a file, and yield a raw autocommit connection to the copy, which has no log beside it.

    Args:
        source: never changed.
        copy: the path of a new file; made with mode 0600. After an error it may be half done.
        name: passed on to `progress`.

    Raises:
        UnavailableError: a file cannot be read or written, or the disk is full.
        OSError: the copy exists, or its folder does not.
        dbapi.Error: the file is damaged (a code in `CORRUPT`).
    """
    try:
        with closing(open_to_read(source)) as found, closing(_made(copy)) as made:
            found.execute("BEGIN")
            found.execute("SELECT 1 FROM sqlite_schema").fetchone()  # all steps read this moment
            found.backup(
                made,
                pages=PAGES_A_STEP,
                progress=lambda _status, left, pages: progress(name, pages - left, pages),
            )
            found.execute("ROLLBACK")  # what follows must not stop the reuse of the log
            made.execute("PRAGMA journal_mode = DELETE")
            yield made
    except dbapi.Error as error:
        if code_of(error) in CORRUPT:
            raise
        # Only the copy is written, so a full disk is the disk of the copy.
        full = code_of(error) == dbapi.SQLITE_FULL
        raise meaning(copy if full else source, error) or error from error


def _made(copy: Path) -> Any:
    os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    return dbapi.connect(str(copy), isolation_level=None)

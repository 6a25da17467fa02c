"""Read the file of an idle group without making a log beside it or taking a lock."""

import os
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.core.store.file import bare_engine
from afterword.pipeline.core.store.identity import Identity, identity_of
from afterword.pipeline.core.store.names import check_plain_file
from afterword.pipeline.core.store.opening import open_immutable
from afterword.pipeline.errors import PipelineError

_Answer = TypeVar("_Answer")


class NotIdleError(Exception):
    """The file is in use, or must be opened in the usual way; nothing was read."""


def glance(path: Path, identity: Identity, read: Callable[[Connection], _Answer]) -> _Answer:
    """Return what `read` finds in a group's file that no process has open.

    SQLite assumes that no process writes meanwhile. If one does, the result may be old: the file's
    stamps change then, and a caller that watches them (`changes`) must read again.

    Args:
        identity: what the file must be; one with another schema is opened in the usual way.
        read: only reads; its result may be thrown away.

    Raises:
        NotIdleError: the file has a log, is not what it should be, or changed under the read.
    """
    if _is_in_use(path):
        raise NotIdleError
    try:
        check_plain_file(path)
        with closing(open_immutable(path)) as raw:
            if identity_of(raw) != identity:
                raise NotIdleError
            with bare_engine(raw).connect() as conn:
                return read(conn)
    except (PipelineError, DBAPIError, dbapi.Error, OSError) as error:
        raise NotIdleError from error


def _is_in_use(path: Path) -> bool:
    """Say whether the file alone is incomplete: its log has commits, or a write must be undone."""
    with suppress(FileNotFoundError):
        return os.stat(f"{path}-wal").st_size > 0  # noqa: PTH116  for thousands of files at once
    return os.path.exists(f"{path}-journal")  # noqa: PTH110

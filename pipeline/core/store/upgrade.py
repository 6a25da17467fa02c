"""Upgrade a file when it is first opened, and keep a copy of what it was beside it."""

import logging
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from afterword.pipeline.core.store.failures import answered
from afterword.pipeline.core.store.filesystem import sync
from afterword.pipeline.core.store.gate import WriteGate
from afterword.pipeline.core.store.migrate import check_not_newer, migrate, newest, version
from afterword.pipeline.core.store.opening import (
    StoreOptions,
    connect,
    has_log,
    make_private,
    open_to_read,
)
from afterword.pipeline.errors import UnavailableError

UPGRADE_MARK: Final = ".schema-"
"""Follows the name of a file in the name of its copy; the schema number comes after it."""

UPGRADED: Final = (
    "{path} was upgraded to schema {schema}; {copy} is a copy of what it was: an older Afterword "
    "opens it under the old name, and you may delete it"
)

_log = logging.getLogger(__name__)


def upgrade(path: Path, kind: str, schema: int, options: StoreOptions) -> None:
    """Bring a file to this program's schema; the newest one is left as it is.

    Of a replay no copy is kept: it can be run again.

    Args:
        schema: its number in the file; the log may hold a newer one.

    Raises:
        UnavailableError: a newer program wrote it, or it cannot be copied or written now.
        CorruptStoreError: its tables are not those of its schema number.
    """
    if has_log(path):
        # Closing a usual connection folds the log in; the log of a newer program must stay.
        with closing(open_to_read(path, options)) as conn:
            schema = version(conn)
    check_not_newer(schema, kind, str(path))
    if schema == newest(kind):
        return
    gate = WriteGate(path.with_name(path.name + ".lock"), options.busy_timeout_s)
    try:
        with gate.held(), answered(path), closing(connect(path, options)) as conn:
            check_not_newer(version(conn), kind, str(path))
            if version(conn) != newest(kind):  # another process may have been first
                _upgrade(conn, path, kind)
    except UnavailableError as error:
        raise UnavailableError(
            f"{path} has schema {schema} and must be upgraded to {newest(kind)} first; {error}"
        ) from error
    finally:
        gate.close()


def copies_before_upgrade(path: Path) -> list[Path]:
    """Return the kept copies of a file: one, or several if an upgrade did not end."""
    return sorted(path.parent.glob(f"{path.name}{UPGRADE_MARK}*"))


def _upgrade(conn: Any, path: Path, kind: str) -> None:
    if kind == "replay":
        migrate(conn, kind, name=str(path))
        return
    older = copies_before_upgrade(path)
    copy = _keep_copy(conn, path)
    migrate(conn, kind, name=str(path))
    for replaced in older:
        if replaced != copy:
            replaced.unlink(missing_ok=True)
    _log.warning(UPGRADED.format(path=path, schema=version(conn), copy=copy))


def _keep_copy(conn: Any, path: Path) -> Path:
    """Copy a file as it is now: the copy is whole, with no log beside it, or does not exist."""
    copy = path.with_name(f"{path.name}{UPGRADE_MARK}{version(conn)}")
    part = copy.with_name(f"{copy.name}.part")
    part.unlink(missing_ok=True)
    try:
        with answered(copy), closing(make_private(part)) as made:
            conn.backup(made)
            made.execute("PRAGMA journal_mode = DELETE")
            sync(part)
            part.rename(copy)
    except BaseException:
        part.unlink(missing_ok=True)  # on a full disk it would take the last space
        raise
    sync(copy.parent)
    return copy

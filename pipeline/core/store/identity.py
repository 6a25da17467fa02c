"""The identity of a file, read before anything else without changing the file or its folder."""

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.core.store.failures import CORRUPT, answered, code_of, meaning
from afterword.pipeline.core.store.names import check_regular
from afterword.pipeline.core.store.opening import open_immutable, open_raw
from afterword.pipeline.errors import CorruptStoreError

RESTORE: Final = "stop all processes, then use `afterword store restore` from a backup"

_ROW: Final = """
SELECT kind, group_name, instance_id, user_version FROM store_identity, pragma_user_version
"""


@dataclass(frozen=True, slots=True)
class Identity:
    """The identity row of a file, and its schema number.

    Args:
        kind: `group`, `instance` or `replay`.
        name: of the group or the replay, or `instance`.
        instance_id: of the installation it belongs to.
        schema: number of its newest migration; its log, where it has one, may hold a newer one.
    """

    kind: str
    name: str
    instance_id: str
    schema: int


def identify(path: Path) -> Identity:
    """Return the identity of a file without changing its bytes or its folder.

    Raises:
        CorruptStoreError: a link, a folder or a device; empty, damaged, or another program's.
        UnavailableError: it cannot be read now.
    """
    with answered(path):
        check_regular(path)
        if path.stat().st_size == 0:
            raise CorruptStoreError(f"{path} is empty; if it was a group's, {RESTORE}")
        found = _found(path)
    if found is None:
        raise CorruptStoreError(
            f"{path} has no identity row (store_identity): it is another program's file; move it "
            "away, it was not changed"
        )
    return found


def identity_of(conn: Any) -> Identity | None:
    """Return the identity row of an open file (raw DB-API connection); None if it has none."""
    try:
        row = conn.execute(_ROW).fetchone()
    except dbapi.OperationalError as error:
        if code_of(error) == dbapi.SQLITE_ERROR:  # no such table, or other columns
            return None
        raise
    if row is None:
        return None
    kind, name, instance_id, schema = row
    return Identity(str(kind), str(name), str(instance_id), int(schema))


def check_claim(path: Path, found: Identity, kind: str, instance_id: str | None) -> None:
    """Refuse a file whose identity does not match its name and place.

    Args:
        instance_id: of the installation around it; None if that is not known.

    Raises:
        CorruptStoreError: it was copied or renamed, or belongs to another installation.
    """
    if (found.kind, found.name) != (kind, path.stem):
        raise CorruptStoreError(
            f"{path} belongs to {found.kind} {found.name!r}; it was copied or renamed: "
            "put the right file back, or use `afterword store restore`"
        )
    if instance_id not in (None, found.instance_id):
        raise CorruptStoreError(
            f"{path} belongs to another installation ({found.instance_id}); "
            "bring it in with `afterword store restore`"
        )


def _found(path: Path) -> Identity | None:
    """Read the identity row; it is in the file itself before the file gets its name.

    `immutable` makes SQLite read the file alone: any other way makes a log and shared memory beside
    it, or folds in the log of another program. While a process has the file open, its pages may
    change, so a bad answer is read once more with locks; log and shared memory exist already then.
    """
    first: Exception | None = None
    try:
        found = _ask(open_immutable(path))
    except dbapi.DatabaseError as error:
        found, first = None, error
    if found is None and all(path.with_name(path.name + end).exists() for end in ("-wal", "-shm")):
        return _ask(open_raw(path, "mode=ro"))
    if first is not None:
        if code_of(first) in CORRUPT:
            raise CorruptStoreError(
                f"{path} is damaged, or another program's file ({first}): if it was a group's, "
                f"{RESTORE}; if not, move it away; it was not changed"
            ) from first
        raise meaning(path, first) or first
    return found


def _ask(opened: Any) -> Identity | None:
    with closing(opened) as conn:
        return identity_of(conn)

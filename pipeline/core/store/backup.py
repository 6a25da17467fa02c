"""Copy the files of a running installation; a backup is complete, or it does not exist."""

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from importlib.metadata import version as installed
from pathlib import Path
from typing import Any

from afterword.pipeline.clock import iso
from afterword.pipeline.core.store.check import damage
from afterword.pipeline.core.store.copying import Progress, copied
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.core.store.failures import answered
from afterword.pipeline.core.store.manifest import (
    BackupFile,
    Manifest,
    StoreKind,
    digest,
    store_path,
    sync,
    write_manifest,
)
from afterword.pipeline.core.store.migrate import version
from afterword.pipeline.core.store.names import check_regular
from afterword.pipeline.core.store.stores import Stores
from afterword.pipeline.errors import CorruptStoreError, InvalidInputError

_TABLES = """
SELECT name FROM pragma_table_list
WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name
"""


def backup(
    stores: Stores,
    target: Path,
    now: datetime,
    *,
    groups: Sequence[str] | None = None,
    progress: Progress = lambda _name, _done, _all: None,
) -> Manifest:
    """Copy the instance file, the keys and the groups' files into a new folder.

    Each copy shows one consistent moment of its file, while writers go on; the moments of two files
    may differ. The folder gets its name when everything in it is checked and synced.

    Args:
        target: a folder that does not exist yet, in one that does.
        groups: only these; all if missing.

    Raises:
        InvalidInputError: the target exists, or its parent does not.
        NotFoundError: there is no such group.
        CorruptStoreError: a file is damaged; leave it out by naming the other groups.
        UnavailableError: the disk is full, or cannot be written.
    """
    names = stores.groups() if groups is None else list(groups)
    for name in names:
        stores.group(name)  # it exists, and its identity is right
    with answered(target), _folder_that_becomes(target) as part:
        files = [_copy_key(path, part) for path in sorted((stores.home / "keys").iterdir())]
        files.append(_copy_store("instance", "instance", stores.home, part, progress))
        files += [_copy_store("group", name, stores.home, part, progress) for name in names]
        manifest = Manifest(
            iso(now), stores.instance_id, installed("afterword"), dbapi.sqlite_version, tuple(files)
        )
        write_manifest(part, manifest)
        for folder in (part / "groups", part / "keys", part):
            sync(folder)
    return manifest


@contextmanager
def _folder_that_becomes(target: Path) -> Iterator[Path]:
    """Yield a folder with a temporary name, and rename it after success."""
    part = target.parent / f"{target.name}.part"
    for path, why in ((target, "exists"), (part, "exists: a backup is running, or was killed")):
        if os.path.lexists(path):
            raise InvalidInputError("target", f"{path} {why}", "the path of a new folder")
    if not target.parent.is_dir():
        raise InvalidInputError("target", f"{target.parent} is not a folder", "a path inside one")
    part.mkdir(mode=0o700)
    try:
        for folder in ("groups", "keys"):
            (part / folder).mkdir(mode=0o700)
        yield part
        part.rename(target)
        sync(target.parent)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise


def _copy_key(path: Path, part: Path) -> BackupFile:
    check_regular(path)
    copy = part / "keys" / path.name
    shutil.copyfile(path, copy)
    copy.chmod(0o600)
    sync(copy)
    return BackupFile("key", path.name, copy.stat().st_size, digest(copy), 0, {})


def _copy_store(
    kind: StoreKind, name: str, home: Path, part: Path, progress: Progress
) -> BackupFile:
    source, copy = store_path(home, kind, name), store_path(part, kind, name)
    try:
        with copied(source, copy, name, progress) as made:
            wrong = damage(made)
            schema, rows = version(made), _rows(made)
    except dbapi.Error as error:
        wrong = str(error)
    if wrong:
        raise CorruptStoreError(
            f"{source} is damaged ({wrong}); back up the other groups by name, and see "
            "`afterword store check`; no backup was made"
        )
    sync(copy)
    return BackupFile(kind, name, copy.stat().st_size, digest(copy), schema, rows)


def _rows(conn: Any) -> dict[str, int]:
    names = [name for (name,) in conn.execute(_TABLES)]
    return {name: conn.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in names}

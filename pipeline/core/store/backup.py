"""Copy the files of a running installation; a backup is complete, or it does not exist."""

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from importlib.metadata import version as installed
from pathlib import Path
from typing import Any

from afterword.pipeline.clock import iso
from afterword.pipeline.core.store.chain.anchors import anchor
from afterword.pipeline.core.store.chain.shorten import shorten_chain
from afterword.pipeline.core.store.check import damage
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.core.store.failures import CORRUPT, answered, code_of, meaning
from afterword.pipeline.core.store.filesystem import sync
from afterword.pipeline.core.store.manifest import (
    BackupFile,
    Manifest,
    StoreKind,
    digest,
    store_path,
    write_manifest,
)
from afterword.pipeline.core.store.migrate import version
from afterword.pipeline.core.store.names import check_regular
from afterword.pipeline.core.store.opening import make_private, open_to_read
from afterword.pipeline.core.store.stores import Stores
from afterword.pipeline.errors import CorruptStoreError, InvalidInputError, UnavailableError

BackupProgress = Callable[[str, int, int], None]
"""Receives a file's name, the copied pages and all pages."""

PAGES_A_STEP = 4096
"""Pages copied between two progress reports: 16 MB; count."""

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
    progress: BackupProgress = lambda _name, _done, _all: None,
) -> Manifest:
    """Copy the instance file, the keys and the groups' files into a new folder.

    Each copy shows one consistent moment of its file, while writers go on; the moments of two files
    may differ. The folder gets its name when everything in it is checked and synced. The chain of
    each group is anchored first: the copy of the instance file is never newer than the groups.

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
    opened = [stores.group(name) for name in names]  # each exists, and its identity is right
    with answered(target), _folder_that_becomes(target) as part:
        for group in opened:
            with suppress(UnavailableError):  # a full or read-only disk can still be copied
                anchor(stores.instance, group, "backup", now)
                shorten_chain(stores.instance, group, now)
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
    kind: StoreKind, name: str, home: Path, part: Path, progress: BackupProgress
) -> BackupFile:
    source, copy = store_path(home, kind, name), store_path(part, kind, name)
    try:
        with closing(open_to_read(source)) as found, closing(make_private(copy)) as made:
            found.execute("BEGIN")
            found.execute("SELECT 1 FROM sqlite_schema").fetchone()  # all steps read this moment
            found.backup(
                made,
                pages=PAGES_A_STEP,
                progress=lambda _status, left, pages: progress(name, pages - left, pages),
            )
            made.execute("PRAGMA journal_mode = DELETE")  # one file, with no log beside it
            wrong = damage(made)
            schema, rows = version(made), _rows(made)
    except dbapi.Error as error:
        if code_of(error) not in CORRUPT:
            # Only the copy is written, so a full disk is the disk of the copy.
            full = code_of(error) == dbapi.SQLITE_FULL
            raise meaning(copy if full else source, error) or error from error
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

"""Restore files of a backup: checked first, complete or not at all, with the old files kept."""

import os
import shutil
from collections.abc import Callable, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.core.store.chain.verify import announce
from afterword.pipeline.core.store.check import damage
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.core.store.failures import LOCKED, answered, code_of
from afterword.pipeline.core.store.file import Store
from afterword.pipeline.core.store.filesystem import check_local, sync
from afterword.pipeline.core.store.gate import WriteGate
from afterword.pipeline.core.store.identity import identify
from afterword.pipeline.core.store.manifest import (
    BackupFile,
    StoreKind,
    check_copy,
    read_manifest,
    store_path,
)
from afterword.pipeline.core.store.migrate import check_not_newer, migrate, version
from afterword.pipeline.core.store.names import checked_group_in
from afterword.pipeline.core.store.opening import StoreOptions, connect, open_to_read
from afterword.pipeline.core.store.stores import Stores
from afterword.pipeline.core.store.tombstone import MOVED_SUFFIX, check_not_moved
from afterword.pipeline.core.store.transaction import run_sql
from afterword.pipeline.errors import (
    ConflictError,
    CorruptStoreError,
    InvalidInputError,
    UnavailableError,
)

Mend = Callable[[Connection], None]
"""Adapts the rows of a restored group to the present; the caller passes it in."""

_OWN: Final = "SELECT group_name, instance_id FROM store_identity"
_ADOPT: Final = "UPDATE store_identity SET group_name = ?, instance_id = ?"


@dataclass(frozen=True, slots=True)
class RestoredFile:
    """One restored file.

    Args:
        kept: new path of the file that it replaced, if there was one.
    """

    kind: str
    name: str
    path: Path
    kept: Path | None


@dataclass(frozen=True, slots=True)
class _Task:
    """One checked file of a backup, and its target."""

    copied: BackupFile
    copy: Path
    name: str
    target: Path
    instance_id: str


def restore_group(
    source: Path,
    stores: Stores,
    group: str,
    options: StoreOptions,
    now: datetime,
    mend: Mend,
    *,
    named: str | None = None,
    replace: bool = False,
    running: Sequence[int] = (),
) -> RestoredFile:
    """Restore one group, also under another name or from another installation.

    Args:
        source: the backup's folder.
        group: its name here.
        named: its name in the backup; default: the same.
        replace: rename an existing file instead of refusing.
        running: process ids of workers that run here.

    Raises:
        InvalidInputError: no such backup, no such group in it, or the name is in use here.
        CorruptStoreError: the backup is damaged; nothing was changed.
        UnavailableError: a process has the file open, or a newer program wrote it.
    """
    manifest = read_manifest(source)
    checked_group_in(stores.home, group)
    wanted = named or group
    found = [one for one in manifest.files if (one.kind, one.name) == ("group", wanted)]
    if not found:
        there = ", ".join(one.name for one in manifest.files if one.kind == "group") or "none"
        raise InvalidInputError("group", f"{wanted!r} is not in this backup", there)
    target = store_path(stores.home, "group", group)
    task = _Task(found[0], check_copy(source, found[0]), group, target, stores.instance_id)
    restored = _restore([task], options, now, mend, replace, running)[0]
    stores.discard(group)
    announce(stores.instance, stores.group(group), "restored", now)
    return restored


def restore_all(
    source: Path,
    home: Path,
    options: StoreOptions,
    now: datetime,
    mend: Mend,
    *,
    replace: bool = False,
    running: Sequence[int] = (),
) -> list[RestoredFile]:
    """Restore a whole backup: its groups, its keys and, last, its instance file.

    Args:
        home: the installation's folder; made if missing.
        replace: rename existing files instead of refusing.
        running: process ids of workers that run here.

    Raises:
        InvalidInputError: no such backup, or its names are in use here.
        ConflictError: the home is another installation, which would lose its groups.
        CorruptStoreError: the backup is damaged; nothing was changed.
        UnavailableError: a process has a file open, or a newer program wrote it.
    """
    manifest = read_manifest(source)
    for folder in (home, home / "groups", home / "keys"):
        with answered(folder):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    check_local(home)
    _check_same_installation(home, manifest.instance_id)
    order = sorted(manifest.files, key=lambda one: ("group", "key", "instance").index(one.kind))
    tasks = [
        _Task(one, check_copy(source, one), one.name, one.within(home), manifest.instance_id)
        for one in order
    ]
    return _restore(tasks, options, now, mend, replace, running)


def _restore(
    tasks: list[_Task],
    options: StoreOptions,
    now: datetime,
    mend: Mend,
    replace: bool,
    running: Sequence[int],
) -> list[RestoredFile]:
    if running:
        pids = ", ".join(map(str, running))
        raise UnavailableError(f"workers are running here (pid {pids}); stop them, then restore")
    for task in tasks:
        if os.path.lexists(task.target) and not replace:
            raise InvalidInputError(
                task.copied.kind,
                f"{task.target} exists",
                "--replace, which keeps the old file under another name",
            )
        if task.copied.kind == "group" and not replace:
            check_not_moved(task.target.parent.parent, task.name)
        _check_sound(task)
    return [_place(task, options, now, mend) for task in tasks]


def _check_sound(task: _Task) -> None:
    if task.copied.kind == "key":
        return
    if (kind := identify(task.copy).kind) != task.copied.kind:
        raise CorruptStoreError(f"{task.copy} is of kind {kind}, not {task.copied.kind}")
    with answered(task.copy), closing(open_to_read(task.copy)) as conn:
        check_not_newer(version(conn), task.copied.kind, str(task.copy))
        wrong = damage(conn)
    if wrong:
        raise CorruptStoreError(f"{task.copy} is damaged ({wrong}); use another backup")


def _check_same_installation(home: Path, instance_id: str) -> None:
    """Refuse to replace the instance file of another installation: its groups would be lost."""
    path = store_path(home, "instance", "instance")
    if not os.path.lexists(path):
        return
    try:
        found = identify(path).instance_id
    except CorruptStoreError:  # damaged, or another program's: nothing to protect
        return
    if found != instance_id:
        raise ConflictError(
            f"{home} is another installation ({found}) than the backup's ({instance_id}); "
            "bring its groups in one by one with --group, or name an empty --home"
        )


def _place(task: _Task, options: StoreOptions, now: datetime, mend: Mend) -> RestoredFile:
    """Write the file under another name, then rename it: a kill leaves the old file or the new."""
    target, fresh = task.target, task.target.with_name(f"{task.target.name}.restoring")
    is_store = task.copied.kind != "key"
    gate = WriteGate(target.with_name(f"{target.name}.lock"), options.busy_timeout_s)
    with gate.held() if is_store else nullcontext(), answered(target):
        fresh.unlink(missing_ok=True)
        shutil.copyfile(task.copy, fresh)
        fresh.chmod(0o600)
        if task.copied.kind != "key":
            adopt_file(fresh, task.copied.kind, task.name, task.instance_id, options, mend)
        sync(fresh)
        kept = _put_aside(target, now, is_store) if os.path.lexists(target) else None
        fresh.rename(target)
        sync(target.parent)
        if task.copied.kind == "group":
            target.with_suffix(MOVED_SUFFIX).unlink(missing_ok=True)
    gate.close()
    return RestoredFile(task.copied.kind, task.name, target, kept)


def adopt_file(
    fresh: Path, kind: StoreKind, name: str, instance_id: str, options: StoreOptions, mend: Mend
) -> None:
    """Upgrade a copied file to this program's schema, and give it an installation's identity.

    Args:
        fresh: no other process uses this name.
    """
    with closing(connect(fresh, options)) as raw:
        migrate(raw, kind, name=str(fresh))
    store = Store(fresh, options)
    try:
        conn = store.writer()
        with conn.begin():
            if kind == "group":
                _adopt(conn, name, instance_id)
                mend(conn)
    finally:
        store.close()
    with closing(dbapi.connect(str(fresh), isolation_level=None)) as raw:
        # Closing checkpoints the log silently; this fails if it cannot, as on a full disk.
        raw.execute("PRAGMA journal_mode = DELETE")


def _adopt(conn: Connection, name: str, instance_id: str) -> None:
    """Make a group's file the group of an installation.

    The chain of another group or installation has another key: it ends here, and begins anew at
    the first write.
    """
    if run_sql(conn, _OWN).fetchone() != (name, instance_id):
        run_sql(conn, "DELETE FROM chain_blocks")
        run_sql(conn, _ADOPT, (name, instance_id))


def _put_aside(target: Path, now: datetime, is_store: bool) -> Path:
    """Rename the old file with a date; its log first, or the new file would meet it."""
    kept = target.with_name(f"{target.name}.replaced-{now.astimezone(UTC):%Y%m%dT%H%M%S.%fZ}")
    if is_store:
        _fold_log(target)
    for suffix in ("-wal", "-shm", ""):
        part = target.with_name(target.name + suffix)
        if os.path.lexists(part):
            part.rename(kept.with_name(kept.name + suffix))
    return kept


def _fold_log(target: Path) -> None:
    """Checkpoint the log into the file, which works only while no process has it open.

    Raises:
        UnavailableError: a process has the file open.
    """
    try:
        identify(target)
        with closing(open_to_read(target)) as conn:
            if damage(conn):
                return  # damaged: kept unchanged with its log
        with closing(dbapi.connect(str(target), isolation_level=None, timeout=1)) as conn:
            conn.execute("PRAGMA journal_mode = DELETE")
    except dbapi.OperationalError as error:
        if code_of(error) in LOCKED:
            raise UnavailableError(
                f"{target} is open in another process; stop it, then restore"
            ) from None
    except (CorruptStoreError, dbapi.DatabaseError):
        return  # damaged, or another program's: kept unchanged with its log

"""Move a group to another home: fenced here, copied and checked there, and a tombstone left here.

Each step can be repeated. The file has its name in one home at a time: it is renamed here before
the copy begins, and the copy gets its name when it is whole.
"""

import os
import shutil
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from afterword.pipeline.clock import iso
from afterword.pipeline.core.store.chain.verify import announce
from afterword.pipeline.core.store.check import damage
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.core.store.failures import LOCKED, answered, code_of
from afterword.pipeline.core.store.filesystem import sync
from afterword.pipeline.core.store.gate import WriteGate
from afterword.pipeline.core.store.identity import check_claim, identify
from afterword.pipeline.core.store.manifest import digest
from afterword.pipeline.core.store.names import group_path
from afterword.pipeline.core.store.opening import StoreOptions, open_immutable
from afterword.pipeline.core.store.restore import Mend, adopt_file
from afterword.pipeline.core.store.stores import Stores
from afterword.pipeline.core.store.tombstone import (
    Tombstone,
    check_not_moved,
    read_tombstone,
    tombstone_path,
    write_tombstone,
)
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import (
    ConflictError,
    CorruptStoreError,
    InvalidInputError,
    NotFoundError,
    UnavailableError,
)


@dataclass(frozen=True, slots=True)
class MovedGroup:
    """A group that moved.

    Args:
        path: its file now.
        kept: the old file, which nothing opens any more; it may be deleted.
    """

    group: str
    path: Path
    kept: Path | None


def move_group(
    here: Stores,
    there: Stores,
    group: str,
    options: StoreOptions,
    now: datetime,
    mend: Mend,
    *,
    running: Sequence[int] = (),
) -> MovedGroup:
    """Move a group to another home; after a kill, the same call again ends the move.

    Args:
        mend: adapts the rows to their new home; the caller passes it in.
        running: process ids of workers that run in either home.

    Raises:
        InvalidInputError: the other home is this one, or has a group of that name.
        NotFoundError: there is no such group, or it moved already.
        ConflictError: it is being moved to a third home.
        UnavailableError: a worker runs, or a process has the file open; nothing was changed.
        CorruptStoreError: the file is damaged; nothing was changed.
    """
    if running:
        pids = ", ".join(map(str, running))
        raise UnavailableError(f"workers are running (pid {pids}); stop them, then move the group")
    stone = _begun(here, there, group, options, now)
    fenced = _fenced(here.home, group)
    gate = WriteGate(_lock(group_path(there.home, group)), options.busy_timeout_s)
    with gate.held():
        _arrive(there, stone, fenced, options, mend)
    gate.close()
    announce(there.instance, there.group(group), "moved", now)
    kept = _leave(here.home, stone, fenced, now)
    return MovedGroup(group, group_path(there.home, group), kept)


def _begun(
    here: Stores, there: Stores, group: str, options: StoreOptions, now: datetime
) -> Tombstone:
    """Fence the group, so that nothing opens it here any more; return its tombstone."""
    path, to = group_path(here.home, group), str(there.home.resolve())
    stone = read_tombstone(here.home, group)
    if to == str(here.home.resolve()):
        raise InvalidInputError("to", "is this home", "another folder")
    if stone is not None and stone.state == "moved":
        check_not_moved(here.home, group)
    if stone is not None and stone.to != to:
        raise ConflictError(f"group {group!r} is being moved to {stone.to}; end that first")
    if stone is not None and not os.path.lexists(path):
        return stone
    if stone is None and not os.path.lexists(path):
        raise NotFoundError(f"group {group!r} does not exist")
    if stone is None and os.path.lexists(group_path(there.home, group)):
        raise InvalidInputError("to", f"{to} has a group {group!r}", "a home without one")
    here.discard(group)
    gate = WriteGate(_lock(path), options.busy_timeout_s)
    with gate.held(), answered(path):
        check_claim(path, identify(path), "group", here.instance_id)
        _fold_whole(path)
        stone = stone or Tombstone(group, to, iso(now), _created_at(path), "moving")
        write_tombstone(here.home, stone)
        emit("move.begun", group=group)
        path.rename(_fenced(here.home, group))
        sync(path.parent)
    gate.close()
    emit("move.fenced", group=group)
    return stone


def _arrive(
    there: Stores, stone: Tombstone, fenced: Path, options: StoreOptions, mend: Mend
) -> None:
    """Copy the fenced file to its new home, checked, and give it its name there."""
    target = group_path(there.home, stone.group)
    if os.path.lexists(target):
        if _created_at(target) != stone.created_at:
            raise ConflictError(
                f"{target} is another group that came meanwhile; move that one away, then end this "
                f"move; the group is whole in {fenced}"
            )
    else:
        fresh = target.with_name(f"{target.name}.arriving")
        with answered(target):
            fresh.unlink(missing_ok=True)
            shutil.copyfile(fenced, fresh)
            fresh.chmod(0o600)
            if digest(fresh) != digest(fenced):
                raise CorruptStoreError(f"{fresh} differs from {fenced}; look at both disks")
            adopt_file(fresh, "group", stone.group, there.instance_id, options, mend)
            sync(fresh)
            emit("move.copied", group=stone.group)
            fresh.rename(target)
            sync(target.parent)
        emit("move.arrived", group=stone.group)
    tombstone_path(there.home, stone.group).unlink(missing_ok=True)  # it was away, and is back


def _leave(home: Path, stone: Tombstone, fenced: Path, now: datetime) -> Path | None:
    """Put the old file aside, and let the tombstone say that the group is there."""
    kept = None
    if os.path.lexists(fenced):
        name = f"{stone.group}.sqlite.moved-{now.astimezone(UTC):%Y%m%dT%H%M%S.%fZ}"
        kept = fenced.rename(fenced.with_name(name))
        sync(fenced.parent)
    emit("move.kept", group=stone.group)
    write_tombstone(home, replace(stone, state="moved"))
    emit("move.ended", group=stone.group)
    return kept


def _fold_whole(path: Path) -> None:
    """Fold the log into the file, which works only while no process has it open; check the file.

    Raises:
        UnavailableError: a process has the file open.
        CorruptStoreError: the file is damaged.
    """
    try:
        with closing(dbapi.connect(str(path), isolation_level=None, timeout=1)) as conn:
            conn.execute("PRAGMA journal_mode = DELETE")
            wrong = damage(conn)
    except dbapi.OperationalError as error:
        if code_of(error) in LOCKED:
            raise UnavailableError(
                f"{path} is open in another process; stop it, then move the group"
            ) from None
        raise
    if wrong:
        raise CorruptStoreError(f"{path} is damaged ({wrong}); it was not moved")


def _created_at(path: Path) -> int:
    with closing(open_immutable(path)) as conn:
        row = conn.execute("SELECT created_at FROM store_identity").fetchone()
    return int(row[0])


def _fenced(home: Path, group: str) -> Path:
    path = group_path(home, group)
    return path.with_name(f"{path.name}.moving")


def _lock(path: Path) -> Path:
    return path.with_name(f"{path.name}.lock")

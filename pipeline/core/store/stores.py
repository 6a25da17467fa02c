"""The registry of all files of one home: it creates, opens, checks and closes them."""

import logging
import os
import threading
from collections import OrderedDict
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeVar

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.store.blank import fill_blank
from afterword.pipeline.core.store.chain.anchors import anchor
from afterword.pipeline.core.store.chain.seal import ChainKey
from afterword.pipeline.core.store.chain.watch import ChainWatch
from afterword.pipeline.core.store.driver import check_driver
from afterword.pipeline.core.store.failures import answered
from afterword.pipeline.core.store.file import Store
from afterword.pipeline.core.store.filesystem import check_local, sync
from afterword.pipeline.core.store.gate import WriteGate
from afterword.pipeline.core.store.glance import NotIdleError, glance
from afterword.pipeline.core.store.identity import Identity, check_claim, identify
from afterword.pipeline.core.store.key import secret_key
from afterword.pipeline.core.store.migrate import newest
from afterword.pipeline.core.store.names import (
    OLDER_NAME,
    check_plain_file,
    checked_group_in,
    group_path,
    is_group,
    is_older_name,
    is_replay,
    replay_at,
    replay_path,
)
from afterword.pipeline.core.store.opening import (
    StoreOptions,
    make_private,
)
from afterword.pipeline.core.store.replays import (
    clear_leftovers,
    fresh_path,
    has_left_something,
    remove_replay_files,
)
from afterword.pipeline.core.store.tombstone import check_not_moved
from afterword.pipeline.core.store.transaction import reading
from afterword.pipeline.core.store.upgrade import upgrade
from afterword.pipeline.errors import ConflictError, NotFoundError, PipelineError
from afterword.pipeline.ids import IdSource
from afterword.pipeline.posix import resource

_Answer = TypeVar("_Answer")

_SUFFIX: Final = ".sqlite"

_log = logging.getLogger(__name__)


class Stores:
    """The files of one installation.

    Args:
        home: the installation's folder (`AFTERWORD_HOME`); made with mode 0700 if missing.
        options: how files are opened.
        clock: the present, for the creation date of new files.
        ids: source of the instance id of a new installation.
        max_open: how many files of groups and replays may hold handles at once; the longest idle
            one is closed.
    """

    def __init__(
        self,
        home: Path,
        options: StoreOptions,
        clock: Clock,
        ids: IdSource,
        max_open: int | None = None,
    ) -> None:
        check_driver()
        self.home = home
        self._options, self._clock, self._ids = options, clock, ids
        self._max_open = max_open or _affordable_files()
        self._lock = threading.RLock()
        self._open: OrderedDict[tuple[str, str], Store] = OrderedDict()  # by kind and name
        for folder in (home, home / "groups", home / "keys"):
            _make_folder(folder)
        check_local(home)
        self.instance, found = self._opened(home / "instance.sqlite", "instance", create=True)
        self.instance_id = found.instance_id

    @property
    def folder(self) -> Path:
        """Folder of the groups' files."""
        return self.home / "groups"

    def groups(self) -> list[str]:
        """Return the names of the groups that exist, sorted; other files are left out.

        Raises:
            UnavailableError: the folder cannot be read.
        """
        with answered(self.folder):
            names = (file.removesuffix(_SUFFIX) for file in _files(self.folder))
            return sorted(name for name in names if is_group(name))

    def files(self) -> list[Path]:
        """Return the files of the installation: its own, then those of its groups; no replays.

        Raises:
            UnavailableError: the folder cannot be read.
        """
        return [self.instance.path, *(group_path(self.home, name) for name in self.groups())]

    def group(self, name: str, create: bool = False) -> Store:
        """Return a group's store.

        Raises:
            InvalidInputError: the name is not a group name.
            NotFoundError: there is no such group and `create` is not set, or it moved.
            CorruptStoreError: the file is damaged, a link, or another group's.
            UnavailableError: the file is newer than this program.
        """
        path = group_path(self.home, name)
        with self._lock:
            store = self._open.get(("group", name))
            if store is None:
                checked_group_in(self.home, name)
                check_not_moved(self.home, name)
                if not create and not os.path.lexists(path):
                    raise NotFoundError(
                        f"group {name!r} does not exist; write to it once to make it"
                    )
                store, _ = self._opened(path, "group", create)
                if is_older_name(name):
                    _log.warning(OLDER_NAME.format(name=name))
            return self._kept("group", store)

    def replays(self) -> list[str]:
        """Return the names of the replays that exist, sorted.

        Raises:
            UnavailableError: the folder cannot be read.
        """
        folder = self.home / "replays"
        with answered(folder), suppress(FileNotFoundError):  # made with the first replay
            names = (file.removesuffix(_SUFFIX) for file in _files(folder))
            return sorted(name for name in names if is_replay(name))
        return []

    def replay(self, name: str, create: bool = False) -> Store:
        """Return a replay's store: a file with the tables of a group that nothing takes for one.

        A commit may be lost in a power cut: a replay can be run again.

        Raises:
            InvalidInputError: the name is not a replay name.
            NotFoundError: there is no such replay and `create` is not set.
            CorruptStoreError: the file is damaged, a link, or not this replay's.
            UnavailableError: the file is newer than this program.
        """
        path = replay_path(self.home, name)
        with self._lock:
            store = self._open.get(("replay", name))
            if store is None:
                if create:
                    _make_folder(path.parent)
                elif not os.path.lexists(path):
                    raise self._no_replay(name)
                store, _ = self._opened(path, "replay", create)
            return self._kept("replay", store)

    def remove_replay(self, name: str) -> None:
        """Remove a replay with all files beside it.

        Raises:
            InvalidInputError: the name is not a replay name.
            NotFoundError: there is no such replay.
            ConflictError: this process is reading or writing it.
            UnavailableError: another process has it open.
            CorruptStoreError: the file is not this replay's, or is too damaged to tell.
        """
        path = replay_path(self.home, name)
        with self._lock:
            if not has_left_something(path):
                raise self._no_replay(name)
            store = self._open.get(("replay", name))
            if store is not None:
                if not store.close():
                    raise ConflictError(
                        f"replay {name!r} was not removed: this process uses it; end that first"
                    )
                del self._open["replay", name]
            remove_replay_files(path, self._options.busy_timeout_s)

    def _no_replay(self, name: str) -> NotFoundError:
        there = ", ".join(self.replays()) or "none"
        return NotFoundError(f"replay {name!r} does not exist; replays of this home: {there}")

    def at(self, address: str) -> Store:
        """Return the store that a message is about: a group's, or a replay's (`replay:NAME`).

        Raises:
            PipelineError: as `group` and `replay` do.
        """
        replay = replay_at(address)
        return self.group(address) if replay is None else self.replay(replay)

    def look(self, address: str, read: Callable[[Connection], _Answer]) -> _Answer:
        """Return the result of `read` for a file; an idle one stays closed (see `glance`).

        Args:
            address: as of `at`.
            read: only reads; it may be called twice.

        Raises:
            PipelineError: as `at` and `reading` do.
        """
        kind, name = _place(address)
        path = (group_path if kind == "group" else replay_path)(self.home, name)
        if (kind, name) not in self._open:
            expected = Identity(kind, name, self.instance_id, newest(kind))
            with suppress(NotIdleError):
                return glance(path, expected, read)
        with reading(self.at(address)) as conn:
            return read(conn)

    def discard(self, address: str) -> None:
        """Close the handles of a file unless they are in use; the next `at` looks for it again.

        Its file was removed, or another one has its name now.

        Args:
            address: as of `at`.
        """
        place = _place(address)
        with self._lock:
            store = self._open.get(place)
            if store is not None and store.close():
                del self._open[place]

    def close_idle(self, idle_s: float, now: float) -> int:
        """Close the handles of groups and replays unused for this long, and return how many.

        Args:
            idle_s: seconds without use.
            now: the monotonic present, seconds.
        """
        with self._lock:
            idle = [one for one, store in self._open.items() if now - store.used_at >= idle_s]
            return sum(self._open.pop(one).close() for one in idle)

    def close(self) -> None:
        """Close every handle; later uses open them again."""
        with self._lock:
            for store in self._open.values():
                store.close()
            self._open.clear()
            self.instance.close()

    def _kept(self, kind: str, store: Store) -> Store:
        """Keep a store open as the last used one, and close those that are too many."""
        key = (kind, store.name)
        self._open[key] = store
        self._open.move_to_end(key)
        for one in list(self._open)[: max(0, len(self._open) - self._max_open)]:
            # A store in use stays open until the next call.
            if self._open[one].close():
                del self._open[one]
        return store

    def _opened(self, path: Path, kind: str, create: bool) -> tuple[Store, Identity]:
        with answered(path):
            return self._checked(path, kind, create)

    def _checked(self, path: Path, kind: str, create: bool) -> tuple[Store, Identity]:
        """Return a file's store, and what it said of itself; its first user opens it for good."""
        if create and not os.path.lexists(path):
            self._create(path, kind)
        check_plain_file(path)
        found = identify(path)  # first: another program's file must not be changed
        check_claim(path, found, kind, None if kind == "instance" else self.instance_id)
        upgrade(path, kind, found.schema, self._options)
        options = self._options
        if kind == "replay":
            options = replace(options, synchronous="NORMAL")
        chain = self._chain(path.stem) if kind == "group" else None
        return Store(path, options, is_replay=kind == "replay", chain=chain), found

    def _chain(self, group: str) -> ChainWatch:
        """Return what adds to the chain of a group; the key is loaded at its first write."""
        return ChainWatch(
            lambda: ChainKey(secret_key(self.home), group),
            self._clock,
            group,
            lambda: self._anchor_begun(group),
        )

    def _anchor_begun(self, group: str) -> None:
        """Anchor a chain that just began, or its removal would look like a chain never begun.

        Where that fails the write stays: the next hour anchors.
        """
        with suppress(PipelineError):
            anchor(self.instance, self.group(group), "scheduled", self._clock())

    def _create(self, path: Path, kind: str) -> None:
        """Make the file under another name first: a kill leaves a whole file or none."""
        gate = WriteGate(path.with_name(path.name + ".lock"), self._options.busy_timeout_s)
        fresh = fresh_path(path)
        with gate.held():
            if os.path.lexists(path):
                return  # another process was first
            if kind == "group":
                check_not_moved(self.home, path.stem)
            if kind == "replay":
                clear_leftovers(path)
            fresh.unlink(missing_ok=True)
            instance_id = self._ids() if kind == "instance" else self.instance_id
            try:
                with closing(make_private(fresh)) as conn:
                    fill_blank(conn, kind)
                    conn.execute(
                        "INSERT INTO store_identity VALUES (1, ?, ?, ?, ?)",
                        (kind, path.stem, instance_id, to_micros(self._clock())),
                    )
                    # Set while no other process has the file: two that set it at once both fail.
                    conn.execute("PRAGMA journal_mode=WAL")
                fresh.rename(path)
            except BaseException:
                fresh.unlink(missing_ok=True)  # on a full disk it would take the last space
                raise
            sync(path.parent)
        gate.close()


def _place(address: str) -> tuple[str, str]:
    """Return kind and name of the file with an address."""
    replay = replay_at(address)
    return ("group", address) if replay is None else ("replay", replay)


def _files(folder: Path) -> list[str]:
    with os.scandir(folder) as entries:
        return [entry.name for entry in entries if entry.name.endswith(_SUFFIX)]


def _make_folder(folder: Path) -> None:
    with answered(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def _affordable_files() -> int:
    """Return how many group files fit into this process's limit of open files.

    An open group holds a lock file and, for each of a handful of connections, three descriptors.
    """
    soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(2, min(64, (soft - 32) // 12))

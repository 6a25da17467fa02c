"""All files of one home: found by name, made once, opened when used, closed when idle."""

import os
import resource
import threading
from collections import OrderedDict
from contextlib import suppress
from pathlib import Path
from typing import Any

from pipeline.clock import Clock, to_micros
from pipeline.errors import CorruptStoreError, NotFoundError
from pipeline.ids import IdSource
from pipeline.store.driver import check_driver, dbapi
from pipeline.store.failures import answered
from pipeline.store.file import Store, StoreOptions, connect
from pipeline.store.filesystem import check_local
from pipeline.store.gate import WriteGate
from pipeline.store.migrate import check_not_newer, migrate, newest, version
from pipeline.store.names import check_plain_file, group_path


class Shelf:
    """The files of one installation.

    Args:
        home: the installation's folder (`AFTERWORD_HOME`); made with mode 0700 if missing.
        options: how files are opened.
        clock: the present, for the creation date of new files.
        ids: source of the instance id of a new installation.
        max_open: how many group files may hold handles at once; the longest idle one is closed.
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
        self._open: OrderedDict[str, Store] = OrderedDict()
        for folder in (home, home / "groups", home / "keys"):
            _make_folder(folder)
        check_local(home)
        self.instance = self._opened(home / "instance.sqlite", "instance", create=True)
        self.instance_id = _identity(self.instance.path, self._options)[2]

    def groups(self) -> list[str]:
        """Return the names of the groups that exist, sorted."""
        return sorted(path.stem for path in (self.home / "groups").glob("*.sqlite"))

    def wal_path(self, name: str) -> Path:
        """Return where a group's write-ahead log lies while the group is in use."""
        path = group_path(self.home, name)
        return path.with_name(path.name + "-wal")

    def group(self, name: str, create: bool = False) -> Store:
        """Return a group's store.

        Raises:
            InvalidInputError: the name is not a group name.
            NotFoundError: there is no such group and `create` is not set.
            CorruptStoreError: the file is damaged, a link, or another group's.
            UnavailableError: the file is newer than this program.
        """
        path = group_path(self.home, name)
        with self._lock:
            store = self._open.get(name)
            if store is None:
                if not create and not os.path.lexists(path):
                    raise NotFoundError(
                        f"group {name!r} does not exist; write to it once to make it"
                    )
                store = self._opened(path, "group", create)
                self._open[name] = store
            self._open.move_to_end(name)
            self._close_surplus()
            return store

    def close_idle(self, idle_s: float, now: float) -> int:
        """Close the handles of groups unused for this long, and return how many.

        Args:
            idle_s: seconds without use.
            now: the monotonic present, seconds.
        """
        with self._lock:
            idle = [name for name, store in self._open.items() if now - store.used_at >= idle_s]
            return sum(self._open.pop(name).close() for name in idle)

    def close(self) -> None:
        """Close every handle; later uses open them again."""
        with self._lock:
            for store in self._open.values():
                store.close()
            self._open.clear()
            self.instance.close()

    def _close_surplus(self) -> None:
        for name in list(self._open)[: max(0, len(self._open) - self._max_open)]:
            # A store somebody is using stays open and is asked again next time.
            if self._open[name].close():
                del self._open[name]

    def _opened(self, path: Path, kind: str, create: bool) -> Store:
        with answered(path):
            return self._checked(path, kind, create)

    def _checked(self, path: Path, kind: str, create: bool) -> Store:
        name = path.stem
        if create and not os.path.lexists(path):
            self._create(path, kind)
        check_plain_file(path)
        check_readable(path, kind)
        self._upgrade(path, kind)
        found_kind, found_name, found_instance = _identity(path, self._options)
        if (found_kind, found_name) != (kind, name):
            raise CorruptStoreError(
                f"{path} belongs to {found_kind} {found_name!r}; it was copied or renamed: "
                "put the right file back, or use `afterword store restore`"
            )
        if kind == "group" and found_instance != self.instance_id:
            raise CorruptStoreError(
                f"{path} belongs to another installation ({found_instance}); "
                "bring it in with `afterword store restore`"
            )
        return Store(path, self._options)

    def _create(self, path: Path, kind: str) -> None:
        """Make the file under another name first: a kill leaves a whole file or none."""
        gate = WriteGate(path.with_name(path.name + ".lock"), self._options.busy_timeout_s)
        fresh = path.with_name(path.name + ".new")
        with gate.held():
            if os.path.lexists(path):
                return  # another process was first
            fresh.unlink(missing_ok=True)
            instance_id = self._ids() if kind == "instance" else self.instance_id
            os.close(os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
            conn = dbapi.connect(str(fresh), isolation_level=None)
            try:
                migrate(conn, kind)
                conn.execute(
                    "INSERT INTO store_identity VALUES (1, ?, ?, ?, ?)",
                    (kind, path.stem, instance_id, to_micros(self._clock())),
                )
            finally:
                conn.close()
            fresh.rename(path)
            _sync_folder(path.parent)
        gate.close()

    def _upgrade(self, path: Path, kind: str) -> None:
        conn = connect(path, self._options)
        try:
            if version(conn) == newest(kind):
                return
            gate = WriteGate(path.with_name(path.name + ".lock"), self._options.busy_timeout_s)
            with gate.held():
                migrate(conn, kind)
            gate.close()
        finally:
            conn.close()


def check_readable(path: Path, kind: str) -> None:
    """Refuse a file that is empty, torn or newer than the program, before anything touches it.

    Raises:
        CorruptStoreError: empty or not a SQLite database.
        UnavailableError: written by a newer program.
    """
    remedy = "stop all processes and use `afterword store restore` from a backup"
    if path.stat().st_size == 0:
        raise CorruptStoreError(f"{path} is empty; {remedy}")
    conn = None
    try:
        conn = dbapi.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=10)
        check_not_newer(conn, kind, str(path))
        conn.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except dbapi.DatabaseError as error:
        raise CorruptStoreError(f"{path} is damaged ({error}); {remedy}") from error
    finally:
        if conn is not None:
            conn.close()


def _identity(path: Path, options: StoreOptions) -> tuple[str, str, str]:
    conn = connect(path, options)
    try:
        row: Any = conn.execute(
            "SELECT kind, group_name, instance_id FROM store_identity"
        ).fetchone()
    except dbapi.DatabaseError as error:
        raise CorruptStoreError(f"{path} says not whose it is ({error})") from error
    finally:
        conn.close()
    if row is None:
        raise CorruptStoreError(f"{path} says not whose it is (no identity row)")
    return str(row[0]), str(row[1]), str(row[2])


def _make_folder(folder: Path) -> None:
    with answered(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def _sync_folder(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY)
    with suppress(OSError):  # some file systems cannot sync a folder; the file itself was synced
        os.fsync(fd)
    os.close(fd)


def _affordable_files() -> int:
    """Return how many group files fit into this process's limit of open files.

    An open group holds a lock file and, for each of a handful of connections, three descriptors.
    """
    soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(2, min(64, (soft - 32) // 12))

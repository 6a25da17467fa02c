"""Find files that changed, by their stamps (time stamps and size), without opening them."""

import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from afterword.pipeline.clock import Monotonic
from afterword.pipeline.core.store.names import is_group, log_path

GRAIN_S: Final = 0.05
"""Two commits so close together may leave the same time stamp; seconds. The kernel's clock for
stamps moves every 4 to 10 ms."""

LIST_EVERY_S: Final = 1.0
"""How often the folder is listed although its stamp did not change: overwriting a file in place
does not change it; seconds."""

_SHARE: Final = 0.05
"""Share of one processor that listing an unchanged folder may take, and the same for checking the
logs; with many files both run less often."""

SHARE_WHEN_CHANGED: Final = 0.2
"""The same for listing a folder with a changed stamp, when a writer waits for its job."""

_SUFFIX: Final = ".sqlite"
_LOG: Final = ".sqlite-wal"

Stamp = tuple[int, ...]


def stamp_of(path: str | Path) -> Stamp:
    """Return a value that changes with every write to a file and with its replacement.

    Returns:
        Inode, size, and the times of the last write and status change; empty if there is no file.
    """
    try:
        stat = os.lstat(path)
    except FileNotFoundError:
        return ()
    return (stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns)


@dataclass(slots=True)
class Changes:
    """What one scan found, as addresses of files: the name of a group, or `replay:NAME`.

    Args:
        changed: with a commit since the last scan, or new; the most recently written first.
        replaced: another file has the name now; these are in `changed` too.
        gone: the file was removed.
    """

    changed: list[str] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _File:
    """The stamps of one group at the last check.

    Args:
        since: monotonic seconds; when these stamps were first seen.
    """

    stamp: Stamp
    log_path: str
    log: Stamp
    since: float


class FileWatch(Protocol):
    """Finds which of some files changed."""

    def scan(self, *, at_once: bool = False) -> Changes:
        """Return what changed since the last scan; nothing while it is too early for another.

        Args:
            at_once: check every file now, so that all commits before the call are found.
        """

    def settles_at(self, address: str) -> float:
        """Return from when on a read of the file sees every commit that its stamps cover.

        Repeat an earlier read then: a commit may follow it within the grain of the same stamp.
        """
        ...


class ReplayWatch:
    """Notices when the file of one replay changed; two stamps are read each time.

    Args:
        path: the file.
        address: what the changes call it.
    """

    def __init__(self, path: Path, address: str, monotonic: Monotonic) -> None:
        self._path, self._address, self._monotonic = path, address, monotonic
        self._stamps: tuple[Stamp, Stamp] = ((), ())
        self._since = monotonic()

    def scan(self, *, at_once: bool = False) -> Changes:  # noqa: ARG002  always at once
        """Return whether the file changed since the last scan (see `FileWatch`)."""
        stamp, log = stamp_of(self._path), _log_stamp(str(log_path(self._path)))
        before, _log = self._stamps
        if (stamp, log) == self._stamps:
            return Changes()
        self._stamps, self._since = (stamp, log), self._monotonic()
        if not stamp:
            return Changes(gone=[self._address])
        is_other = bool(before) and before[0] != stamp[0]
        return Changes([self._address], [self._address] if is_other else [])

    def settles_at(self, address: str) -> float:  # noqa: ARG002  it has one file
        """Return from when on a read sees every commit of the stamps (see `FileWatch`)."""
        return self._since + GRAIN_S


class ChangeWatch:
    """Finds the groups whose files changed; idle groups add little to the cost.

    A commit goes to the write-ahead log, so only the stamps of existing logs are read each time.
    The whole folder is listed when its own stamp shows that a file came or went. An empty log is
    not a change: opening an idle group makes one and closing it removes it.

    Args:
        folder: where the groups' files lie.
        effort: seconds this thread has kept a processor busy.
    """

    def __init__(
        self, folder: Path, monotonic: Monotonic, effort: Monotonic = time.thread_time
    ) -> None:
        self._folder, self._monotonic, self._effort = folder, monotonic, effort
        self._files: dict[str, _File] = {}
        self._with_log: list[str] = []
        self._folder_stamp = -1
        self._list_at = self._list_not_before = self._ask_not_before = float("-inf")

    def scan(self, *, at_once: bool = False) -> Changes:
        """Return what changed since the last scan (see `FileWatch`)."""
        started, before = self._monotonic(), self._effort()
        stamp = self._folder.stat().st_mtime_ns
        moved = stamp != self._folder_stamp
        wanted = started >= self._list_at or (moved and started >= self._list_not_before)
        if at_once or wanted:
            found = self._list(started)
            self._folder_stamp = stamp
            self._list_not_before = self._pause_after(before, SHARE_WHEN_CHANGED)
            self._list_at = max(started + LIST_EVERY_S, self._pause_after(before, _SHARE))
            if (
                moved
            ):  # another file may come within the grain of the stamp: list once more after it
                self._list_at = max(started + GRAIN_S, self._list_not_before)
        elif started >= self._ask_not_before:
            found = self._ask_logs(started)
            self._ask_not_before = self._pause_after(before, _SHARE)
        else:
            found = Changes()
        return found

    def _pause_after(self, before: float, share: float) -> float:
        """Return the earliest moment of the next run that keeps within a share."""
        return self._monotonic() + (self._effort() - before) / share

    def settles_at(self, address: str) -> float:
        """Return from when on a read sees every commit of the stamps (see `FileWatch`)."""
        return self._files[address].since + GRAIN_S

    def _list(self, now: float) -> Changes:
        logs, mains = self._stamps()
        found = {name: (stamp, logs.get(name, ())) for name, stamp in mains.items()}
        changes = Changes()
        for name in self._files.keys() - found.keys():
            del self._files[name]
            changes.gone.append(name)
        # The latest write first: its writer waits for the work; older ones have waited already.
        for name, (stamp, log) in sorted(found.items(), key=_newest, reverse=True):
            known = self._files.get(name)
            if known is not None and (known.stamp, known.log) == (stamp, log):
                continue
            if known is not None and known.stamp[0] != stamp[0]:
                changes.replaced.append(name)
            path = f"{self._folder}/{name}{_LOG}"
            self._files[name] = _File(stamp, path, log, now)
            changes.changed.append(name)
        self._with_log = [name for name in logs if name in self._files]
        return changes

    def _stamps(self) -> tuple[dict[str, Stamp], dict[str, Stamp]]:
        """Return the stamps of all logs, also of empty ones, and of all groups' files."""
        logs, mains = {}, {}
        with os.scandir(self._folder) as entries:
            for entry in entries:
                if entry.name.endswith(_SUFFIX):
                    name = entry.name.removesuffix(_SUFFIX)
                    if is_group(name) and (stamp := stamp_of(entry.path)):
                        mains[name] = stamp
                elif entry.name.endswith(_LOG):
                    logs[entry.name.removesuffix(_LOG)] = _log_stamp(entry.path)
        return logs, mains

    def _ask_logs(self, now: float) -> Changes:
        changes = Changes()
        for name in self._with_log:
            known = self._files[name]
            log = _log_stamp(known.log_path)
            if log != known.log:
                known.log, known.since = log, now
                changes.changed.append(name)
        return changes


def _log_stamp(path: str) -> Stamp:
    try:
        stat = os.stat(path)  # noqa: PTH116  thousands of times a second: no object for each
    except FileNotFoundError:
        return ()
    return (stat.st_size, stat.st_mtime_ns) if stat.st_size else ()


def _newest(found: tuple[str, tuple[Stamp, Stamp]]) -> int:
    _name, (stamp, log) = found
    return max(stamp[2], log[1] if log else 0)

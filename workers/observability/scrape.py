"""Scrape files list the port of each process, for Prometheus and the health check.

There is one file per process, in the form of Prometheus' `file_sd_configs`. The process locks its
file and removes it when it ends. If the process was killed, another process removes the file: its
lock is free.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.ids import IdSource, random_uid
from afterword.pipeline.posix import fcntl
from afterword.pipeline.settings import Settings

_NAMESPACE: Final = "__meta_afterword_pid_namespace"
"""Prometheus drops labels of this form before it scrapes; the health check reads it."""


@dataclass(frozen=True, slots=True)
class ScrapeTarget:
    """One process that can be scraped.

    Args:
        process: `worker`, `isolation`, `dispatcher`, `up` or `serve`.
        pid_namespace: the namespace of `pid`; each container has its own.
    """

    address: str
    process: str
    pid: int
    pid_namespace: str


def scrape_folder(settings: Settings) -> Path:
    """Return the folder of the scrape files."""
    return (settings.scrape_folder or settings.home / "scrape").expanduser().absolute()


@contextmanager
def listed(folder: Path, process: str, port: int, ids: IdSource = random_uid) -> Iterator[None]:
    """List this process while the block runs; if that fails, warn and go on unlisted.

    Args:
        port: loopback port of its /metrics; a process with 0 has none and is not listed.
    """
    if port == 0:
        yield
        return
    try:
        path, fd = _write(folder, process, port, ids())
    except OSError as error:
        emit("scrape.failed", folder=str(folder), error=str(error))
        yield
        return
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(fd)


def targets(folder: Path) -> list[ScrapeTarget]:
    """Return the listed processes that are alive, sorted by address."""
    found = []
    for path in folder.glob("*.json"):
        content = _read_locked(path)
        if content is not None:
            (one,) = json.loads(content)
            labels = one["labels"]
            found.append(
                ScrapeTarget(
                    one["targets"][0], labels["process"], int(labels["pid"]), labels[_NAMESPACE]
                )
            )
    return sorted(found, key=lambda one: one.address)


def remove_dead(folder: Path) -> None:
    """Remove the files of processes that were killed."""
    for path in folder.glob("*.json"):
        if _read_locked(path) is None:
            path.unlink(missing_ok=True)


def pid_namespace() -> str:
    """Return the name of this process's pid namespace; empty where the system has none."""
    try:
        return str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        return ""


def _write(folder: Path, process: str, port: int, uid: str) -> tuple[Path, int]:
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.mkdir(mode=0o755, exist_ok=True)
    remove_dead(folder)
    labels = {"process": process, "pid": str(os.getpid()), _NAMESPACE: pid_namespace()}
    content = json.dumps([{"targets": [f"127.0.0.1:{port}"], "labels": labels}])
    path, fresh = folder / f"{process}-{uid}.json", folder / f"{uid}.new"
    fd = os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC)
    # Prometheus runs as another user; the file holds a port and a pid, and no secret.
    os.fchmod(fd, 0o644)
    fcntl.flock(fd, fcntl.LOCK_EX)
    os.write(fd, content.encode())
    fresh.rename(path)  # a file has this name only when it is locked and complete
    return path, fd


def _read_locked(path: Path) -> str | None:
    """Return the content of a file whose process is alive, else None."""
    try:
        with path.open() as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return file.read()
    except FileNotFoundError:
        pass
    return None

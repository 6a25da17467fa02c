"""The machine of a measurement; numbers mean nothing without it."""

import os
import platform
import tempfile
import time
from importlib.metadata import version
from pathlib import Path
from statistics import median

from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.core.store.filesystem import filesystem_type

SYNCS = 100
"""Syncs timed; the first ones also pay for the file's growth."""


def machine() -> dict[str, str | int | float]:
    """Return the parts of this machine that the numbers depend on, its load now among them."""
    folder = Path(tempfile.gettempdir()).resolve()
    return {
        "cores": len(os.sched_getaffinity(0)),
        "cpu": _cpu(),
        "load": round(os.getloadavg()[0], 2),
        "disk": filesystem_type(folder, Path("/proc/self/mounts").read_text()),
        "sync_ms": round(sync_ms(folder), 3),
        "python": platform.python_version(),
        "sqlite": dbapi.sqlite_version,
        "dramatiq": version("dramatiq"),
    }


def sync_ms(folder: Path) -> float:
    """Return what a commit with FULL waits for the disk: the median sync of a file's page; ms.

    The page is written over, as a write-ahead log does after its first checkpoint.
    """
    times = []
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(SYNCS):
            os.pwrite(file.fileno(), os.urandom(4096), 0)
            started = time.perf_counter()
            os.fdatasync(file.fileno())
            times.append(time.perf_counter() - started)
    return median(times) * 1000


def _cpu() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor()

"""Measure the time of steps, and summarise a list of times."""

import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from typing import NamedTuple


def seconds(call: Callable[[], object]) -> float:
    """Run a call and return how long it took; seconds."""
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


class Spent(NamedTuple):
    """What a call took.

    Args:
        wall_s: seconds on the clock.
        cpu_s: processor seconds, those of child processes that ended meanwhile included; other
            programs of a busy machine change it little.
    """

    wall_s: float
    cpu_s: float


def spent(call: Callable[[], object]) -> Spent:
    """Run a call and return what it took."""
    before = _cpu_s()
    wall_s = seconds(call)
    return Spent(wall_s, _cpu_s() - before)


def _cpu_s() -> float:
    children = getrusage(RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def process_cpu_s(pids: Iterable[int]) -> float:
    """Return the processor seconds that processes have taken so far; on Linux."""
    ticks = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def percentile(times: Sequence[float], share: float) -> float:
    """Return the time that a share of all times does not exceed.

    Args:
        times: at least one.
        share: in (0, 1], such as 0.99.
    """
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


class Split:
    """Adds up where the time goes, step by step."""

    def __init__(self) -> None:
        self.spent: defaultdict[str, float] = defaultdict(float)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Count what runs inside as this step."""
        started = time.perf_counter()
        yield
        self.spent[name] += time.perf_counter() - started

    @property
    def total(self) -> float:
        """Return all steps together; seconds."""
        return sum(self.spent.values())

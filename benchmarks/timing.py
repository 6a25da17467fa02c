"""Measure the time of steps, and summarise a list of times."""

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager


def seconds(call: Callable[[], object]) -> float:
    """Run a call and return how long it took; seconds."""
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


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

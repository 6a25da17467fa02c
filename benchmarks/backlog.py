"""How fast one worker process drains a backlog, and whether a deeper backlog slows it down.

Beside it, on the same Redis: plain dramatiq with as many threads, whose jobs do nothing at all.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from afterword.pipeline.clock import monotonic, system_clock
from afterword.pipeline.core.area import Kind
from afterword.pipeline.core.jobs.add import add_many
from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.memory.area import EXTRACT_EDGES
from afterword.pipeline.domain.memory.write import write_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.ids import random_uid
from afterword.workers.testing import NOTHING_KIND
from benchmarks import bare_loop, texts
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.host import Host, a_host

THREADS = 8
"""Threads of the worker and of the bare loop; the default of both."""

LOOPED = 20_000
"""Messages of one bare loop; with a quarter of them its start still halves its rate."""

SHARES = (0.1, 0.5, 0.9)
"""Shares of a backlog that are drained when the deep half begins, when the shallow one begins, and
when it ends; before and after, not every thread has work."""

CHUNK = 20_000
"""Rows of one transaction that fills the backlog."""


@dataclass(frozen=True, slots=True)
class Case:
    """One sort of job, how a backlog of it is made, and what it is compared with."""

    name: str
    kind: Kind
    fill: Callable[[Host, int], None]
    prefetch: int | None
    times_the_loop: float


@dataclass(frozen=True, slots=True)
class Drained:
    """What draining one backlog took.

    Args:
        deep: jobs per second while most of the backlog was still there.
        shallow: the same when it was nearly gone.
        loop: messages per second of the bare loop.
        peak_mb: the worker's largest size; MB.
    """

    deep: float
    shallow: float
    loop: float
    peak_mb: float

    @property
    def rate(self) -> float:
        """Return the jobs per second of both halves together."""
        return 2 / (1 / self.deep + 1 / self.shallow)


def ask(jobs: Sequence[int]) -> Answer:
    """Drain backlogs of each sort, from the smallest to the largest."""
    measured: dict[str, float] = {}
    floor: dict[str, float] = {}
    targets: dict[str, Target] = {}
    for case in CASES:
        for size in sorted(jobs):
            drained, name = _drained(case, size), f"{case.name}_{size}"
            measured[f"{name}_jobs_per_s"] = drained.rate
            floor[f"{name}_loop_per_s"] = drained.loop
            measured[f"{name}_times_the_loop"] = drained.rate / drained.loop
            targets[f"{name}_times_the_loop"] = Target(at_least=case.times_the_loop)
            measured[f"{name}_deep_over_shallow"] = drained.deep / drained.shallow
            targets[f"{name}_deep_over_shallow"] = Target(at_least=0.8)
            measured[f"{name}_peak_mb"] = drained.peak_mb
            targets[f"{name}_peak_mb"] = Target(at_most=300)
    sizes = {"jobs": sorted(jobs), "threads": THREADS, "loop": LOOPED}
    return Answer("backlog", measured, targets, floor, sizes)


def fill_edges(host: Host, jobs: int) -> None:
    """Write memories, each of which wants its edges extracted."""
    news = texts.memories(jobs)
    for start in range(0, jobs, CHUNK):
        write_memories(Writer(host.store, system_clock, random_uid), news[start : start + CHUNK])


def _fill_no_ops(host: Host, jobs: int) -> None:
    for start in range(0, jobs, CHUNK):
        payloads = [{"id": index} for index in range(start, min(jobs, start + CHUNK))]
        with writing(host.store) as conn:
            add_many(conn, NOTHING_KIND, payloads, system_clock())


CASES = (
    Case("no_op", NOTHING_KIND, _fill_no_ops, prefetch=512, times_the_loop=6),
    Case("edge", EXTRACT_EDGES, fill_edges, prefetch=None, times_the_loop=4),
)


def _drained(case: Case, jobs: int) -> Drained:
    with a_host() as host:
        loop = bare_loop.jobs_per_s(host.redis.url[:-1] + "1", LOOPED, THREADS, case.prefetch)
        case.fill(host, jobs)
        worker = host.worker(THREADS)
        host.dispatcher()
        begin, half, end = (int(jobs * share) for share in SHARES)
        host.wait_done(case.kind.name, begin)
        deep = _rate_until(host, case.kind, half)
        shallow = _rate_until(host, case.kind, end)
        host.wait_done(case.kind.name, jobs)
        found = Drained(deep, shallow, loop, _peak_mb(worker.pid))
    note(f"backlog: {jobs} {case.kind.name}: {found.rate:,.0f} /s, loop {loop:,.0f} /s")
    return found


def _rate_until(host: Host, kind: Kind, jobs: int) -> float:
    """Return the jobs per second from now until so many have ended."""
    before, started = host.done(kind.name), monotonic()
    host.wait_done(kind.name, jobs)
    return (host.done(kind.name) - before) / (monotonic() - started)


def _peak_mb(pid: int) -> float:
    """Return the most memory a living process ever held; MB."""
    status = Path(f"/proc/{pid}/status").read_text()
    (peak,) = (line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(peak.split()[1]) / 1024


def _sizes(given: str) -> list[int]:
    return [int(size) for size in given.split(",")]


if __name__ == "__main__":
    answers(ask, jobs=(_sizes, "100000", "depths of the backlog, by comma"))

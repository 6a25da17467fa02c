"""How fast one worker process drains a backlog, and whether a deeper one costs it anything.

Beside it, on the same Redis: plain dramatiq with as many threads, whose jobs do nothing at all.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import bare_loop, texts
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.host import Host, a_host
from pipeline.clock import monotonic, system_clock
from pipeline.ids import random_uid
from pipeline.jobs.add import add_many
from pipeline.jobs.model import Kind
from pipeline.memory.kinds import EXTRACT_EDGES
from pipeline.memory.write import write_memories
from pipeline.store import writing
from workers.testing import NOTHING

THREADS = 8
"""Threads of the worker and of the bare loop; the default of both."""

LOOPED = 5_000
"""Messages of one bare loop."""

WARM = 0.1
"""Share of a backlog that is drained before the clock runs: no thread is idle any more."""

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
    """What draining one backlog took; sizes in MB."""

    jobs_per_s: float
    loop_per_s: float
    peak_mb: float


def ask(jobs: Sequence[int]) -> Answer:
    """Drain backlogs of each sort, from the smallest to the largest."""
    measured: dict[str, float] = {}
    floor: dict[str, float] = {}
    targets: dict[str, Target] = {}
    for case in CASES:
        drained = {size: _drained(case, size) for size in sorted(jobs)}
        first, last = drained[min(jobs)], drained[max(jobs)]
        for size, one in drained.items():
            measured[f"{case.name}_per_s_{size}"] = one.jobs_per_s
            measured[f"{case.name}_mb_{size}"] = one.peak_mb
            floor[f"{case.name}_loop_per_s_{size}"] = one.loop_per_s
        measured[f"{case.name}_times_the_loop"] = last.jobs_per_s / last.loop_per_s
        targets[f"{case.name}_times_the_loop"] = Target(at_least=case.times_the_loop)
        targets[f"{case.name}_mb_{max(jobs)}"] = Target(at_most=300)
        if len(drained) > 1:
            measured[f"{case.name}_rate_kept"] = last.jobs_per_s / first.jobs_per_s
            targets[f"{case.name}_rate_kept"] = Target(at_least=0.8)
    sizes = {"jobs": sorted(jobs), "threads": THREADS, "loop": LOOPED}
    return Answer("backlog", measured, targets, floor, sizes)


def fill_edges(host: Host, jobs: int) -> None:
    """Write memories, each of which wants its edges extracted."""
    news = texts.memories(jobs)
    for start in range(0, jobs, CHUNK):
        write_memories(host.store, news[start : start + CHUNK], system_clock, random_uid)


def _fill_no_ops(host: Host, jobs: int) -> None:
    for start in range(0, jobs, CHUNK):
        payloads = [{"id": index} for index in range(start, min(jobs, start + CHUNK))]
        with writing(host.store) as conn:
            add_many(conn, NOTHING, payloads, system_clock())


CASES = (
    Case("no_op", NOTHING, _fill_no_ops, prefetch=512, times_the_loop=5),
    Case("edge", EXTRACT_EDGES, fill_edges, prefetch=None, times_the_loop=4),
)


def _drained(case: Case, jobs: int) -> Drained:
    with a_host() as host:
        loop = bare_loop.jobs_per_s(host.redis.url[:-1] + "1", LOOPED, THREADS, case.prefetch)
        case.fill(host, jobs)
        worker = host.worker(THREADS)
        host.dispatcher()
        host.wait_done(case.kind.name, int(jobs * WARM))
        before, started = host.done(case.kind.name), monotonic()
        host.wait_done(case.kind.name, jobs)
        rate = (jobs - before) / (monotonic() - started)
        found = Drained(rate, loop, _peak_mb(worker.pid))
    note(f"backlog: {jobs} {case.kind.name}: {rate:,.0f} /s, loop {loop:,.0f} /s")
    return found


def _peak_mb(pid: int) -> float:
    """Return the most memory a living process ever held; MB."""
    status = Path(f"/proc/{pid}/status").read_text()
    (peak,) = (line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(peak.split()[1]) / 1024


def _sizes(given: str) -> list[int]:
    return [int(size) for size in given.split(",")]


if __name__ == "__main__":
    answers(ask, jobs=(_sizes, "10000,100000", "depths of the backlog, by comma"))

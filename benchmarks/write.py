"""The cost of one memory write beside bare SQL, alone and beside two busy worker processes."""

import itertools
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.store.opening import connect
from afterword.pipeline.domain.memory.area import EXTRACT_EDGES
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memories, write_memory
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.ids import random_uid
from benchmarks import bare, texts
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.host import Host, a_host
from benchmarks.timing import percentile, seconds

ROUND = 50
"""Writes in a row before the other side has its turn: both meet the same noise."""

PAUSE_S = 0.002
"""What the agent does between two writes beside the busy workers."""


@dataclass(frozen=True, slots=True)
class Side:
    """Seconds of each write."""

    times: Sequence[float]

    @property
    def per_s(self) -> float:
        """Return writes per second, one after the other."""
        return len(self.times) / sum(self.times)


def ask(writes: int, backlog: int) -> Answer:
    """Write memories by the verb and by bare SQL, then beside workers that drain a backlog."""
    measured: dict[str, float] = {}
    floor: dict[str, float] = {}
    for synchronous in ("FULL", "NORMAL"):
        name = synchronous.lower()
        ours, bares = _alone(synchronous, texts.memories(writes))
        measured[f"p50_ratio_{name}"] = median(ours.times) / median(bares.times)
        for numbers, side in ((measured, ours), (floor, bares)):
            numbers[f"p50_ms_{name}"] = median(side.times) * 1000
            numbers[f"p99_ms_{name}"] = percentile(side.times, 0.99) * 1000
            numbers[f"writes_per_s_{name}"] = side.per_s
        note(f"write {synchronous}: {measured[f'p50_ratio_{name}']:.2f} x bare SQL")
    busy = _beside_workers(backlog)
    measured["p50_ms_busy"] = median(busy) * 1000
    measured["p99_ms_busy"] = percentile(busy, 0.99) * 1000
    sizes = {"writes": writes, "backlog": backlog, "writes_busy": len(busy)}
    targets = {
        "p50_ratio_full": Target(at_most=1.7),
        "p50_ratio_normal": Target(at_most=6),
        # With FULL a good part is the disk's: one sync, `sync_ms`, in each write.
        "writes_per_s_full": Target(at_least=2_000),
        "writes_per_s_normal": Target(at_least=2_000),
        "p99_ms_busy": Target(at_most=25),
    }
    return Answer("write", measured, targets, floor, sizes)


def _alone(synchronous: str, news: Sequence[NewMemory]) -> tuple[Side, Side]:
    ours: list[float] = []
    bares: list[float] = []
    with a_host(synchronous, fleet=False) as host:
        conn = connect(host.stores.group("bare", create=True).path, host.options)
        rows = bare.rows(news, random_uid, system_clock())
        for start in range(0, len(news), ROUND):
            end = start + ROUND
            ours += [_write(host, new) for new in news[start:end]]
            bares += [seconds(partial(bare.write_one, conn, row)) for row in rows[start:end]]
        conn.close()
    return Side(ours), Side(bares)


def _beside_workers(backlog: int) -> list[float]:
    """Write for as long as two worker processes have edges of older memories to extract."""
    times = []
    with a_host() as host:
        write_memories(Writer(host.store, system_clock, random_uid), texts.memories(backlog))
        host.worker()
        host.worker()
        host.dispatcher()
        host.wait_done(EXTRACT_EDGES.name, 1)
        for new in itertools.cycle(texts.memories(ROUND)):
            times.append(_write(host, new))
            time.sleep(PAUSE_S)
            if host.done(EXTRACT_EDGES.name) > backlog * 0.9:
                return times
    raise AssertionError("unreachable")


def _write(host: Host, new: NewMemory) -> float:
    return seconds(partial(write_memory, Writer(host.store, system_clock, random_uid), new))


if __name__ == "__main__":
    answers(
        ask,
        writes=(int, 2_000, "writes of each side and mode"),
        backlog=(int, 100_000, "edge jobs that keep the workers busy"),
    )

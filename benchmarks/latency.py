"""The delay from a write to its edges on an idle installation, and the cost of waiting."""

import os
import random
import time
from pathlib import Path
from statistics import median
from typing import Any

from afterword.pipeline.clock import monotonic, system_clock
from afterword.pipeline.core.store.opening import connect
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memory
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.ids import random_uid
from benchmarks import texts
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.host import Host, a_host
from benchmarks.timing import percentile

PAUSES_S = (0.01, 0.15)
"""Shortest and longest pause before a write; uneven, so that it meets every phase of a poll."""

LOOK_S = 0.001
"""How often the edges are looked for; the grain of the latencies."""

SETTLE_S = 2.0
"""Idle time before idleness is measured: files are closed, imports are done."""

_EDGES = "SELECT 1 FROM memory_edges WHERE src_table = 'memories' AND src_id = ? LIMIT 1"


def ask(writes: int, idle: int) -> Answer:
    """Write one memory at a time beside `afterword up`, then beside a fleet."""
    measured: dict[str, float] = {}
    with a_host(fleet=False) as host:
        up = host.start("afterword", "--home", str(host.home), "up")
        latencies = _latencies(host, writes)
        _keep(measured, "up", latencies)
        measured["up_idle_cpu_percent"] = busy_share((up.pid,), idle) * 100
    with a_host() as host:
        fleet = (host.worker().pid, host.dispatcher().pid)
        _keep(measured, "fleet", _latencies(host, writes))
        measured["fleet_idle_cpu_percent"] = busy_share(fleet, idle) * 100
    targets = {}
    for mode in ("up", "fleet"):
        targets[f"{mode}_idle_cpu_percent"] = Target(at_most=3)
        targets[f"{mode}_p50_ms"] = Target(at_most=100)
        targets[f"{mode}_p99_ms"] = Target(at_most=250)
    return Answer("latency", measured, targets, sizes={"writes": writes, "idle_s": idle})


def _keep(measured: dict[str, float], mode: str, latencies: list[float]) -> None:
    measured[f"{mode}_p50_ms"] = median(latencies) * 1000
    measured[f"{mode}_p99_ms"] = percentile(latencies, 0.99) * 1000
    note(f"latency {mode}: {measured[f'{mode}_p50_ms']:.0f} ms")


def _latencies(host: Host, writes: int) -> list[float]:
    """Return, for each write, the seconds from its call to its first edge."""
    chance = random.Random(1)
    conn = connect(host.store.path, host.options)
    first, *news = texts.memories(writes + 1)
    _until_edges(host, conn, first)  # the processes are up
    times = []
    for new in news:
        time.sleep(chance.uniform(*PAUSES_S))
        times.append(_until_edges(host, conn, new))
    conn.close()
    return times


def _until_edges(host: Host, conn: Any, new: NewMemory) -> float:
    started = monotonic()
    written = write_memory(Writer(host.store, system_clock, random_uid), new)
    while not conn.execute(_EDGES, (written.id,)).fetchone():
        assert monotonic() - started < 20, "no edges within 20 s"
        time.sleep(LOOK_S)
    return monotonic() - started


def busy_share(pids: tuple[int, ...], seconds: int) -> float:
    """Return how much of one core the processes take while nothing happens."""
    time.sleep(SETTLE_S)
    before, started = _ticks(pids), monotonic()
    time.sleep(seconds)
    spent = (_ticks(pids) - before) / os.sysconf("SC_CLK_TCK")
    return spent / (monotonic() - started)


def _ticks(pids: tuple[int, ...]) -> int:
    """Return the processor time of processes, in user and kernel mode; clock ticks."""
    total = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        total += int(fields[11]) + int(fields[12])
    return total


if __name__ == "__main__":
    answers(
        ask,
        writes=(int, 200, "writes in each mode"),
        idle=(int, 10, "seconds of idleness watched"),
    )

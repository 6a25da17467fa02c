"""The cost of thousands of idle groups for one dispatcher, and the delay of a write's effect."""

import json
import os
import random
import shutil
import threading
import time
from pathlib import Path
from statistics import median

from afterword.pipeline.clock import monotonic, system_clock
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.core.store.opening import connect
from afterword.pipeline.domain.memory.write import write_memory
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.ids import random_uid
from afterword.pipeline.testing.ports import free_port
from afterword.pipeline.testing.process import ask_port
from afterword.pipeline.testing.wait import wait_until
from benchmarks import texts
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.host import Host, a_host
from benchmarks.latency import LOOK_S, busy_share
from benchmarks.timing import percentile

LONGEST_START_S = 900.0
"""After so long without a ready dispatcher the question fails; seconds."""

LONGEST_EFFECT_S = 120.0
"""The same for one write; seconds."""

PAUSES_S = (0.05, 0.4)
"""Shortest and longest pause before a write; uneven, so that it meets every phase of a scan."""

ASK_EVERY_S = 0.05
"""How often the dispatcher is asked whether it lives; seconds."""

SWEEPS = 20
"""Sweeps of the floor: a stat of every group's file (count)."""

_NAME = "UPDATE store_identity SET group_name = ?"
_EDGES = "SELECT 1 FROM memory_edges WHERE src_table = 'memories' AND src_id = ? LIMIT 1"


def ask(groups: int, writes: int, idle: int) -> Answer:
    """Make idle groups, start a fleet beside them, watch it idle, and write into some of them."""
    with a_host() as host:
        names = _make(host, groups)
        paths = [host.stores.folder / f"{name}.sqlite" for name in names]
        floor = {"stat_of_every_file_ms": _sweep_s(paths) * 1000}
        port = free_port()
        host.worker()
        started = monotonic()
        dispatcher = host.start(
            "afterword", "--home", str(host.home), "dispatcher", AFTERWORD_METRICS_PORT=str(port)
        )
        with _Watched(port) as watched:
            wait_until(lambda: watched.is_ready, LONGEST_START_S)
            measured = {"start_s": monotonic() - started}
            note(f"groups: ready after {measured['start_s']:.1f} s")
            idle_share = busy_share((dispatcher.pid,), idle)
            latencies = _latencies(host, names, writes)
            measured |= {
                "longest_turn_s": watched.longest_turn_s,
                "not_alive_answers": watched.not_alive,
                "idle_cpu_percent": idle_share * 100,
                "effect_p50_ms": median(latencies) * 1000,
                "effect_p99_ms": percentile(latencies, 0.99) * 1000,
            }
            measured["metrics_s"] = max(_metrics_s(port) for _ in range(3))
        floor["stat_once_a_second_cpu_percent"] = floor["stat_of_every_file_ms"] / 10
    return Answer(
        "groups",
        measured,
        {
            "start_s": Target(at_most=10),
            "not_alive_answers": Target(at_most=0),
            "idle_cpu_percent": Target(at_most=10),
            "effect_p99_ms": Target(at_most=500),
            "metrics_s": Target(at_most=1),
        },
        floor=floor,
        sizes={"groups": groups, "writes": writes, "idle_s": idle},
    )


def _make(host: Host, groups: int) -> list[str]:
    """Make groups as copies of one, each with its own name inside."""
    first = host.stores.group("g0000", create=True)
    first.close()
    names = [f"g{n:04}" for n in range(groups)]
    for name in names[1:]:
        path = first.path.with_name(f"{name}.sqlite")
        shutil.copyfile(first.path, path)
        conn = dbapi.connect(str(path), isolation_level=None)
        conn.execute(_NAME, (name,))
        conn.close()
    return names


def _sweep_s(paths: list[Path]) -> float:
    """Return how long the barest look at every file takes; seconds."""
    names = [str(path) for path in paths]
    started = monotonic()
    for _ in range(SWEEPS):
        for name in names:
            os.stat(name)  # noqa: PTH116  the barest one
    return (monotonic() - started) / SWEEPS


def _latencies(host: Host, names: list[str], writes: int) -> list[float]:
    """Return, for each write into a group of its own, the seconds from its call to its edge."""
    chance = random.Random(1)
    times = []
    for name, new in zip(chance.sample(names, writes), texts.memories(writes), strict=True):
        time.sleep(chance.uniform(*PAUSES_S))
        store = host.stores.group(name)
        started = monotonic()
        written = write_memory(Writer(store, system_clock, random_uid), new)
        conn = connect(store.path, host.options)
        while not conn.execute(_EDGES, (written.id,)).fetchone():
            assert monotonic() - started < LONGEST_EFFECT_S, "no edges in time"
            time.sleep(LOOK_S)
        times.append(monotonic() - started)
        conn.close()
        store.close()
    return times


def _metrics_s(port: int) -> float:
    """Return how long a scrape takes that no other has paid for; seconds."""
    time.sleep(4)  # an answer is kept for three
    started = monotonic()
    ask_port(port, "/metrics")
    return monotonic() - started


class _Watched:
    """What a dispatcher says of itself, asked all the time in a thread."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.is_ready, self.not_alive, self.longest_turn_s = False, 0, 0.0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> "_Watched":
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._stop.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._stop.wait(ASK_EVERY_S):
            try:
                status, body = ask_port(self.port, "/healthz")
                self.not_alive += status != 200
                ages = json.loads(body)["loop_age_seconds"].values()
                self.longest_turn_s = max([self.longest_turn_s, *ages])
                self.is_ready = self.is_ready or ask_port(self.port, "/readyz")[0] == 200
            except OSError:
                continue  # it does not listen yet


if __name__ == "__main__":
    answers(
        ask,
        groups=(int, 2000, "idle groups"),
        writes=(int, 100, "writes, each into a group of its own"),
        idle=(int, 20, "seconds of idleness watched"),
    )

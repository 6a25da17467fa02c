"""Whether a sweep uses all cores: its gain from a second process, beside that of bare CPU loops.

The cells run once in one process and once in several; so does a loop that does nothing but count,
as many times as there are processes. The machine is the same for all four in the same minutes. The
processes of the loops are started before the clock; those of the sweep are started within it.
"""

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

from afterword.pipeline.clock import to_micros
from afterword.pipeline.operations.replay.plan import ReplayPlan
from afterword.pipeline.operations.sweeps.engine import ProcessEngine
from afterword.pipeline.operations.sweeps.plan import SweepPlan
from afterword.pipeline.operations.sweeps.sweep import SweepReport, run_sweep
from benchmarks.answer import Answer, Target, answers, note

BEGIN: Final = datetime(2024, 1, 1, tzinfo=UTC)
NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)
BAR: Final = timedelta(hours=4)
LOOKS: Final = "momentum:lookback_hours=96|120|144|168"

LOOP_STEPS: Final = 2_000_000
"""Numbers that one step of a loop counts."""


def ask(days: int, seeds: int, workers: int, rounds: int) -> Answer:
    """Sweep with one process and with several, and loop likewise, in turns."""
    with TemporaryDirectory() as folder:
        plan = _plan(_price_file(Path(folder), days), seeds)
        sweeps: dict[int, float] = {1: 0.0, workers: 0.0}
        loops: dict[int, float] = {1: 0.0, workers: 0.0}
        states, steps = set(), 0
        for number in range(rounds):
            for count in sweeps:
                seconds, report = _swept(plan, count)
                sweeps[count] += seconds
                states.add(tuple(one.result and one.result.state_hash for one in report.cells))
                steps = steps or max(1, round(seconds / workers / _step_s()))
                loops[count] += _looped(count, workers, steps)
            note(f"round {number + 1}: sweeps {sweeps}, loops {loops}")
    if len(states) != 1:
        raise SystemExit("two sweeps of one plan ended in different states")
    gain, bare = sweeps[1] / sweeps[workers], loops[1] / loops[workers]
    cells = report.tried
    return Answer(
        "sweep",
        {
            "gain_per_bare_gain": gain / bare,
            "gain": gain,
            "cell_s": sweeps[1] / rounds / cells,
            "sweep_s": sweeps[workers] / rounds,
        },
        {"gain_per_bare_gain": Target(at_least=0.9)},
        {"gain": bare},
        {"cells": cells, "days": days, "processes": workers, "cores": os.cpu_count()},
    )


def _plan(prices: Path, seeds: int) -> SweepPlan:
    base = ReplayPlan(prices=(prices,), horizon_hours=24)
    drawn = "|".join(map(str, range(1, seeds + 1)))
    return SweepPlan("bench", base, (LOOKS,), NOW, (f"seed={drawn}",))


def _swept(plan: SweepPlan, processes: int) -> tuple[float, SweepReport]:
    began = perf_counter()
    report = run_sweep(plan, ProcessEngine(processes), lambda *_: None)
    return perf_counter() - began, report


def _looped(processes: int, loops: int, steps: int) -> float:
    """Return how many seconds some loops take."""
    with _started(processes) as pool:
        began = perf_counter()
        list(pool.map(_count, [steps] * loops))
        return perf_counter() - began


def _step_s() -> float:
    began = perf_counter()
    _count(1)
    return perf_counter() - began


@contextmanager
def _started(processes: int) -> Iterator[ProcessPoolExecutor]:
    """Yield a pool whose processes have begun."""
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        list(pool.map(_count, [1] * processes * 2))
        yield pool


def _count(steps: int) -> int:
    number = 0
    for _ in range(steps):
        for one in range(LOOP_STEPS):
            number ^= one
    return number


def _price_file(folder: Path, days: int) -> Path:
    chance, close = Random(20_240_101), 100.0
    lines = ["t_open_ms,open,high,low,close,volume"]
    for number in range(days * timedelta(days=1) // BAR):
        first, close = close, close * (1 + chance.gauss(0, 0.012))
        high, low = max(first, close) * 1.002, min(first, close) * 0.998
        opened = to_micros(BEGIN + number * BAR) // 1000
        lines.append(f"{opened},{first:.4f},{high:.4f},{low:.4f},{close:.4f},1")
    path = folder / "SOLUSDT_2024_4h.csv"
    path.write_text("\n".join([*lines, ""]))
    return path


if __name__ == "__main__":
    answers(
        ask,
        days=(int, 40, "days of prices"),
        seeds=(int, 4, "seeds; four cells each"),
        workers=(int, os.cpu_count() or 1, "processes"),
        rounds=(int, 1, "turns"),
    )

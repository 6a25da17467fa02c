"""A sweep on a real Dask scheduler and real worker processes ends as it does anywhere else."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from threading import Thread

import pytest

from afterword.pipeline.errors import InvalidInputError, UnavailableError
from afterword.pipeline.operations.sweeps.engine import DaskEngine
from afterword.pipeline.operations.sweeps.sweep import run_sweep
from afterword.pipeline.testing.wait import wait_until
from tests.unit.replay.worlds import price_file
from tests.unit.sweeps.sweeps import LOOKS, InProcess, hashes, stuck_once, sweep_plan

WAIT_S = 60
PROGRAM = Path(sys.executable).with_name("dask")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """The folder of the cluster; its scheduler writes its address there."""
    return tmp_path_factory.mktemp("dask")


@pytest.fixture(scope="module")
def scheduler(folder) -> Iterator[str]:
    """Start a scheduler on a free port of this host, and return its address."""
    file = folder / "scheduler.json"
    line = ["scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show"]
    with _started(folder, *line, "--scheduler-file", str(file)):
        wait_until(lambda: file.exists() and file.read_text().endswith("}"), WAIT_S)
        yield json.loads(file.read_text())["address"]


@pytest.fixture(scope="module")
def cluster(folder, scheduler) -> Iterator[str]:
    """Start two worker processes, and return the address of their scheduler."""
    line = ["worker", scheduler, "--nthreads", "1", "--nworkers", "2", "--no-dashboard"]
    with _started(folder, *line, "--local-directory", str(folder / "work")):
        yield scheduler


def test_a_scheduler_without_workers_is_one_clear_error(scheduler, tmp_path):
    plan = sweep_plan(price_file(tmp_path, days=2))

    with pytest.raises(UnavailableError, match=f"at {scheduler} has no worker after 0.2 s"):
        run_sweep(plan, DaskEngine(scheduler, answer_s=0.2), lambda *_: None)


def test_a_cluster_ends_in_the_same_table_also_if_a_worker_is_killed(
    cluster, command, folder, tmp_path
):
    path = price_file(tmp_path, days=12)
    plan = sweep_plan(path)
    here = hashes(run_sweep(plan, InProcess(), lambda *_: None))

    line = ["replay", "sweep", "looks", "--prices", str(path), "--rule", LOOKS]
    line += ["--grid", "horizon=1d", "--grid", "placebos=no", "--engine", cluster, "--json"]
    found = command(*line)
    assert (found.code, found.err) == (0, "")
    assert [one["result"]["state_hash"] for one in found.json["sweep"]["cells"]] == here

    mark = tmp_path / "stuck"

    def kill_the_worker() -> None:
        wait_until(mark.exists, WAIT_S)
        os.kill(int(mark.read_text()), signal.SIGKILL)

    killer = Thread(target=kill_the_worker)
    killer.start()
    hurt = run_sweep(
        plan, DaskEngine(cluster, WAIT_S), lambda *_: None, partial(stuck_once, tmp_path)
    )
    killer.join()
    assert hashes(hurt) == here
    names = ("afterword-tmp-sweep-*", "left-behind")
    wait_until(lambda: not any(any((folder / "work").rglob(name)) for name in names), WAIT_S)


def test_a_file_that_is_not_on_the_other_host_ends_the_sweep_with_both_names(cluster, tmp_path):
    with pytest.raises(InvalidInputError, match=r"worker .*, process .*SOL_1h\.csv cannot be read"):
        run_sweep(sweep_plan(tmp_path / "SOL_1h.csv"), DaskEngine(cluster, WAIT_S), lambda *_: None)


def _started(folder: Path, *line: str) -> "_Process":
    return _Process([str(PROGRAM), *line], folder)


class _Process:
    """A program that runs until the end of a block, with all that it started."""

    def __init__(self, line: list[str], folder: Path) -> None:
        self._line, self._folder = line, folder

    def __enter__(self) -> None:
        environment = os.environ | {"PYTHONPATH": str(Path.cwd())}
        with (self._folder / "log").open("a") as log:
            self._process = subprocess.Popen(
                self._line, env=environment, stdout=log, stderr=log, start_new_session=True
            )

    def __exit__(self, *_error: object) -> None:
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

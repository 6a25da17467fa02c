"""A sweep ends in the same table wherever its cells ran; a killed worker costs its cell only."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from functools import partial
from multiprocessing import active_children
from pathlib import Path

import pytest

from afterword.pipeline.clock import from_micros
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.operations.sweeps.cell import CellResult, run_cell
from afterword.pipeline.operations.sweeps.engine import ProcessEngine
from afterword.pipeline.operations.sweeps.figures import SweepFigures
from afterword.pipeline.operations.sweeps.plan import sweep_cells
from afterword.pipeline.operations.sweeps.sweep import run_sweep
from afterword.pipeline.operations.sweeps.walk_forward import walk_forward
from afterword.pipeline.testing.wait import wait_until
from tests.unit.replay.worlds import plan_of, price_file, replayed
from tests.unit.sweeps.sweeps import (
    LOOKS,
    InProcess,
    hashes,
    killed_always,
    killed_once,
    sweep_plan,
)

THREE = "momentum:lookback_hours=96|120|168"


@pytest.fixture
def scratch(tmp_path, monkeypatch):
    """The folder for temporary files of this test, also of the processes that it starts."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr("tempfile.tempdir", None)
    return folder


def test_one_process_two_and_none_end_in_the_same_table(stores, tmp_path, scratch):
    path, told = price_file(tmp_path, days=20), []
    plan = sweep_plan(path, walk_forward=1)
    here = run_sweep(plan, InProcess(), lambda *it: told.append(it))
    reports = [run_sweep(plan, ProcessEngine(count), lambda *_: None) for count in (1, 2)]

    for report in reports:
        assert hashes(report) == hashes(here)
        assert [one.result.whole for one in report.cells] == [
            one.result.whole for one in here.cells
        ]
        assert report.forward == here.forward
    alone = replayed(
        stores, "alone", plan_of(path, rules=(("momentum", '{"lookback_hours":168}'),))
    )
    assert here.cells[1].result.state_hash == alone.state_hash != hashes(here)[0]
    assert told == [("cells", done, 2) for done in (0, 1, 2)]
    assert list(scratch.iterdir()) == []


def test_a_killed_worker_costs_its_cell_only_and_that_is_run_again(tmp_path, scratch):
    plan = sweep_plan(price_file(tmp_path, days=12), rules=[THREE])
    calm = run_sweep(plan, InProcess(), lambda *_: None)

    hurt = run_sweep(plan, ProcessEngine(2), lambda *_: None, partial(killed_once, tmp_path))
    assert (tmp_path / "killed").exists()
    assert hashes(hurt) == hashes(calm)
    assert list(scratch.iterdir()) == []


def test_a_cell_that_always_ends_its_worker_is_told_as_failed_and_all_others_stand(
    tmp_path, scratch
):
    plan = sweep_plan(price_file(tmp_path, days=12), rules=[THREE], walk_forward=1)
    calm = run_sweep(plan, InProcess(), lambda *_: None)

    hurt = run_sweep(plan, ProcessEngine(2), lambda *_: None, killed_always)
    first, _, last = hashes(calm)
    assert hashes(hurt) == [first, None, last]
    assert "ended twice" in hurt.cells[1].failure
    assert (hurt.failed, hurt.tried) == (1, 3)
    assert list(scratch.iterdir()) == []
    assert active_children() == []


def test_a_file_that_a_worker_does_not_find_ends_the_sweep_with_both_names(tmp_path, scratch):
    plan = sweep_plan(tmp_path / "SOLUSDT_2024_4h.csv.gz")

    with pytest.raises(InvalidInputError) as error:
        run_sweep(plan, ProcessEngine(2), lambda *_: None)
    assert "prices: worker " in str(error.value)
    assert ", process " in str(error.value)
    assert "SOLUSDT_2024_4h.csv.gz cannot be read: No such file" in str(error.value)
    assert list(scratch.iterdir()) == []
    assert active_children() == []


def test_a_cell_in_which_nothing_decides_fails_alone(tmp_path, scratch):
    plan = sweep_plan(price_file(tmp_path, days=12), rules=["momentum:lookback_hours=96|2160"])
    found = run_sweep(plan, InProcess(), lambda *_: None)

    assert [one.result is None for one in found.cells] == [False, True]
    assert "nobody decides" in found.cells[1].failure
    assert list(scratch.iterdir()) == []


def test_the_figures_of_a_part_are_those_of_a_replay_that_ended_with_it(tmp_path, scratch):
    path = price_file(tmp_path, days=40)
    (cell,) = sweep_cells(sweep_plan(path, rules=["momentum:lookback_hours=96"], walk_forward=3))
    whole = run_cell(cell)
    cut = whole.begins_at + (whole.ends_at - whole.begins_at) // 4
    (short,) = sweep_cells(
        sweep_plan(path, rules=["momentum:lookback_hours=96"], until=from_micros(cut))
    )
    assert run_cell(short).whole == whole.parts[0]
    assert whole.parts[0].stretches > 0
    assert sum(one.decisions for one in whole.parts) < whole.whole.decisions  # some end later


def test_the_best_of_the_past_is_taken_and_judged_by_what_it_never_saw():
    good, bad, few = _figures(0.2), _figures(-0.1), _figures(0.9, stretches=4)
    results = [
        _result(1, (bad, bad, good)),
        _result(2, (good, bad, bad)),
        _result(3, (few, few, good)),
        _result(4, (good, good, bad)),
    ]
    found = walk_forward(results, 2)

    one, other = found.steps
    assert (one.taken, one.past, one.next, one.tried) == (2, good, bad, 3)
    assert (other.taken, other.past, other.next) == (4, good, bad)
    assert (one.from_at, one.until, one.to_at) < (other.from_at, other.until, other.to_at)
    assert one.until == other.from_at
    assert one.luck == pytest.approx(0.2344, abs=1e-4)  # the root of ln 3 / 20
    assert (found.past_edge, found.next_edge) == (0.2, -0.1)
    assert (found.past_stretches, found.next_stretches) == (20, 20)


def test_without_stretches_nothing_is_taken():
    few = _figures(0.9, stretches=4)
    found = walk_forward([_result(1, (few, few))], 1)

    assert (found.steps[0].taken, found.steps[0].luck, found.next_edge) == (None, None, None)
    assert walk_forward([], 1).steps == ()


def test_the_command_prints_a_table_with_what_luck_does(command, tmp_path, scratch):
    path = price_file(tmp_path, days=30)
    line = ["replay", "sweep", "looks", "--prices", str(path), "--rule", LOOKS]
    line += ["--grid", "horizon=1d", "--grid", "placebos=no", "--workers", "2"]
    text = command(*line, "--walk-forward", "1")
    found = command(*line, "--json").json["sweep"]

    assert (text.code, text.err) == (0, "")
    for cell in found["cells"]:
        assert cell["result"]["state_hash"][:12] in text.out
    assert "2 cells were tried: the best of as many without skill has an edge" in text.out
    assert "edge seen  edge unseen" in text.out
    assert (found["tried"], found["forward"]) == (2, None)
    assert not (tmp_path / "home").exists()  # a sweep keeps nothing


def test_a_wrong_sweep_is_one_line_and_writes_nothing(command, tmp_path, scratch):
    path = price_file(tmp_path, days=2)
    for given, said in [
        (["--rule", "momentum", "--grid", "colour=1|2"], "unknown key 'colour'"),
        (["--rule", "momentum", "--rule", "momentum"], "named twice"),
        (["--rule", "momentum", "--engine", "tcp://somewhere"], "engine: is 'tcp://somewhere'"),
        ([], "rule: none is given"),
    ]:
        done = command("replay", "sweep", "looks", "--prices", str(path), *given)
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
        assert said in done.err
    assert list(scratch.iterdir()) == []
    assert not (tmp_path / "home").exists()


@pytest.fixture
def begun(tmp_path, scratch):
    """Start a program that sweeps on two processes, and return it with these when both work."""
    path, program = price_file(tmp_path, days=2), tmp_path / "program.py"
    program.write_text(
        "import signal, sys; from pathlib import Path\n"
        "from afterword.pipeline.operations.sweeps.sweep import run_sweep\n"
        "from afterword.pipeline.operations.sweeps.engine import ProcessEngine\n"
        "from tests.unit.sweeps.sweeps import stuck, sweep_plan\n"
        "if __name__ == '__main__':\n"
        # What a shell runs in the background ignores Ctrl-C, and so would this program.
        "    signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "    plan = sweep_plan(Path(sys.argv[1]))\n"
        "    run_sweep(plan, ProcessEngine(2), lambda *_: None, stuck)\n"
    )
    with subprocess.Popen(
        [sys.executable, str(program), str(path)],
        env=os.environ | {"PYTHONPATH": str(Path.cwd())},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as running:
        try:
            yield running, [int(running.stdout.readline()) for _ in range(2)]
        finally:
            with suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)


def test_an_interrupt_leaves_no_process_and_no_folder(begun, scratch):
    running, workers = begun
    assert len(list(scratch.glob("afterword-tmp-sweep-*/*"))) == 2
    os.killpg(running.pid, signal.SIGINT)
    _, error = running.communicate(timeout=30)

    assert running.returncode == -signal.SIGINT
    assert error.count("Traceback") == 1  # that of this program alone
    assert not any(map(_lives, workers))
    assert list(scratch.iterdir()) == []


def test_workers_end_with_a_sweep_that_was_killed(begun):
    running, workers = begun
    os.kill(running.pid, signal.SIGKILL)
    wait_until(lambda: not any(map(_lives, workers)), 60)


def _lives(process: int) -> bool:
    """Say whether a process runs; one that ended and was not yet taken note of does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def _figures(edge: float, stretches: int = 10) -> SweepFigures:
    return SweepFigures(stretches, stretches, 0.5 + edge, 0.5, edge, 0.0)


def _result(number: int, parts: tuple[SweepFigures, ...]) -> CellResult:
    day = 86_400_000_000
    return CellResult(number, "", 0, 90 * day, parts[0], parts, 0, 0.0, 0.0, "")

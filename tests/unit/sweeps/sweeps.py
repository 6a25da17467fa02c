"""Plans of small sweeps, an engine inside this process, and cells that end their worker."""

import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event

from afterword.pipeline.operations.replay.plan import ReplayPlan
from afterword.pipeline.operations.sweeps.cell import CellFailure, CellResult, run_cell
from afterword.pipeline.operations.sweeps.plan import SweepCell, SweepPlan
from afterword.pipeline.operations.sweeps.sweep import SweepReport
from tests.unit.replay.worlds import NOW

LOOKS = "momentum:lookback_hours=96|168"


def sweep_plan(
    *prices: Path,
    rules: Sequence[str] = (LOOKS,),
    grid: Sequence[str] = (),
    walk_forward: int = 0,
    **base: object,
) -> SweepPlan:
    """Return a plan of decisions that are judged after a day."""
    plan = ReplayPlan(prices=prices, horizon_hours=24, placebos=False, **base)  # type: ignore[arg-type]
    return SweepPlan("looks", plan, tuple(rules), NOW, tuple(grid), walk_forward)


def hashes(report: SweepReport) -> list[str | None]:
    """Return the states of the cells, in their order."""
    return [None if one.result is None else one.result.state_hash for one in report.cells]


class InProcess:
    """Runs cells in a thread of this process."""

    at_once, lost = 1, ()

    @contextmanager
    def open(self) -> Iterator[Executor]:
        with ThreadPoolExecutor(1) as pool:
            yield pool

    def for_one(self) -> "InProcess":
        return self

    def wrapped(self, run):
        return run


def killed_once(marks: Path, cell: SweepCell, folder: Path | None) -> CellResult | CellFailure:
    """Run a cell; the second one kills its worker first, unless a mark says that it did."""
    mark = marks / "killed"
    if cell.number == 2 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return run_cell(cell, folder)


def killed_always(cell: SweepCell, folder: Path | None) -> CellResult | CellFailure:
    """Run a cell; the second one kills its worker, half done."""
    if cell.number == 2:
        assert folder is not None
        (folder / "left-behind").mkdir(exist_ok=True)
        os.kill(os.getpid(), signal.SIGKILL)
    return run_cell(cell, folder)


def stuck_once(marks: Path, cell: SweepCell, folder: Path | None) -> CellResult | CellFailure:
    """Run a cell; the first one names its worker in a mark, and waits until that is killed."""
    mark = marks / "stuck"
    if cell.number == 1 and not mark.exists():
        assert folder is not None
        (folder / "left-behind").mkdir()
        (marks / "new").write_text(str(os.getpid()))
        (marks / "new").rename(mark)
        Event().wait()
    return run_cell(cell, folder)


def stuck(_cell: SweepCell, folder: Path | None) -> CellResult | CellFailure:
    """Print the process that runs a cell, and never end it."""
    assert folder is not None
    with TemporaryDirectory(dir=folder):
        os.write(1, b"%d\n" % os.getpid())  # one write: lines of two workers may not mix
        Event().wait()
    raise AssertionError("nobody ends the wait")

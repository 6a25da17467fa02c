"""Run many replays of one plan, and set their figures side by side.

Cells share nothing, so it does not matter where one runs, nor in which order they end. A worker
that is killed costs the cells that it had, and these are run again, each alone. A cell whose worker
ends once more is told as failed; all others stand.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from afterword.pipeline.core.files.temporary import lend_folder
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.operations.loop.progress import OnProgress
from afterword.pipeline.operations.sweeps.cell import KIND, CellFailure, CellResult, run_cell
from afterword.pipeline.operations.sweeps.engine import Engine, RunCell
from afterword.pipeline.operations.sweeps.plan import SweepCell, SweepPlan, sweep_cells
from afterword.pipeline.operations.sweeps.walk_forward import WalkForward, walk_forward
from afterword.pipeline.rules.evidence.best_of import best_by_luck

_TWICE: Final = "the process that ran it ended twice: it was killed, or its memory was full"

_Outcome = CellResult | CellFailure


@dataclass(frozen=True, slots=True)
class SweepLine:
    """One cell of the table.

    Args:
        settings: what varies, by name.
        result: None of a cell that failed; `failure` says why.
    """

    number: int
    settings: Mapping[str, str]
    result: CellResult | None
    failure: str | None


@dataclass(frozen=True, slots=True)
class SweepReport:
    """All cells of a sweep, by number.

    Args:
        tried: cells, those that failed included; count.
        luck: how far the best of as many cells without skill is above its base rate, at most; a
            share, None without votes.
        forward: the choices of a walk-forward, if there is one.
    """

    name: str
    cells: tuple[SweepLine, ...]
    tried: int
    luck: float | None
    forward: WalkForward | None

    @property
    def failed(self) -> int:
        """Cells without a result; count."""
        return sum(cell.result is None for cell in self.cells)


def run_sweep(
    plan: SweepPlan, engine: Engine, told: OnProgress, run: RunCell = run_cell
) -> SweepReport:
    """Run all cells of a plan.

    Args:
        told: hears how many cells are done.
        run: what a worker calls for each cell.

    Raises:
        InvalidInputError: the plan is wrong, or a worker cannot read a file that all cells need.
        UnavailableError: the engine does not answer, or no temporary folder can be made.
    """
    cells = sweep_cells(plan)
    outcomes: dict[int, _Outcome] = {}
    told("cells", 0, len(cells))

    def on_outcome(outcome: _Outcome) -> None:
        if isinstance(outcome, CellFailure) and outcome.bad_input:
            raise _unread(outcome)
        outcomes[outcome.number] = outcome
        told("cells", len(outcomes), len(cells))

    with lend_folder(KIND) as folder:
        lost = _run_together(cells, engine, run, folder, on_outcome)
        for cell in lost:
            on_outcome(_run_alone(cell, engine, run, folder))
    return _report(plan, cells, outcomes)


def _run_together(
    cells: Sequence[SweepCell],
    engine: Engine,
    run: RunCell,
    folder: Path,
    on_outcome: Callable[[_Outcome], None],
) -> list[SweepCell]:
    """Run the cells side by side; return those that lost their worker.

    With one process a whole pool breaks. A fresh one goes on with the cells that wait.
    """
    waiting, lost = deque(cells), list[SweepCell]()
    while waiting:
        with engine.open() as pool:
            running: dict[Future[_Outcome], SweepCell] = {}
            is_broken = False
            while running or (waiting and not is_broken):
                while waiting and not is_broken and len(running) < engine.at_once:
                    try:
                        future = pool.submit(engine.wrapped(run), waiting[0], folder)
                    except BrokenExecutor:
                        is_broken = True
                    else:
                        running[future] = waiting.popleft()
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    cell = running.pop(future)
                    outcome = _outcome(future, cell, engine.lost)
                    if outcome is None:
                        lost.append(cell)
                        is_broken = is_broken or isinstance(future.exception(), BrokenExecutor)
                    else:
                        on_outcome(outcome)
    return lost


def _run_alone(cell: SweepCell, engine: Engine, run: RunCell, folder: Path) -> _Outcome:
    """Run a cell again, where it can cost no other one."""
    with engine.for_one().open() as pool:
        future = pool.submit(engine.wrapped(run), cell, folder)
        return _outcome(future, cell, engine.lost) or CellFailure(cell.number, _TWICE)


def _outcome(
    future: Future[Any], cell: SweepCell, lost: tuple[type[BaseException], ...]
) -> _Outcome | None:
    """Return what became of a cell; None if its worker ended before it."""
    try:
        found: _Outcome = future.result()
    except lost:
        return None
    except CancelledError:
        return CellFailure(cell.number, "it was cancelled: the scheduler went away")
    except Exception as error:  # a worker without our program, or with another version of it
        return CellFailure(cell.number, f"its worker answered {type(error).__name__}: {error}")
    return found


def _unread(failure: CellFailure) -> InvalidInputError:
    return InvalidInputError(
        failure.bad_input,
        f"worker {failure.worker} cannot read it: {failure.problem}",
        "files that each worker finds under the same path, with equal contents",
    )


def _report(
    plan: SweepPlan, cells: Sequence[SweepCell], outcomes: Mapping[int, _Outcome]
) -> SweepReport:
    lines = [_line(cell, outcomes[cell.number]) for cell in cells]
    results = [line.result for line in lines if line.result is not None]
    fewest = min((result.whole.stretches for result in results), default=0)
    forward = walk_forward(results, plan.walk_forward) if plan.walk_forward else None
    return SweepReport(
        plan.name, tuple(lines), len(cells), best_by_luck(len(cells), fewest), forward
    )


def _line(cell: SweepCell, outcome: _Outcome) -> SweepLine:
    if isinstance(outcome, CellFailure):
        where = f" (worker {outcome.worker})" if outcome.worker else ""
        return SweepLine(cell.number, dict(cell.settings), None, f"{outcome.problem}{where}")
    return SweepLine(cell.number, dict(cell.settings), outcome, None)

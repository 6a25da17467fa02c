"""Run one cell of a sweep: a replay in a home of its own, of which only figures are left.

A worker process calls `run_cell`, on this host or another one. It shares nothing with other cells.
An error is an answer too: not every error survives the way between two processes.
"""

import os
import socket
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

from afterword.pipeline.clock import monotonic
from afterword.pipeline.core.files.temporary import lend_folder
from afterword.pipeline.core.store import Store, StoreOptions, Stores, reading
from afterword.pipeline.domain.reflection.heuristic import HeuristicJudge
from afterword.pipeline.domain.synthesis.luck import expected_luck
from afterword.pipeline.errors import InvalidInputError, PipelineError
from afterword.pipeline.ids import random_uid
from afterword.pipeline.operations.replay.model import ReplayStatus
from afterword.pipeline.operations.replay.prepare import prepare_replay
from afterword.pipeline.operations.replay.read_inputs import ReplayInputs, read_inputs
from afterword.pipeline.operations.replay.run import roles_for, run_replay
from afterword.pipeline.operations.sweeps.figures import SweepFigures, figures_of, judged
from afterword.pipeline.operations.sweeps.plan import SweepCell

KIND: Final = "sweep"
"""The temporary folders of sweeps."""

_NAME: Final = "cell"


@dataclass(frozen=True, slots=True)
class CellResult:
    """What a cell came to.

    Args:
        state_hash: digest of all that the replay did.
        begins_at, ends_at: the span; microseconds.
        whole: figures of the whole span.
        parts: those of each part, in a walk-forward.
        graduated: methodologies that the gate in force let through; placebos apart; count.
        expected_false: how many of these are luck, at most, on average.
        seconds: that it took, and `worker` where; equal runs may differ in both.
    """

    number: int
    state_hash: str
    begins_at: int
    ends_at: int
    whole: SweepFigures
    parts: tuple[SweepFigures, ...]
    graduated: int
    expected_false: float
    seconds: float
    worker: str


@dataclass(frozen=True, slots=True)
class CellFailure:
    """A cell that has no result.

    Args:
        problem: the message for the user.
        worker: where it happened; empty if that is not known.
        bad_input: the input that the worker could not read, such as `prices`: no cell of the sweep
            has any use without it. Empty for an error of this cell alone.
    """

    number: int
    problem: str
    worker: str = ""
    bad_input: str = ""


def run_cell(cell: SweepCell, folder: Path | None = None) -> CellResult | CellFailure:
    """Run a cell in a temporary home, which is removed afterwards.

    Args:
        folder: where the home is made; None for the temporary folder of the host.
    """
    worker = f"{socket.gethostname()}, process {os.getpid()}"
    began = monotonic()
    bad_input = ""
    try:
        with lend_folder(KIND, within=folder) as home:
            try:
                inputs = read_inputs(cell.plan, cell.now, _untold)
            except (InvalidInputError, ExceptionGroup) as error:
                bad_input = _first(error)[0]
                raise
            options = StoreOptions(synchronous="NORMAL")
            stores = Stores(home, options, lambda: cell.now, random_uid)
            try:
                store = stores.replay(_NAME, create=True)
                status = _replayed(stores, store, cell, inputs)
                return _result(store, cell, status, monotonic() - began, worker)
            finally:
                stores.close()
    except Exception as error:
        return CellFailure(cell.number, _first(error)[1], worker, bad_input)


def bounds(begins_at: int, ends_at: int, walk_forward: int) -> list[int]:
    """Return where the parts of a span begin and end, all equally long; microseconds.

    Args:
        walk_forward: steps; there is one part more.
    """
    parts = walk_forward + 1
    return [begins_at + (ends_at - begins_at) * place // parts for place in range(parts + 1)]


def _replayed(stores: Stores, store: Store, cell: SweepCell, inputs: ReplayInputs) -> ReplayStatus:
    registry = roles_for(stores.home, cell.plan.horizon_hours)
    prepare_replay(store, registry, cell.plan, inputs, _untold)
    return run_replay(store, registry, HeuristicJudge(), lambda _: None)


def _result(
    store: Store, cell: SweepCell, status: ReplayStatus, seconds: float, worker: str
) -> CellResult:
    settings = status.settings
    with reading(store) as conn:
        decisions = judged(conn, settings.horizon_hours)
        luck = expected_luck(conn)
    cuts = bounds(settings.begins_at, settings.ends_at, cell.walk_forward)
    parts = pairwise(cuts) if cell.walk_forward else ()
    return CellResult(
        number=cell.number,
        state_hash=status.state_hash,
        begins_at=settings.begins_at,
        ends_at=settings.ends_at,
        whole=figures_of(decisions, settings.begins_at, settings.ends_at),
        parts=tuple(figures_of(decisions, *part) for part in parts),
        graduated=0 if luck is None else luck.graduated,
        expected_false=0.0 if luck is None else luck.expected_false,
        seconds=round(seconds, 3),
        worker=worker,
    )


def _first(error: BaseException) -> tuple[str, str]:
    """Return the wrong field of an error, and its message; of several the first one."""
    if isinstance(error, ExceptionGroup):
        field, problem = _first(error.exceptions[0])
        more = len(error.exceptions) - 1
        return field, f"{problem}; and {more} more" if more else problem
    if isinstance(error, InvalidInputError):
        return error.field, str(error)
    if isinstance(error, PipelineError):
        return "", str(error)
    return "", f"unexpected {type(error).__name__}: {error}"


def _untold(_name: str, _done: int, _total: int) -> None:
    """Show nothing: the sweep tells how many cells are done."""

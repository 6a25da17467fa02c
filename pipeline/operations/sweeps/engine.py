"""Where the cells of a sweep run: on processes of this host, or on the workers of a Dask cluster.

An engine opens an executor of `concurrent.futures`; the sweep knows nothing else of it.
"""

import os
import re
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from multiprocessing import active_children, get_context, parent_process
from pathlib import Path
from threading import Thread
from typing import Any, Final, Protocol

from afterword.pipeline.errors import InvalidInputError, UnavailableError
from afterword.pipeline.operations.sweeps.cell import CellFailure, CellResult
from afterword.pipeline.operations.sweeps.plan import MOST_SWEEP_CELLS, SweepCell

PROCESSES: Final = "processes"

ANSWER_S: Final = 8.0
"""How long a scheduler, and then its first worker, may take to answer; seconds."""

RunCell = Callable[[SweepCell, Path | None], CellResult | CellFailure]
"""Runs a cell; a function of a module, so that another process finds it by its name."""

_ADDRESS: Final = re.compile(r"(tcp|tls)://(\[[0-9A-Fa-f:]+\]|[A-Za-z0-9.-]+):[0-9]{1,5}")


class Engine(Protocol):
    """Where cells run."""

    @property
    def at_once(self) -> int:
        """How many cells may be with the executor at a time; count."""
        ...

    @property
    def lost(self) -> tuple[type[BaseException], ...]:
        """Errors of a cell whose worker ended before it."""
        ...

    def open(self) -> AbstractContextManager[Executor]:
        """Start the executor, and end it with all that belongs to it.

        Raises:
            UnavailableError: it cannot be reached.
        """
        ...

    def for_one(self) -> "Engine":
        """Return the engine for a single cell, which ended its worker before."""
        ...

    def wrapped(self, run: RunCell) -> RunCell:
        """Return what a worker calls."""
        ...


@dataclass(frozen=True, slots=True)
class ProcessEngine:
    """Processes of this host.

    They are spawned, never forked: a forked one would share the open handles of SQLite files.

    Args:
        workers: processes; count, at least 1.
    """

    workers: int

    @property
    def at_once(self) -> int:
        """As many as processes: when one of them is killed, no waiting cell is lost with it."""
        return self.workers

    @property
    def lost(self) -> tuple[type[BaseException], ...]:
        """See `Engine`."""
        return (BrokenExecutor,)

    @contextmanager
    def open(self) -> Iterator[Executor]:
        """See `Engine`; after an error, or an interrupt, the processes are killed."""
        before = set(active_children())
        pool = ProcessPoolExecutor(
            self.workers,
            mp_context=get_context("spawn"),
            initializer=_follow_the_sweep,
        )
        try:
            yield pool
        except BaseException:
            for child in set(active_children()) - before:
                child.kill()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def for_one(self) -> "ProcessEngine":
        """See `Engine`."""
        return ProcessEngine(1)

    def wrapped(self, run: RunCell) -> RunCell:
        """See `Engine`."""
        return run


@dataclass(frozen=True, slots=True)
class DaskEngine:
    """The workers of a Dask cluster, on this host and on others.

    A cell that lost its worker is given to another one by the scheduler, some times.

    Args:
        address: of the scheduler: `tcp://host:port`.
        answer_s: see `ANSWER_S`.

    Raises:
        UnavailableError: the extra `cluster` is not installed.
    """

    address: str
    answer_s: float = ANSWER_S

    def __post_init__(self) -> None:
        _distributed()

    @property
    def at_once(self) -> int:
        """All of them: the scheduler keeps those that wait, and workers may join."""
        return MOST_SWEEP_CELLS

    @property
    def lost(self) -> tuple[type[BaseException], ...]:
        """See `Engine`."""
        return (_distributed().KilledWorker,)

    @contextmanager
    def open(self) -> Iterator[Executor]:
        """See `Engine`."""
        client = self._client()
        try:
            pool = client.get_executor(pure=False)
            try:
                yield pool
            finally:
                pool.shutdown(wait=False)
        finally:
            client.close()

    def for_one(self) -> "DaskEngine":
        """See `Engine`."""
        return self

    def wrapped(self, run: RunCell) -> RunCell:
        """See `Engine`."""
        return _InDaskWorker(run)

    def _client(self) -> Any:
        try:
            client = _distributed().Client(
                self.address, timeout=self.answer_s, set_as_default=False
            )
        except (OSError, TimeoutError):
            raise UnavailableError(
                f"replay sweep: no Dask scheduler answers at {self.address} within "
                f"{self.answer_s:g} s; start one with `dask scheduler`"
            ) from None
        try:
            client.wait_for_workers(1, timeout=self.answer_s)
        except TimeoutError:
            client.close()
            raise UnavailableError(
                f"replay sweep: the scheduler at {self.address} has no worker after "
                f"{self.answer_s:g} s; start some with `dask worker {self.address} --nthreads 1`"
            ) from None
        return client


@dataclass(frozen=True, slots=True)
class _InDaskWorker:
    """Runs a cell in the folder of a Dask worker, which Dask removes also of a killed one."""

    run: RunCell

    def __call__(self, cell: SweepCell, _folder: Path | None) -> CellResult | CellFailure:
        return self.run(cell, Path(_distributed().get_worker().local_directory))


def engine_of(text: str, workers: int | None) -> Engine:
    """Return an engine by its name.

    Args:
        text: `processes`, or the address of a scheduler.
        workers: processes; None for one a core.

    Raises:
        InvalidInputError: neither of them, or a number of workers that is not ours to choose.
        UnavailableError: the extra `cluster` is not installed.
    """
    if text == PROCESSES:
        return ProcessEngine(workers or os.cpu_count() or 1)
    if not _ADDRESS.fullmatch(text):
        raise InvalidInputError("engine", f"is {text!a:.60}", f"{PROCESSES}, tcp://host:8786")
    if workers is not None:
        problem = f"is {workers}, but the workers of {text} are started beside it"
        raise InvalidInputError("workers", problem, f"none, or --engine {PROCESSES}")
    return DaskEngine(text)


def _follow_the_sweep() -> None:
    """Let a worker end when the sweep ends it, or is killed, and never by itself.

    The terminal sends Ctrl-C to all processes; of them only the sweep tells about it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_after_the_sweep, daemon=True).start()


def _end_after_the_sweep() -> None:
    """Wait until the process of the sweep is gone; nobody else would end this one."""
    sweep = parent_process()
    assert sweep is not None
    sweep.join()
    os.kill(os.getpid(), signal.SIGKILL)


def _distributed() -> Any:
    """Import Dask, which takes a second, only where a cluster is asked for.

    Raises:
        UnavailableError: it is not installed.
    """
    try:
        import distributed
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("dask", "distributed"):
            raise
        raise UnavailableError(
            "replay sweep --engine tcp://… needs the package distributed; "
            "pip install 'afterword[cluster]'"
        ) from None
    return distributed

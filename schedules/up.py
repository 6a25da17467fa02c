"""A dispatcher and a worker in one process, on an in-process transport or on Redis."""

import threading
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Self

from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import PipelineError
from afterword.schedules.dispatcher.dispatcher import Dispatcher
from afterword.schedules.entry import CronEntry
from afterword.schedules.table import whole_table
from afterword.workers.observability.setup import Observability
from afterword.workers.routes import ROUTES, Route
from afterword.workers.worker.app import JobRunner, build_broker
from afterword.workers.worker.context import Context


class Up:
    """A dispatcher and a worker in one process; `with` stops them, also after a failed start.

    Args:
        table: the schedule; None for the whole one. The demo passes an empty one.
        at_once: when set, a stop does not wait for running jobs.
    """

    def __init__(
        self,
        context: Context,
        table: Iterable[CronEntry] | None = None,
        routes: Mapping[str, Route] = ROUTES,
        threads: int | None = None,
        observability: Observability | None = None,
        at_once: threading.Event | None = None,
    ) -> None:
        self.context, self._at_once = context, at_once
        self.broker = build_broker(context)
        self.runner = JobRunner(
            context,
            self.broker,
            routes,
            threads=threads or context.settings.worker_threads,
            observability=observability,
        )
        table = whole_table(context.decisions.roles) if table is None else table
        self.dispatcher = Dispatcher(context, self.broker, table, dict(routes))
        if observability is not None:
            self.dispatcher.on_round = observability.watch_loop("dispatcher").record
            self.dispatcher.port = observability.port
        self._thread = threading.Thread(target=self._dispatch, name="dispatcher", daemon=True)

    def start(self) -> None:
        """Begin to send and run jobs."""
        self.runner.start()
        self._thread.start()

    def is_alive(self) -> bool:
        """Say whether work continues: the dispatcher runs, and fewer than half the threads hang."""
        return self._thread.is_alive() and not self.runner.heartbeat.stuck.is_set()

    def stop(self) -> None:
        """Send no more jobs, let running jobs finish within the grace, hand back the rest.

        It is safe if only some parts were started, or none.
        """
        self.dispatcher.stop.set()
        if self._thread.is_alive():
            self._thread.join()
        self.runner.stop(self.context.settings.shutdown_grace_s, self._at_once)
        self.context.stores.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            self.stop()
        except Exception as untidy:
            if error is None:
                raise
            # An error of the stop must not hide the first error.
            emit("up.untidy", error=type(untidy).__name__)

    def _dispatch(self) -> None:
        try:
            self.dispatcher.run()
        except PipelineError as error:  # when this thread ends, the process ends (`is_alive`)
            emit("dispatcher.failed", error=str(error))

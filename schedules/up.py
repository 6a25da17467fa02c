"""Everything in one process: dispatcher and worker on an in-process transport, or on Redis."""

import threading
from collections.abc import Iterable, Mapping

from schedules.dispatcher import Dispatcher
from schedules.entry import Entry
from schedules.table import whole_table
from workers.app import Fleet, build_broker
from workers.context import Context
from workers.routes import ROUTES, Route
from workers.signs import Signs


class Up:
    """A dispatcher and a worker beside each other.

    Args:
        table: the schedule, the whole one if missing; empty in a demo or a replay, which must not
            tick.
    """

    def __init__(
        self,
        context: Context,
        table: Iterable[Entry] | None = None,
        routes: Mapping[str, Route] = ROUTES,
        threads: int | None = None,
        signs: Signs | None = None,
    ) -> None:
        self.context = context
        self.broker = build_broker(context)
        self.fleet = Fleet(
            context,
            self.broker,
            routes,
            threads=threads or context.settings.worker_threads,
            signs=signs,
        )
        table = whole_table(context.roles) if table is None else table
        self.dispatcher = Dispatcher(context, self.broker, table, dict(routes))
        if signs is not None:
            self.dispatcher.on_turn = signs.pulse("dispatcher").beat
        self._thread = threading.Thread(target=self.dispatcher.run, name="dispatcher", daemon=True)

    def start(self) -> None:
        """Begin to work."""
        self.fleet.start()
        self._thread.start()

    def is_alive(self) -> bool:
        """Say whether work goes on: the dispatcher runs, and not half the threads hang."""
        return self._thread.is_alive() and not self.fleet.holdings.stuck.is_set()

    def stop(self, at_once: threading.Event | None = None) -> None:
        """Send nothing more, let running jobs finish within the grace, hand back the rest."""
        self.dispatcher.stop.set()
        self._thread.join()
        self.fleet.stop(self.context.settings.shutdown_grace_s, at_once)
        self.context.shelf.close()

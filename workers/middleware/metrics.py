"""Measure how long each run takes, and count the busy slots of the process."""

from typing import Any

from dramatiq import Broker, Middleware

from afterword.pipeline.clock import Monotonic
from afterword.workers.broker.broker import Delivery
from afterword.workers.observability import Metrics
from afterword.workers.observability.ledger import LONG_S


class Runs(Middleware):
    """Second middleware: it counts a slot as busy, and times the run, from the first gate on.

    A skipped message is not counted as a run.

    Args:
        slots: how many messages this process works on at once.
    """

    def __init__(self, metrics: Metrics, monotonic: Monotonic, slots: int) -> None:
        self._metrics, self._monotonic = metrics, monotonic
        self._began: dict[Delivery, tuple[float, int]] = {}  # begin and number of jobs
        # The gauge is counted, not raised and lowered: an after-hook also runs for messages whose
        # before-hook did not, and the gauge would fall below zero.
        metrics.watch_slots(slots, self._began.__len__, self._long)

    def before_process_message(self, broker: Broker, message: Any) -> None:
        """Count a slot as busy, and start the clock of the run."""
        self._began[message] = self._monotonic(), len(message.args[1])

    def after_process_message(
        self, broker: Broker, message: Any, *, result: Any = None, exception: Any = None
    ) -> None:
        """Free the slot, and measure how long the run took."""
        began = self._began.pop(message, None)
        if began is not None:
            self._metrics.ran(message.actor_name, self._monotonic() - began[0])

    def after_skip_message(self, broker: Broker, message: Any) -> None:
        """Free the slot; a skipped message is not measured."""
        self._began.pop(message, None)

    def _long(self) -> int:
        before = self._monotonic() - LONG_S
        began = list(self._began.values())  # other threads begin and end meanwhile
        return sum(jobs for at, jobs in began if at < before)

"""Times each run and shows how many of the process's slots are busy."""

from typing import Any

from dramatiq import Broker, Middleware

from afterword.pipeline.clock import Monotonic
from afterword.workers.broker.broker import Delivery
from afterword.workers.observability import Metrics
from afterword.workers.observability.ledger import LONG_S


class Runs(Middleware):
    """Second, so that a slot counts as busy while a gate decides, and a run takes all it takes.

    A message that was held back is no run.

    Args:
        slots: how many messages this process works on at once.
    """

    def __init__(self, metrics: Metrics, monotonic: Monotonic, slots: int) -> None:
        self._metrics, self._monotonic = metrics, monotonic
        self._began: dict[Delivery, tuple[float, int]] = {}  # when, and with how many jobs
        # Counted, not added up: after-hooks also run where the before-hook never did, and a gauge
        # that is raised and lowered would drift below zero.
        metrics.watch_slots(slots, self._began.__len__, self._long)

    def before_process_message(self, broker: Broker, message: Any) -> None:
        self._began[message] = self._monotonic(), len(message.args[1])

    def after_process_message(
        self, broker: Broker, message: Any, *, result: Any = None, exception: Any = None
    ) -> None:
        began = self._began.pop(message, None)
        if began is not None:
            self._metrics.ran(message.actor_name, self._monotonic() - began[0])

    def after_skip_message(self, broker: Broker, message: Any) -> None:
        self._began.pop(message, None)

    def _long(self) -> int:
        before = self._monotonic() - LONG_S
        began = list(self._began.values())  # other threads begin and end meanwhile
        return sum(jobs for at, jobs in began if at < before)

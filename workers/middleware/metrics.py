"""Times each run and shows how many of the process's slots are busy."""

from typing import Any

from dramatiq import Broker, Middleware

from pipeline.clock import Monotonic
from workers.metrics import Metrics


class Runs(Middleware):
    """Second, so that a slot counts as busy while a gate decides, and a run takes all it takes.

    A message that was held back is no run.

    Args:
        slots: how many messages this process works on at once.
    """

    def __init__(self, metrics: Metrics, monotonic: Monotonic, slots: int) -> None:
        self._metrics, self._monotonic = metrics, monotonic
        self._began: dict[str, float] = {}
        # Counted, not added up: after-hooks also run where the before-hook never did, and a gauge
        # that is raised and lowered would drift below zero.
        metrics.watch_slots(slots, self._began.__len__)

    def before_process_message(self, broker: Broker, message: Any) -> None:
        self._began[message.message_id] = self._monotonic()

    def after_process_message(
        self, broker: Broker, message: Any, *, result: Any = None, exception: Any = None
    ) -> None:
        began = self._began.pop(message.message_id, None)
        if began is not None:
            self._metrics.ran(message.actor_name, self._monotonic() - began)

    def after_skip_message(self, broker: Broker, message: Any) -> None:
        self._began.pop(message.message_id, None)

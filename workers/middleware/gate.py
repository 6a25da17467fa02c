"""Base of the gates: a job that may not start yet is postponed in the ledger, with the reason."""

from abc import abstractmethod
from typing import Any, ClassVar

from dramatiq import Broker, Middleware
from dramatiq.middleware import SkipMessage

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.jobs.fail import postpone, reopening
from afterword.pipeline.core.store import Stores, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import PostponedError


class Gate(Middleware):
    """Decides before a run whether jobs may start; actors without the gate's option pass.

    A postponed job waits in the ledger, at no cost to its attempts. It does not wait in the broker,
    which keeps delayed messages in a worker's memory.
    """

    option: ClassVar[str]
    """The actor option with the name of the budget or service."""

    reason: ClassVar[str]
    """Why jobs are postponed: a label of the metric `afterword_jobs_held`."""

    def __init__(self, stores: Stores, clock: Clock) -> None:
        self._stores, self._clock = stores, clock

    @abstractmethod
    def check(self, wanted: Any, group: str) -> None:
        """Return if jobs of the group may start.

        Raises:
            PostponedError: they may not; the error says until when.
        """

    @property
    def actor_options(self) -> set[str]:
        """Return the option by which an actor names what the gate checks."""
        return {self.option}

    def before_process_message(self, broker: Broker, message: Any) -> None:
        """Let jobs start that may; postpone the others, and skip their message.

        Raises:
            SkipMessage: jobs may not start, or the check itself failed.
        """
        try:
            reason = self._postpone_if_closed(broker, message)
        except Exception as error:
            # Any other error is logged by dramatiq, and the job runs. Skipped, it is sent again.
            raise SkipMessage(f"{type(self).__name__} failed: {error}") from error
        if reason:
            raise SkipMessage(reason)

    def _postpone_if_closed(self, broker: Broker, message: Any) -> str | None:
        wanted = broker.get_actor(message.actor_name).options.get(self.option)
        if wanted is None:
            return None
        group, job_ids = message.args
        try:
            self.check(wanted, group)
        except PostponedError as closed:
            now = self._clock()
            with writing(self._stores.at(group)) as conn:
                postpone(
                    conn,
                    job_ids,
                    reopening(closed, now),
                    str(closed),
                    now,
                    gate=closed.gate,
                    asked_micro_usd=closed.requested_micro_usd,
                )
            emit("jobs.held", kind=message.actor_name, jobs=len(job_ids), reason=self.reason)
            return str(closed)
        return None

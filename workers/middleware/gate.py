"""What all gates share: a job that may not start yet waits in the ledger, saying why."""

from abc import abstractmethod
from typing import Any, ClassVar

from dramatiq import Broker, Middleware
from dramatiq.middleware import SkipMessage

from afterword.pipeline.core.jobs.fail import postpone, reopening
from afterword.pipeline.core.store import writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import PostponedError
from afterword.workers.worker.context import Context


class Gate(Middleware):
    """Asks before a job starts; actors without the gate's option pass.

    A held job waits in the ledger, at no cost to its attempts: the broker keeps long delays in a
    worker's memory.
    """

    option: ClassVar[str]
    """The actor option that says what is asked."""

    reason: ClassVar[str]
    """Why jobs are held, for the metrics."""

    def __init__(self, context: Context) -> None:
        self.context = context

    @abstractmethod
    def check(self, wanted: Any, group: str) -> None:
        """Return if jobs of the group may start.

        Raises:
            PostponedError: not before then.
        """

    @property
    def actor_options(self) -> set[str]:
        return {self.option}

    def before_process_message(self, broker: Broker, message: Any) -> None:
        try:
            held = self._hold_if_closed(broker, message)
        except Exception as error:
            # dramatiq logs any other error and runs the job; skipped, the ledger sends it again.
            raise SkipMessage(f"{type(self).__name__} failed: {error}") from error
        if held:
            raise SkipMessage(held)

    def _hold_if_closed(self, broker: Broker, message: Any) -> str | None:
        wanted = broker.get_actor(message.actor_name).options.get(self.option)
        if wanted is None:
            return None
        group, job_ids = message.args
        try:
            self.check(wanted, group)
        except PostponedError as closed:
            now = self.context.clock()
            with writing(self.context.stores.group(group)) as conn:
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

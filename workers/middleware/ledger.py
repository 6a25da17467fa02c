"""Innermost middleware: lease the jobs of a message, and settle those whose run failed."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from dramatiq import Broker, Middleware
from dramatiq.middleware import SkipMessage

from afterword.pipeline.core.jobs.claim import unsend
from afterword.pipeline.core.jobs.fail import fail, postpone
from afterword.pipeline.core.jobs.lease import LeaseLostError, lease, still_held
from afterword.pipeline.core.jobs.model import ISOLATION_QUEUE
from afterword.pipeline.core.store import Stores, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import PipelineError
from afterword.pipeline.rules.masking import trace
from afterword.workers.routes import Route
from afterword.workers.worker.context import Runtime
from afterword.workers.worker.heartbeat import LeaseHeartbeat, RunningDelivery

ISOLATION_PAUSE: Final = timedelta(seconds=1)
"""Pause before isolated jobs are sent again if their process was running another one."""


class Ledger(Middleware):
    """Leases jobs before the run; after it, turns an exception into a retry, a wait or a dead job.

    A run that succeeds has ended its jobs in the transaction of its effect. If a failure cannot be
    settled either, the heartbeat hands the jobs back as soon as the store can be written.
    """

    def __init__(
        self,
        stores: Stores,
        runtime: Runtime,
        heartbeat: LeaseHeartbeat,
        routes: Mapping[str, Route],
    ) -> None:
        self._stores, self._runtime = stores, runtime
        self._heartbeat, self._routes = heartbeat, routes

    def before_process_message(self, broker: Broker, message: Any) -> None:
        """Lease the jobs of a message.

        Raises:
            SkipMessage: no job of it can be leased here, or leasing failed.
        """
        try:
            has_leased = self._lease(message)
        except Exception as error:
            # Any other error would be logged by dramatiq, and the job would run without a lease.
            raise SkipMessage(f"lease failed: {error}") from error
        if not has_leased:
            raise SkipMessage("nothing left to do")

    def after_process_message(
        self,
        broker: Broker,
        message: Any,
        *,
        result: Any = None,
        exception: BaseException | None = None,
    ) -> None:
        """Settle the jobs of a run that failed or left some unended, and end their heartbeat."""
        run = self._heartbeat.get(message)
        if run is None:
            return
        try:
            self._settle(run, exception or self._unended(run))
        except PipelineError as failed:
            # The failure could not be written either: the heartbeat tries until it can.
            emit("jobs.unsettled", kind=run.kind.name, jobs=len(run.leases), error=str(failed))
            self._heartbeat.abandon(message)
        else:
            self._heartbeat.remove(message)

    def after_skip_message(self, broker: Broker, message: Any) -> None:
        """End the heartbeat of jobs that were leased and then skipped by another middleware."""
        self._heartbeat.remove(message)

    def _lease(self, message: Any) -> bool:
        group, job_ids = message.args
        try:
            store = self._stores.at(group)
        except PipelineError as error:
            # The file belongs to another installation, or was moved: leave its rows unchanged.
            emit("jobs.refused", kind=message.actor_name, error=str(error))
            return False
        isolated = message.queue_name == ISOLATION_QUEUE
        if isolated and not self._heartbeat.begin_isolated(message):
            # In a process that serves all queues, one crash would count for both messages.
            now = self._runtime.clock()
            with writing(store) as conn:
                postpone(conn, job_ids, now + ISOLATION_PAUSE, "another isolated job to end", now)
            return False
        self._heartbeat.await_turn(
            message,
            by_itself=isolated and len(job_ids) == 1,
            stopping=self._runtime.stopping,
        )
        if self._runtime.stopping.is_set():
            with writing(store) as conn:
                unsend(conn, job_ids)
            return False
        kind = self._routes[message.actor_name].kind
        with writing(store) as conn:
            leases = lease(
                conn,
                job_ids,
                self._runtime.worker_uid,
                self._runtime.clock,
                kind,
                isolated=isolated,
            )
        if len(leases) < len(job_ids):
            emit("jobs.redelivered", kind=kind.name, jobs=len(job_ids) - len(leases))
        if leases.held:
            self._heartbeat.add(message, store, kind, leases)
            emit(
                "jobs.leased",
                kind=kind.name,
                jobs=len(leases),
                waited_s=[one.waited_us / 1e6 for one in leases],
            )
        return bool(leases.held)

    def _unended(self, run: RunningDelivery) -> BaseException | None:
        """Return an error if the actor returned without ending its jobs, which is a defect."""
        with reading(run.store) as conn:
            left = still_held(conn, run.leases)
        if not left:
            return None
        return RuntimeError(f"{run.kind.name} returned and left {left} job(s) unended")

    def _settle(self, run: RunningDelivery, error: BaseException | None) -> None:
        facts = {"kind": run.kind.name, "group": run.store.address, "jobs": len(run.leases)}
        if error is None:
            emit("jobs.ended", outcome="done", **facts)
            return
        # Before the write begins: the search for secrets in a long traceback takes a while.
        masked = trace(error)
        try:
            with writing(run.store) as conn:
                outcome = fail(conn, run.leases, run.kind, error, masked, self._runtime.chance)
        except LeaseLostError:
            outcome = "lost"
        emit("jobs.ended", outcome=outcome, error=f"{type(error).__name__}: {error}", **facts)

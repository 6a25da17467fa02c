"""Innermost: takes the jobs a message names, and settles those whose run failed."""

import traceback
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from dramatiq import Broker, Middleware
from dramatiq.middleware import SkipMessage

from afterword.pipeline.core.jobs.claim import unsend
from afterword.pipeline.core.jobs.fail import fail, postpone
from afterword.pipeline.core.jobs.lease import LeaseLostError, lease, still_held
from afterword.pipeline.core.jobs.model import ALONE
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import NotFoundError, PipelineError
from afterword.pipeline.rules.masking import mask
from afterword.workers.routes import Route
from afterword.workers.worker.context import Context
from afterword.workers.worker.heartbeat import LeaseHeartbeat, RunningDelivery

SUSPECT_PAUSE: Final = timedelta(seconds=1)
"""Pause before suspects are sent again if their process was running other suspects."""

LONGEST_TRACE: Final = 20_000
"""Characters of a traceback, from its end, that are looked at for secrets; more than are kept."""


class Ledger(Middleware):
    """Leases before the run; after it, turns an exception into a retry, a wait or a dead row.

    A run that succeeds has ended its jobs in the transaction of its effect. If even settling a
    failure fails, the heartbeat gives the jobs back as soon as the store can be written.
    """

    def __init__(
        self, context: Context, holdings: LeaseHeartbeat, routes: Mapping[str, Route]
    ) -> None:
        self._context, self._holdings, self._routes = context, holdings, routes

    def before_process_message(self, broker: Broker, message: Any) -> None:
        try:
            taken = self._take(message)
        except Exception as error:
            # dramatiq would log any other error and run the job without a lease.
            raise SkipMessage(f"lease failed: {error}") from error
        if not taken:
            raise SkipMessage("nothing left to do")

    def after_process_message(
        self,
        broker: Broker,
        message: Any,
        *,
        result: Any = None,
        exception: BaseException | None = None,
    ) -> None:
        held = self._holdings.get(message)
        if held is None:
            return
        try:
            self._settle(held, exception or self._forgotten(held))
        except PipelineError as failed:
            # Not even the failure could be written: the heartbeat tries until it can.
            emit("jobs.unsettled", kind=held.kind.name, jobs=len(held.leases), error=str(failed))
            self._holdings.abandon(message)
        else:
            self._holdings.remove(message)

    def after_skip_message(self, broker: Broker, message: Any) -> None:
        self._holdings.remove(message)

    def _take(self, message: Any) -> bool:
        group, job_ids = message.args
        try:
            store = self._context.stores.group(group)
        except (NotFoundError, PipelineError) as error:
            # Another installation's, or a file that was moved: its rows are not ours to touch.
            emit("jobs.refused", kind=message.actor_name, error=str(error))
            return False
        if self._context.stopping.is_set():
            with writing(store) as conn:
                unsend(conn, job_ids)
            return False
        alone = message.queue_name == ALONE
        if alone and not self._holdings.begin_alone(message):
            # In a process that works all lanes two suspects would be blamed for one crash.
            now = self._context.clock()
            with writing(store) as conn:
                postpone(conn, job_ids, now + SUSPECT_PAUSE, "another suspect of a crash", now)
            return False
        kind = self._routes[message.actor_name].kind
        with writing(store) as conn:
            leases = lease(
                conn,
                job_ids,
                self._context.owner,
                self._context.clock,
                kind,
                alone=alone,
            )
        if len(leases) < len(job_ids):
            emit("jobs.redelivered", kind=kind.name, jobs=len(job_ids) - len(leases))
        if leases.held:
            self._holdings.add(message, store, kind, leases)
            emit(
                "jobs.leased",
                kind=kind.name,
                jobs=len(leases),
                waited_s=[held.waited_us / 1e6 for held in leases],
            )
        return bool(leases.held)

    def _forgotten(self, held: RunningDelivery) -> BaseException | None:
        """Notice an actor that returned without ending its jobs: a bug that must not go unseen."""
        with reading(held.store) as conn:
            left = still_held(conn, held.leases)
        if not left:
            return None
        return RuntimeError(f"{held.kind.name} returned and left {left} job(s) unended")

    def _settle(self, held: RunningDelivery, error: BaseException | None) -> None:
        facts = {"kind": held.kind.name, "group": held.store.name, "jobs": len(held.leases)}
        if error is None:
            emit("jobs.ended", outcome="done", **facts)
            return
        # Before the write begins: looking for secrets takes a while in a long trace.
        trace = mask("".join(traceback.format_exception(error))[-LONGEST_TRACE:])
        try:
            with writing(held.store) as conn:
                outcome = fail(conn, held.leases, held.kind, error, trace, self._context.chance)
        except LeaseLostError:
            outcome = "lost"
        emit("jobs.ended", outcome=outcome, error=f"{type(error).__name__}: {error}", **facts)

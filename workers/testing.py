"""Kinds of job for tests: they leave one countable trace, fail, hang, or kill their process."""

import os
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, text

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.area import Kind
from afterword.pipeline.core.jobs.claim import agenda, claim, promote
from afterword.pipeline.core.jobs.lease import lease as take_lease
from afterword.pipeline.core.store import Store, writing
from afterword.pipeline.errors import UnavailableError
from afterword.pipeline.settings import load
from afterword.pipeline.testing.clock import stepped_clock
from afterword.pipeline.testing.crash import die_at
from afterword.workers.routes import ROUTES, Route
from afterword.workers.worker.context import Context, Work
from afterword.workers.worker.process import run_worker

NOTE_KIND = Kind("note_effect", batch=16, deadline_s=30)
"""Leaves one trace per job; payload: `id`, and optionally `ms` to work."""

FAIL = Kind("fail_always", max_attempts=2)
"""Raises every time; payload: optionally `ms` to work before, and `saying`, the error message."""

POISON = Kind("kill_worker", batch=4)
"""Ends its process, like a crash in C code."""

CALL = Kind("call_outside", batch=64, deadline_s=30)
"""Leaves one trace per job after one call for the whole message; payload: `id`, `ms` of the call,
and `guilty` if it ends its process."""

HANG = Kind("hang_quietly", deadline_s=1, max_attempts=2)
"""Sleeps past its deadline; payload: `seconds`."""

SPEND = Kind("spend_money")
"""Leaves a trace if the budget category `learning` is open."""

TURN = Kind("take_turns")
"""Leaves a trace; one at a time per payload `role`; payload: `id`, `role`, `ms`."""

NOTHING_KIND = Kind("do_nothing", batch=256)
"""Ends without effect; for benchmarks."""

CLOCK_FILE: Final = "clock_offset"
"""A file in a test's home: the seconds by which the wall clocks of its processes are moved."""

_TRACE = text("""
INSERT INTO user_profile (key, value, updated_at) VALUES (:key, '1', :now)
ON CONFLICT (key) WHERE superseded_at IS NULL DO UPDATE SET value = value + 1
""")


def leave_trace(conn: Connection, job: int | str, now: int = 0) -> None:
    """Count one more effect of a job."""
    conn.execute(_TRACE, {"key": f"effect {job}", "now": now})


def traces(conn: Connection) -> dict[str, int]:
    """Return how often each job took effect."""
    rows = conn.execute(text("SELECT key, value FROM user_profile WHERE key LIKE 'effect %'"))
    return {key.removeprefix("effect "): int(value) for key, value in rows}


def work_off(context: Context, store: Store, clock: Clock) -> None:
    """Run all jobs that are due in this thread, a message of the first kind in the alphabet each.

    The order is the same on every machine, so that a test can hold what is stored or printed.
    """
    while True:
        with writing(store) as conn:
            promote(conn, clock())
            heads = agenda(conn, ROUTES).heads
            if not heads:
                return
            kind = ROUTES[min(head.kind for head in heads)].kind
            jobs = [row.id for row in claim(conn, kind.name, kind.batch, clock())]
            leases = take_lease(conn, jobs, context.runtime.worker_uid, clock, kind)
        ROUTES[kind.name].run(Work(context, store.name, store, leases))


def note(work: Work) -> None:
    """Leave one trace per job of the batch."""
    for lease in work.leases:
        _spend(lease.payload.get("ms", 0) / 1000)
    with writing(work.store, finishing=work.leases) as conn:
        for lease in work.leases:
            leave_trace(conn, lease.payload["id"])


def fail_always(work: Work) -> None:
    """Raise the error of an outage."""
    (lease,) = work.leases
    _spend(lease.payload.get("ms", 0) / 1000)
    raise UnavailableError(lease.payload.get("saying", "the outside is away"))


def kill_worker(work: Work) -> None:
    """End the process if a job is marked `guilty`; else leave traces."""
    if any(lease.payload.get("guilty") for lease in work.leases):
        os._exit(139)
    note(work)


def call_outside(work: Work) -> None:
    """Wait once, like a call for a whole batch, then leave one trace per job."""
    payloads = [lease.payload for lease in work.leases]
    _spend(max(payload["ms"] for payload in payloads) / 1000)
    if any(payload.get("guilty") for payload in payloads):
        os._exit(139)
    with writing(work.store, finishing=work.leases) as conn:
        for payload in payloads:
            leave_trace(conn, payload["id"])


def hang(work: Work) -> None:
    """Sleep, then try to settle."""
    _spend(max(lease.payload["seconds"] for lease in work.leases))
    note(work)


def do_nothing(work: Work) -> None:
    """End the jobs."""
    with writing(work.store, finishing=work.leases):
        pass


def _spend(seconds: float) -> None:
    """Wait by the monotonic clock: a test may move the wall clock of the process."""
    threading.Event().wait(seconds)


def _role(_group: str, payload: Mapping[str, Any]) -> str:
    return f"role {payload['role']}"


TEST_ROUTES: Final[Mapping[str, Route]] = dict(ROUTES) | {
    route.kind.name: route
    for route in (
        Route(NOTE_KIND, note, queue="quick"),
        Route(FAIL, fail_always, queue="quick"),
        Route(POISON, kill_worker, queue="quick"),
        Route(CALL, call_outside, queue="embed"),
        Route(HANG, hang, queue="sync"),
        Route(SPEND, note, queue="llm", spends="learning"),
        Route(TURN, note, queue="llm", serial=_role),
        Route(NOTHING_KIND, do_nothing, queue="quick"),
    )
}


if __name__ == "__main__":
    # A worker process with the test jobs: python -m afterword.workers.testing HOME QUEUES THREADS
    if os.environ.get("AFTERWORD_CRASH_AT"):
        die_at(os.environ["AFTERWORD_CRASH_AT"])
    run_worker(
        load(home=sys.argv[1]),
        sys.argv[2].split(","),
        int(sys.argv[3]),
        TEST_ROUTES,
        stepped_clock(Path(sys.argv[1], CLOCK_FILE)),
    )

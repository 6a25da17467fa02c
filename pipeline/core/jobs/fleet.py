"""The processes of a home, and the waiting jobs that none of them will run."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final, Literal

from sqlalchemy import Connection

from afterword.pipeline.clock import Monotonic
from afterword.pipeline.core.jobs.autostart import last_start
from afterword.pipeline.core.jobs.inspect import StateCount, isolated_jobs, pauses, state_counts
from afterword.pipeline.core.jobs.model import ISOLATION_QUEUE
from afterword.pipeline.core.jobs.registrations import FROZEN_AFTER_S, ObservedWorker, WorkerWatch

LATE_AFTER_S: Final = 10.0
"""A process without a heartbeat for so long is late; seconds. Heartbeats come every second, but a
dispatcher may wait 5 s for a frozen Redis."""

ProcessState = Literal["alive", "late", "frozen", "dead"]


@dataclass(frozen=True, slots=True)
class Process:
    """One worker or dispatcher, as its file in `owners/` shows it.

    Args:
        state: `alive`; `late`: no heartbeat for 10 s; `frozen`: none for 30 s, so that other
            workers get its jobs; `dead`: its lock is free.
        role: `worker` or `dispatcher`; None if its file does not name it. `afterword up` has one
            of each, with the same pid.
        pid: None if its file does not name it; each container has its own numbers.
        kinds: the kinds of job it runs; None if its file does not name them.
        busy: threads that were running a batch at its last heartbeat (count).
        port: loopback port of its /healthz and /metrics; None if it has none.
        uid: uid of the process in the ledger.
        for_agents: whether an agent's process started it, so that it ends by itself.
    """

    state: ProcessState
    role: str | None
    pid: int | None
    queues: tuple[str, ...]
    kinds: tuple[str, ...] | None
    threads: int
    busy: int
    heartbeat_age_s: float
    port: int | None
    uid: str
    for_agents: bool = False

    @property
    def is_alive(self) -> bool:
        """Say whether its last heartbeat is recent."""
        return self.state == "alive"

    @property
    def is_isolation(self) -> bool:
        """Say whether it is a worker that runs suspected jobs only."""
        return self.queues == (ISOLATION_QUEUE,)

    @property
    def called(self) -> str:
        """Return what it is for an operator: `worker`, `isolation worker`, `dispatcher` or `?`."""
        return "isolation worker" if self.is_isolation else self.role or "?"

    @property
    def name(self) -> str:
        """Return its name for an operator, such as `worker 4711`."""
        return f"{self.role or 'process'} {self.pid or self.uid[:8]}"


@dataclass(frozen=True, slots=True)
class OpenJobs:
    """Open jobs that need a process now.

    Args:
        kinds: how many of each kind are due, sent or running; paused kinds are left out.
        isolated: how many of them may only run on the queue `alone`.
    """

    kinds: Mapping[str, int]
    isolated: int = 0

    def __add__(self, other: "OpenJobs") -> "OpenJobs":
        names = sorted(self.kinds.keys() | other.kinds.keys())
        summed = {name: self.kinds.get(name, 0) + other.kinds.get(name, 0) for name in names}
        return OpenJobs(summed, self.isolated + other.isolated)


def processes(home: Path, now: datetime, monotonic: Monotonic) -> list[Process]:
    """Return every worker and dispatcher of a home, dispatchers first.

    One survey cannot see a heartbeat change, so it uses the age of the file. After the clock was
    set back, a heartbeat looks more recent than it is until the next one.
    """
    seen = WorkerWatch(home, monotonic).survey()
    started = last_start(home).pid
    return sorted(
        (_process(one, now, started) for one in seen),
        key=lambda one: (one.role or "", one.pid or 0),
    )


def is_served(found: Iterable[Process], but: str = "") -> bool:
    """Say whether a worker is alive; a frozen one is not.

    Args:
        but: uid of a worker that does not count.
    """
    return any(
        one.role != "dispatcher" and one.state in ("alive", "late") and one.uid != but
        for one in found
    )


def waiting(
    conn: Connection, now: datetime, counted: Iterable[StateCount] | None = None
) -> OpenJobs:
    """Return the open jobs of one group that need a process now.

    Args:
        counted: the `state_counts` of the same read, where they are known.
    """
    paused = {pause.kind for pause in pauses(conn)}
    kinds: dict[str, int] = {}
    for one in state_counts(conn) if counted is None else counted:
        is_future = one.state == "later" and one.due_at > now
        if one.kind not in paused and one.state != "dead" and not is_future:
            # Of the rows in the state `later`, only the first is known to be due.
            due = 1 if one.state == "later" else one.jobs
            kinds[one.kind] = kinds.get(one.kind, 0) + due
    return OpenJobs(kinds, isolated_jobs(conn) if kinds else 0)


def problems(found: Collection[Process], wanted: OpenJobs, one_process: bool) -> list[str]:
    """Return why waiting jobs will not run and which processes are frozen, each with a remedy.

    Args:
        one_process: no Redis is set, so only `afterword up` can run jobs.
    """
    said = _missing(found, wanted, one_process) if wanted.kinds else []
    return said + [
        f"{one.name} has had no heartbeat for {one.heartbeat_age_s:.0f} s: it is stopped or hangs, "
        f"and other workers get its jobs; continue it (kill -CONT {one.pid}), or kill it and start "
        "another"
        for one in found
        if one.state == "frozen"
    ]


def threads_for(found: Iterable[Process], kind: str) -> int | None:
    """Return how many threads of live workers run a kind; None if one does not name its kinds."""
    alive = [one for one in found if one.role != "dispatcher" and one.is_alive]
    if any(one.kinds is None for one in alive):
        return None
    return sum(one.threads for one in alive if kind in (one.kinds or ()))


def notes(found: Collection[Process]) -> list[str]:
    """Return which processes are late, were started for agents, or are not described."""
    said = []
    for one in found:
        if one.state == "late":
            said.append(
                f"{one.name} has had no heartbeat for {one.heartbeat_age_s:.0f} s; after "
                f"{FROZEN_AFTER_S:.0f} s other workers get its jobs"
            )
        if one.state != "dead" and (one.role is None or one.kinds is None):
            said.append(
                f"{one.name} does not name the kinds of job it runs: it is of an older release, or "
                "its file is damaged"
            )
    return said + started_for_agents(found)


def started_for_agents(found: Iterable[Process]) -> list[str]:
    """Return which worker was started by an agent's process, if one is alive."""
    return [
        f"{one.name} was started by an agent's process; it ends by itself when nothing is due soon"
        for one in found
        if one.is_alive and one.for_agents and one.role != "dispatcher"
    ]


def _missing(found: Collection[Process], wanted: OpenJobs, one_process: bool) -> list[str]:
    """Return which processes the waiting jobs need and do not have."""
    alive = [one for one in found if one.is_alive]
    workers = [one for one in alive if one.role != "dispatcher"]
    has_dispatcher = any(one.role != "worker" for one in alive)
    jobs = _jobs(sum(wanted.kinds.values()))
    if one_process and not alive:
        return [f"no process is alive: {jobs}; start `afterword up`"]
    said = []
    if not has_dispatcher:
        start = "afterword up" if one_process else "afterword dispatcher"
        said.append(
            f"no dispatcher is alive: {jobs}, no job is sent and no schedule entry fires; "
            f"start `{start}`"
        )
    if not workers:
        said.append(f"no worker is alive: {jobs}; start `afterword worker`")
        return said
    serving = ", ".join(sorted({queue for one in workers for queue in one.queues}))
    said += [
        f"no live worker runs {kind} ({_jobs(wanted.kinds[kind])}): those alive serve {serving}; "
        "start `afterword worker`, without --queues"
        for kind in _unserved(found, wanted.kinds)
    ]
    if wanted.isolated and not any(ISOLATION_QUEUE in one.queues for one in workers):
        said.append(
            f"no live worker serves the isolation queue `{ISOLATION_QUEUE}`: "
            f"{_jobs(wanted.isolated)} whose worker died; start `afterword worker --queues "
            f"{ISOLATION_QUEUE}`"
        )
    return said


def _unserved(found: Collection[Process], kinds: Iterable[str]) -> list[str]:
    """Return the kinds of job that no live worker runs, sorted."""
    return sorted(kind for kind in kinds if threads_for(found, kind) == 0)


def _jobs(count: int) -> str:
    return "1 job waits" if count == 1 else f"{count:,} jobs wait"


def _process(seen: ObservedWorker, now: datetime, started: int) -> Process:
    age = max(0.0, now.timestamp() - seen.heartbeat_at)
    state: ProcessState = "alive"
    if seen.state == "dead":
        state = "dead"
    elif age >= LATE_AFTER_S:
        state = "frozen" if age >= FROZEN_AFTER_S else "late"
    return Process(
        state=state,
        role=seen.role or ("worker" if seen.queues else None),
        pid=seen.pid or None,
        queues=seen.queues,
        kinds=seen.kinds,
        threads=seen.threads,
        busy=seen.busy,
        heartbeat_age_s=age,
        port=seen.port or None,
        uid=seen.uid,
        for_agents=0 < started == seen.pid,
    )

"""The processes of a home as one survey shows them, and waiting jobs that none of them will run."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final, Literal

from sqlalchemy import Connection, text

from afterword.pipeline.clock import Monotonic
from afterword.pipeline.core.jobs.inspect import pauses, standing
from afterword.pipeline.core.jobs.model import ALONE
from afterword.pipeline.core.jobs.registrations import FROZEN_AFTER_S, ObservedWorker, Watch

LATE_AFTER_S: Final = 10.0
"""Heartbeats come every second, and a dispatcher may wait 5 s for a frozen Redis; seconds."""

State = Literal["alive", "late", "frozen", "dead"]

_SUSPECTS = text("SELECT count(*) FROM jobs WHERE state IN ('ready', 'sent') AND crashes > 0")


@dataclass(frozen=True, slots=True)
class Process:
    """One worker or dispatcher, as its file in `owners/` shows it.

    Args:
        state: `alive`; `late`: no heartbeat for 10 s; `frozen`: none for 30 s, so its jobs are
            given to others; `dead`: its lock is free.
        role: `worker` or `dispatcher`; None where its file does not say. `afterword up` is one of
            each, under one pid.
        pid: None where its file does not say; a container numbers its own.
        kinds: the kinds of job it runs; None where its file does not say.
        busy: threads that were running a batch at its last heartbeat (count).
        port: loopback port of its /healthz and /metrics; None: it has none.
        uid: its name in the ledger.
    """

    state: State
    role: str | None
    pid: int | None
    queues: tuple[str, ...]
    kinds: tuple[str, ...] | None
    threads: int
    busy: int
    heartbeat_age_s: float
    port: int | None
    uid: str

    @property
    def is_alive(self) -> bool:
        """Say whether its heartbeat is fresh."""
        return self.state == "alive"

    @property
    def name(self) -> str:
        """Return what an operator calls it, such as `worker 4711`."""
        return f"{self.role or 'process'} {self.pid or self.uid[:8]}"


@dataclass(frozen=True, slots=True)
class OpenJobs:
    """Open jobs that need a process now.

    Args:
        kinds: how many of each kind are due, sent or running; paused kinds are left out.
        suspects: how many of them may only run on the queue `alone`.
    """

    kinds: Mapping[str, int]
    suspects: int = 0

    def __add__(self, other: "OpenJobs") -> "OpenJobs":
        names = self.kinds.keys() | other.kinds.keys()
        summed = {name: self.kinds.get(name, 0) + other.kinds.get(name, 0) for name in names}
        return OpenJobs(summed, self.suspects + other.suspects)


def processes(home: Path, now: datetime, monotonic: Monotonic) -> list[Process]:
    """Return every worker and dispatcher of a home, dispatchers first.

    One survey cannot see a heartbeat change, so the age of the file counts: after the clock was set
    back, a heartbeat looks younger than it is until the next one.
    """
    seen = Watch(home, monotonic).survey()
    return sorted(
        (_process(one, now) for one in seen), key=lambda one: (one.role or "", one.pid or 0)
    )


def waiting(conn: Connection, now: datetime) -> OpenJobs:
    """Return the open jobs of one group that need a process now."""
    paused = {pause.kind for pause in pauses(conn)}
    kinds: dict[str, int] = {}
    for one in standing(conn):
        is_future = one.state == "later" and one.due_at > now
        if one.kind not in paused and one.state != "dead" and not is_future:
            # Of the rows with a later moment, only the first is known to be due.
            due = 1 if one.state == "later" else one.jobs
            kinds[one.kind] = kinds.get(one.kind, 0) + due
    return OpenJobs(kinds, conn.execute(_SUSPECTS).scalar_one() if kinds else 0)


def problems(found: Collection[Process], wanted: OpenJobs, one_process: bool) -> list[str]:
    """Return why waiting jobs will not run, and which processes are frozen, each with a remedy.

    Args:
        one_process: no Redis is set, so that only `afterword up` can run anything.
    """
    said = _missing(found, wanted, one_process) if wanted.kinds else []
    return said + [
        f"{one.name} has not moved for {one.heartbeat_age_s:.0f} s: it is stopped or hangs, and "
        f"others get its jobs; continue it (kill -CONT {one.pid}), or kill it and start another"
        for one in found
        if one.state == "frozen"
    ]


def threads_for(found: Iterable[Process], kind: str) -> int | None:
    """Return how many threads of living workers run a kind; None if one does not say."""
    alive = [one for one in found if one.role != "dispatcher" and one.is_alive]
    if any(one.kinds is None for one in alive):
        return None
    return sum(one.threads for one in alive if kind in (one.kinds or ()))


def notes(found: Iterable[Process]) -> list[str]:
    """Return which processes are late, and which files lack facts about their process."""
    said = []
    for one in found:
        if one.state == "late":
            said.append(
                f"{one.name} has not moved for {one.heartbeat_age_s:.0f} s; after "
                f"{FROZEN_AFTER_S:.0f} s its jobs are given to others"
            )
        if one.state != "dead" and (one.role is None or one.kinds is None):
            said.append(
                f"{one.name} does not name what it runs: it is of an older release, or its file is "
                "damaged"
            )
    return said


def _missing(found: Collection[Process], wanted: OpenJobs, one_process: bool) -> list[str]:
    """Return which processes are missing for the jobs that wait."""
    alive = [one for one in found if one.is_alive]
    workers = [one for one in alive if one.role != "dispatcher"]
    has_dispatcher = any(one.role != "worker" for one in alive)
    jobs = _jobs(sum(wanted.kinds.values()))
    if one_process and not alive:
        return [f"no process is alive: {jobs} until `afterword up` is started"]
    said = []
    if not has_dispatcher:
        start = "afterword up" if one_process else "afterword dispatcher"
        said.append(
            f"no dispatcher is alive: {jobs}, nothing is sent and no schedule fires; "
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
    if wanted.suspects and not any(ALONE in one.queues for one in workers):
        said.append(
            f"no live worker serves the queue {ALONE}: {_jobs(wanted.suspects)}, suspected of "
            f"having killed a worker; start `afterword worker --queues {ALONE}`"
        )
    return said


def _unserved(found: Collection[Process], kinds: Iterable[str]) -> list[str]:
    """Return the kinds of job that no living worker runs, sorted."""
    return sorted(kind for kind in kinds if threads_for(found, kind) == 0)


def _jobs(count: int) -> str:
    return "1 job waits" if count == 1 else f"{count:,} jobs wait"


def _process(seen: ObservedWorker, now: datetime) -> Process:
    age = max(0.0, now.timestamp() - seen.beaten_at)
    state: State = "alive"
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
    )

"""Whether kills from outside end an innocent job, and how many runs a guilty one has."""

import os
import random
import signal
import time
from dataclasses import dataclass, field
from subprocess import Popen

from sqlalchemy import text

from afterword.pipeline.clock import monotonic, system_clock
from afterword.pipeline.core.area import Kind
from afterword.pipeline.core.jobs.add import add_many
from afterword.pipeline.core.jobs.inspect import listing
from afterword.pipeline.core.jobs.model import ISOLATION_QUEUE
from afterword.pipeline.core.jobs.registrations import living
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.testing.wait import wait_until
from afterword.workers.testing import CALL, NOTE_KIND, traces
from afterword.workers.worker.commands import ISOLATION_PROCESSES
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.host import LANES, LONGEST_WAIT_S, Host, a_host

LANE_PROCESSES = 2
"""Worker processes of the usual queues (count)."""

CALLS = 0.2
"""Share of jobs that wait for a call; the others work on their own."""

LONGEST_CALL_MS, LONGEST_WORK_MS = 800, 60

LONGEST_GAP_S = 4.0
"""Longest time between two rounds of kills; seconds. Half of the gaps are longer than the two
seconds within which deaths excuse each other."""

ALL_DIE, SEVERAL_DIE = 0.15, 0.4
"""Shares of the rounds in which every process is killed, and in which several or all are."""

NEIGHBOURS = 100
"""Jobs beside the guilty one (count)."""

_CRASHES = text("""
SELECT coalesce(sum(excused_by IS NULL), 0) AS counted, count(excused_by) AS excused
FROM job_runs WHERE outcome = 'crashed'
""")
_MOST = text("SELECT coalesce(max(crashes), 0) FROM jobs")
_RUNS = text("SELECT count(*) FROM job_runs WHERE job_id = :job AND outcome = 'crashed'")


@dataclass(slots=True)
class Fleet:
    """The processes that `afterword worker` would start, each started again when it died."""

    host: Host
    processes: "list[tuple[Popen[bytes], tuple[str, str]]]" = field(default_factory=list)

    def start(self) -> None:
        """Start a dispatcher and every worker process."""
        self.host.dispatcher()
        places = [(",".join(LANES), "8")] * LANE_PROCESSES
        places += [(ISOLATION_QUEUE, "1")] * ISOLATION_PROCESSES
        self.processes = [(self._worker(*place), place) for place in places]

    def restart_dead(self) -> None:
        """Start again what has died."""
        for number, (process, place) in enumerate(self.processes):
            if process.poll() is not None:
                self.processes[number] = (self._worker(*place), place)

    def wait_drained(self) -> None:
        """Wait until no job is open."""

        def is_drained() -> bool:
            self.restart_dead()
            with reading(self.host.store) as conn:
                return all(job.state == "dead" for job in listing(conn, limit=100_000))

        wait_until(is_drained, LONGEST_WAIT_S)

    def _worker(self, queues: str, threads: str) -> "Popen[bytes]":
        return self.host.start("afterword.workers.testing", str(self.host.home), queues, threads)


def ask(jobs: int, rounds: int, seed: int) -> Answer:
    """Kill processes while jobs run, then let one job kill every process that runs it."""
    chance = random.Random(seed)
    with a_host("NORMAL") as host:
        fleet = Fleet(host)
        fleet.start()
        most = 0
        for number in range(rounds):
            share = range(number * jobs // rounds, (number + 1) * jobs // rounds)
            _add(host, share, chance)
            _kill(fleet, chance)
            with reading(host.store) as conn:
                most = max(most, conn.execute(_MOST).scalar_one())
            if number % 20 == 19:
                note(f"kills: {number + 1} rounds, at most {most} crashes of a job count")
        fleet.wait_drained()
        with reading(host.store) as conn:
            counted, excused = conn.execute(_CRASHES).one()
            dead, effects = len(listing(conn, "dead", limit=jobs)), traces(conn)
        runs = _guilty_runs(fleet, jobs)
    measured = {
        "innocent_dead": dead,
        "without_one_effect": sum(effects.get(str(job)) != 1 for job in range(jobs)) - dead,
        "most_crashes_counted": most,
        "crashes_counted": counted,
        "crashes_excused": excused,
        "guilty_runs": runs,
    }
    targets = {
        "innocent_dead": Target(at_most=0),
        "without_one_effect": Target(at_most=0),
        "guilty_runs": Target(at_most=5),
    }
    return Answer("kills", measured, targets, sizes={"jobs": jobs, "rounds": rounds, "seed": seed})


def _add(host: Host, ids: range, chance: random.Random) -> None:
    payloads: dict[Kind, list[dict[str, int]]] = {NOTE_KIND: [], CALL: []}
    for job in ids:
        is_call = chance.random() < CALLS
        ms = chance.randrange(LONGEST_CALL_MS if is_call else LONGEST_WORK_MS)
        payloads[CALL if is_call else NOTE_KIND].append({"id": job, "ms": ms})
    with writing(host.store) as conn:
        for kind, of_kind in payloads.items():
            add_many(conn, kind, of_kind, system_clock())


def _kill(fleet: Fleet, chance: random.Random) -> None:
    """Wait for a while, then kill one, several or all of the workers that have started."""
    ends_at = monotonic() + chance.uniform(0.2, LONGEST_GAP_S)
    while monotonic() < ends_at:
        fleet.restart_dead()
        time.sleep(0.05)
    pids = [one.pid for one in living(fleet.host.home, monotonic) if one.role == "worker"]
    drawn = chance.random()
    wanted = len(pids) if drawn < ALL_DIE else 2 if drawn < SEVERAL_DIE else 1
    for pid in chance.sample(pids, min(wanted, len(pids))):
        os.kill(pid, signal.SIGKILL)


def _guilty_runs(fleet: Fleet, first: int) -> int:
    """Return how many runs a job has that kills every process, until it is dead."""
    host = fleet.host
    payloads: list[dict[str, object]] = [
        {"id": first + place, "ms": 200} for place in range(NEIGHBOURS)
    ]
    payloads[NEIGHBOURS // 2]["guilty"] = True
    with writing(host.store) as conn:
        before = {job.id for job in listing(conn, "dead", limit=100_000)}
        add_many(conn, CALL, payloads, system_clock())
    fleet.wait_drained()
    with reading(host.store) as conn:
        (guilty,) = (job.id for job in listing(conn, "dead", limit=100_000) if job.id not in before)
        return int(conn.execute(_RUNS, {"job": guilty}).scalar_one())


if __name__ == "__main__":
    answers(
        ask,
        jobs=(int, 10_000, "jobs that run during the kills"),
        rounds=(int, 200, "rounds of kills"),
        seed=(int, 12, "seed of the kills"),
    )

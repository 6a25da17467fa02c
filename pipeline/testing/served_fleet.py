"""A network door, workers, a dispatcher and Redis, killed at random under a crowd of clients."""

import os
import signal
import subprocess
import threading
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from afterword.pipeline.core.store.names import group_path
from afterword.pipeline.core.store.opening import open_to_read
from afterword.pipeline.testing.crowd import CrowdClient
from afterword.pipeline.testing.network_door import NetworkDoor
from afterword.pipeline.testing.process import command_of, environment_of
from afterword.pipeline.testing.redis_server import RedisServer
from afterword.pipeline.testing.wait import wait_until

CROWD_SIZE: Final = 32
"""Clients at once (count); they share eight tokens."""

VICTIMS: Final = ("door", "door", "worker", "dispatcher", "redis")
"""What a round may kill; the door twice as often as the rest."""

LONGEST_GAP_S: Final = 2.0
"""Longest time between two kills; seconds."""

_TIMES: Final = {
    what: f"SELECT coalesce(max(n), 0) FROM (SELECT count(*) AS n FROM {of})"
    for what, of in {
        "memories of a text": "memories GROUP BY content",
        "lines of the audit log for a memory": "audit_log WHERE object_table = 'memories'"
        " GROUP BY object_id, tool_call",
        "answers of a key": "client_answers GROUP BY token_id, key",
        "jobs for a memory": "jobs GROUP BY kind, payload",
        "ends of a job": "job_runs WHERE outcome = 'done' GROUP BY job_id",
    }.items()
}
"""What must not be above one, each as a query."""


@dataclass(slots=True)
class ServedOutcome:
    """What a crowd and the tables say in the end.

    Args:
        kills: how often each was killed, by name.
        lost: texts that were acknowledged and are not there; count.
        most: how often something is there that may be there once, by what it is.
        problems: what clients did not expect, in words.
    """

    acknowledged: int = 0
    reads: int = 0
    repeats: int = 0
    cuts: int = 0
    jobs_done: int = 0
    open_jobs: int = 0
    lost: int = 0
    kills: dict[str, int] = field(default_factory=dict)
    most: dict[str, int] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


class ServedFleet:
    """One installation with its processes."""

    def __init__(self, door: NetworkDoor, redis: RedisServer) -> None:
        self.door, self.redis = door, redis
        self._fleet: dict[str, subprocess.Popen[bytes]] = {}

    def start(self) -> None:
        """Start a worker and a dispatcher."""
        for name in ("worker", "dispatcher"):
            self._start(name)

    def kill(self, name: str) -> None:
        """Kill one of `VICTIMS`, and start it again."""
        if name == "door":
            self.door.stop(signal.SIGKILL)
            self.door.start()
        elif name == "redis":
            self.redis.kill()
            self.redis.start()
        else:
            self._end(name)
            self._start(name)

    def stop(self) -> None:
        """Kill the worker and the dispatcher."""
        for name in self._fleet:
            self._end(name)

    def _start(self, name: str) -> None:
        self._fleet[name] = subprocess.Popen(
            command_of(name, home=self.door.home),
            env=environment_of(redis_url=self.redis.url, log_level="ERROR"),
            stdout=subprocess.DEVNULL,
            start_new_session=True,  # a worker has processes of its own
        )

    def _end(self, name: str) -> None:
        os.killpg(self._fleet[name].pid, signal.SIGKILL)
        self._fleet[name].wait()


def run_crowd(fleet: ServedFleet, for_s: float, seed: int, drain_s: float) -> ServedOutcome:
    """Let the crowd write and read while processes are killed, and return what became of it.

    Args:
        for_s: how long rounds of kills go on, each of all `VICTIMS`; seconds.
        seed: of what is killed, and when.
        drain_s: how long the jobs may take to end afterwards; seconds.
    """
    chance, leaves, outcome = Random(seed), threading.Event(), ServedOutcome()
    tokens = [fleet.door.issue("agent") for _ in range(8)]
    crowd = [CrowdClient(n, fleet.door, tokens[n % 8], leaves) for n in range(CROWD_SIZE)]
    for client in crowd:
        client.start()
    ends_at = time.monotonic() + for_s
    while not outcome.kills or time.monotonic() < ends_at:
        for victim in chance.sample(VICTIMS, len(VICTIMS)):
            time.sleep(chance.uniform(0.0, LONGEST_GAP_S))
            fleet.kill(victim)
            outcome.kills[victim] = outcome.kills.get(victim, 0) + 1
    leaves.set()
    for client in crowd:
        client.join(120)
        outcome.acknowledged += len(client.acknowledged)
        outcome.reads += client.reads
        outcome.repeats += client.repeats
        outcome.cuts += client.cuts
        outcome.problems += client.problems
        outcome.problems += [f"client {client.name} was never answered"] * client.is_alive()
    path = group_path(fleet.door.home, "main")
    try:
        wait_until(
            lambda: _number(path, "SELECT count(*) FROM jobs WHERE state <> 'dead'") == 0, drain_s
        )
    except TimeoutError:
        outcome.problems.append("jobs did not end")
    outcome.open_jobs = _number(path, "SELECT count(*) FROM jobs")
    outcome.jobs_done = _number(path, "SELECT count(*) FROM job_runs WHERE outcome = 'done'")
    outcome.most = {what: _number(path, query) for what, query in _TIMES.items()}
    there = set(contents(fleet.door.home))
    written = {content for client in crowd for content in client.acknowledged}
    outcome.lost = len(written - there)
    outcome.problems += [f"nobody wrote {content!a}" for content in sorted(there - written)]
    return outcome


def contents(home: Path) -> list[str]:
    """Return what is remembered in the group `main` of a home, as often as it is there."""
    with closing(open_to_read(group_path(home, "main"))) as conn:
        return [content for (content,) in conn.execute("SELECT content FROM memories")]


def _number(path: Path, query: str) -> int:
    with closing(open_to_read(path)) as conn:
        return int(conn.execute(query).fetchone()[0])

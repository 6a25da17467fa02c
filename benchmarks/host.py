"""One installation in a temporary folder, with a private redis-server and real processes."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from sqlalchemy import text

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.jobs.inspect import counts
from afterword.pipeline.core.store import StoreOptions, Stores, reading
from afterword.pipeline.ids import random_uid
from afterword.pipeline.testing.redis_server import RedisServer
from afterword.pipeline.testing.wait import wait_until
from afterword.workers.routes import QUEUES
from benchmarks.answer import note

LANES = tuple(queue for queue in QUEUES if queue != "alone")
"""The queues that a worker process serves; isolated jobs have processes of their own."""

LONGEST_WAIT_S = 600.0
"""After so long without the awaited end a question fails; seconds."""

LOG_LINES = 20
"""Last lines of what the processes said, shown when a question fails."""

_DONE = text("SELECT coalesce(sum(jobs), 0) FROM job_stats WHERE kind = :kind AND outcome = 'done'")


class Host:
    """An installation and the processes that work in it.

    Args:
        home: its folder.
        redis: a running server; None where no fleet is started.
        synchronous: FULL or NORMAL, for every process.
    """

    def __init__(self, home: Path, redis: RedisServer | None, synchronous: str) -> None:
        self.home, self._redis = home, redis
        self.log = home.with_name("processes.log")
        self.options = StoreOptions(synchronous=synchronous)
        self.stores = Stores(home, self.options, system_clock, random_uid)
        self.store = self.stores.group("main", create=True)
        self.log.touch()
        self._processes: list[subprocess.Popen[bytes]] = []

    @property
    def redis(self) -> RedisServer:
        """The fleet's server."""
        assert self._redis is not None, "this host has no fleet"
        return self._redis

    def dispatcher(self) -> "subprocess.Popen[bytes]":
        """Start a dispatcher with an empty schedule."""
        return self.start("afterword.schedules.testing", str(self.home))

    def worker(self, threads: int = 8, queues: Sequence[str] = LANES) -> "subprocess.Popen[bytes]":
        """Start a worker process and wait until it has its place among the owners."""
        before = self.owners()
        process = self.start(
            "afterword.workers.testing", str(self.home), ",".join(queues), str(threads)
        )
        wait_until(lambda: self.owners() - before)
        return process

    def start(self, module: str, *arguments: str, **settings: str) -> "subprocess.Popen[bytes]":
        """Start a process of this installation: `python -m module`.

        Args:
            settings: more of them, by the names of their variables.
        """
        environment = os.environ | {
            "AFTERWORD_REDIS_URL": self._redis.url if self._redis else "",
            "AFTERWORD_SYNCHRONOUS": self.options.synchronous,
            "AFTERWORD_METRICS_PORT": "0",
            **settings,
        }
        command = [sys.executable, "-m", module, *arguments]
        with self.log.open("ab") as log:
            process = subprocess.Popen(
                command, env=environment, cwd=self.home, stdout=log, stderr=log
            )
        self._processes.append(process)
        return process

    def owners(self) -> set[str]:
        """Return the names of the processes that have their place."""
        return {path.name for path in self.home.glob("owners/*.lock")}

    def done(self, kind: str) -> int:
        """Return how many jobs of a kind have ended."""
        with reading(self.store) as conn:
            return int(conn.execute(_DONE, {"kind": kind}).scalar_one())

    def wait_done(self, kind: str, jobs: int) -> float:
        """Wait until so many jobs of a kind have ended, and return the seconds it took."""
        return wait_until(lambda: self.done(kind) >= jobs, LONGEST_WAIT_S)

    def is_drained(self) -> bool:
        """Say whether no job is open."""
        with reading(self.store) as conn:
            return not counts(conn)

    def stop(self) -> None:
        """Kill what still runs and give every handle back."""
        for process in self._processes:
            process.kill()
        for process in self._processes:
            process.wait()
        self.stores.close()


@contextmanager
def a_host(synchronous: str = "FULL", fleet: bool = True) -> Iterator[Host]:
    """Give an installation of its own, and leave nothing of it behind.

    Args:
        fleet: whether it has a redis-server.
    """
    with ExitStack() as after:
        folder = Path(after.enter_context(tempfile.TemporaryDirectory(prefix="afterword-bench-")))
        redis = None
        if fleet:
            redis = RedisServer(folder)
            after.callback(redis.stop)
            redis.start()
        host = Host(folder / "home", redis, synchronous)
        after.callback(host.stop)
        try:
            yield host
        except Exception:
            note("\n".join(host.log.read_text().splitlines()[-LOG_LINES:]))
            raise

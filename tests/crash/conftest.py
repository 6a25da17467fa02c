"""A host of real processes that tests kill: a private redis-server, dispatchers, workers."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.area import Kind
from afterword.pipeline.core.jobs.add import add_many
from afterword.pipeline.core.jobs.fleet import processes
from afterword.pipeline.core.jobs.inspect import counts, listing
from afterword.pipeline.core.jobs.model import Job
from afterword.pipeline.core.store import Store, StoreOptions, Stores, reading, writing
from afterword.pipeline.ids import random_uid
from afterword.pipeline.testing.process import command_of, environment_of, run_afterword
from afterword.pipeline.testing.redis_server import RedisServer
from afterword.pipeline.testing.wait import wait_until
from afterword.workers.routes import QUEUES
from afterword.workers.testing import traces


class Host:
    """One installation with its processes; ask its tables afterwards."""

    def __init__(self, home: Path, redis: RedisServer) -> None:
        self.home, self.redis = home, redis
        self.stores = Stores(home, StoreOptions(synchronous="NORMAL"), system_clock, random_uid)
        self.store: Store = self.stores.group("main", create=True)
        self.processes: list[subprocess.Popen[bytes]] = []

    def dispatcher(
        self, crash_at: str = "", cron: bool = False, wrap: Sequence[str] = ()
    ) -> "subprocess.Popen[bytes]":
        arguments = [str(self.home)] + (["cron"] if cron else [])
        return self._start("afterword.schedules.testing", arguments, crash_at, wrap=wrap)

    def worker(
        self,
        crash_at: str = "",
        threads: int = 4,
        queues: Sequence[str] = QUEUES,
        wrap: Sequence[str] = (),
        **settings: Any,
    ) -> "subprocess.Popen[bytes]":
        arguments = [str(self.home), ",".join(queues), str(threads)]
        return self._start("afterword.workers.testing", arguments, crash_at, settings, wrap)

    def add(self, kind: Kind, payloads: Sequence[dict[str, Any]]) -> None:
        with writing(self.store) as conn:
            add_many(conn, kind, payloads, system_clock())

    def states(self) -> dict[tuple[str, str], int]:
        with reading(self.store) as conn:
            return counts(conn)

    def jobs(self) -> list[Job]:
        with reading(self.store) as conn:
            return listing(conn, limit=100_000)

    def workers(self) -> dict[str, int]:
        """Return the pid of each living worker by its uid, which its leases name."""
        found = processes(self.home, system_clock(), time.monotonic)
        return {
            one.uid: one.pid
            for one in found
            if one.pid and one.role == "worker" and one.state == "alive"
        }

    def effects(self) -> dict[str, int]:
        with reading(self.store) as conn:
            return traces(conn)

    def drained(self, timeout_s: float = 60) -> float:
        """Wait until no job is open and return the seconds it took."""
        return wait_until(
            lambda: not any(state != "dead" for _kind, state in self.states()), timeout_s
        )

    def check(self) -> None:
        """The general oracle: the file is whole, and nothing runs without an owner."""
        with reading(self.store) as conn:
            assert conn.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
            assert not [job for job in self.jobs() if job.state == "running"]

    def stop(self) -> None:
        for process in self.processes:
            if process.poll() is None:
                os.kill(process.pid, signal.SIGCONT)
                process.kill()
            process.wait()
        self.stores.close()

    def _start(
        self,
        module: str,
        arguments: Sequence[str],
        crash_at: str,
        settings: dict[str, Any] | None = None,
        wrap: Sequence[str] = (),
    ) -> "subprocess.Popen[bytes]":
        environment = os.environ | {
            "AFTERWORD_REDIS_URL": self.redis.url,
            "AFTERWORD_SYNCHRONOUS": "NORMAL",
            "AFTERWORD_METRICS_PORT": "0",
            "AFTERWORD_CRASH_AT": crash_at,
        }
        for name, value in (settings or {}).items():
            environment[f"AFTERWORD_{name.upper()}"] = str(value)
        process = subprocess.Popen(
            [*wrap, sys.executable, "-m", module, *arguments], env=environment, cwd=self.home
        )
        self.processes.append(process)
        return process


@pytest.fixture
def host(home: Path, redis_server: RedisServer) -> Iterator[Host]:
    home.mkdir()
    one = Host(home, redis_server)
    yield one
    one.stop()


FIRST_PORT = 39464


@dataclass
class Site:
    """One installation that is run and looked at by the command `afterword` alone."""

    home: Path
    redis_url: str
    started: list["subprocess.Popen[bytes]"] = field(default_factory=list)

    def start(self, *line: str, **settings: str) -> "subprocess.Popen[bytes]":
        with self.log(len(self.started)).open("wb") as log:
            process = subprocess.Popen(
                command_of(*line, home=self.home),
                env=environment_of(**(self._settings() | settings)),
                stderr=log,
                stdout=log,
            )
        self.started.append(process)
        return process

    def log(self, number: int) -> Path:
        """Return where the process started as the `number`-th one logs."""
        return self.home.with_name(f"log-{number}.txt")

    def run(self, *line: str, **settings: str) -> "subprocess.CompletedProcess[str]":
        return run_afterword(*line, home=self.home, **(self._settings() | settings))

    def write(self) -> None:
        assert self.run("memory", "write", "lesson", "Funding on SOL turned").returncode == 0

    def fleet(self) -> Any:
        return json.loads(self.run("fleet", "--json").stdout)

    def problems(self) -> str:
        return "\n".join(self.fleet()["problems"])

    def pids(self, *queues: str, role: str = "worker") -> list[int]:
        """Return the living processes of a role that serve all these queues."""
        return [
            one["pid"]
            for one in self.fleet()["processes"]
            if one["role"] == role and one["state"] == "alive" and set(queues) <= set(one["queues"])
        ]

    def is_whole(self) -> bool:
        """Say whether `afterword worker` has begun to work all queues."""
        return self.home.exists() and bool(self.pids("quick") and self.pids("alone"))

    def signal(self, pid: int, number: signal.Signals) -> None:
        """Signal a process, which may be gone already."""
        with suppress(ProcessLookupError):
            os.kill(pid, number)

    def stop(self) -> None:
        pids = [one["pid"] for one in self.fleet()["processes"]] if self.home.exists() else []
        for pid in [*(one.pid for one in self.started if one.poll() is None), *pids]:
            for number in (signal.SIGKILL, signal.SIGCONT):
                self.signal(pid, number)
        for one in self.started:
            one.wait()

    def _settings(self) -> dict[str, str]:
        return {"REDIS_URL": self.redis_url, "METRICS_PORT": str(FIRST_PORT)}


@pytest.fixture
def site(home: Path, redis_server: RedisServer) -> Iterator[Site]:
    one = Site(home, redis_server.url)
    yield one
    one.stop()

"""A replay through a running fleet leaves every live group as it was, and asks nobody else."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import generate_latest

from afterword.pipeline.core.jobs.inspect import open_jobs
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.core.store.content_hash import content_hash
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memory
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.settings import load
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.command import Command
from afterword.pipeline.testing.redis_server import RedisServer
from afterword.pipeline.testing.wait import wait_until
from afterword.schedules.rows import entries
from afterword.schedules.up import Up
from afterword.workers.observability.setup import observed
from afterword.workers.routes import ROUTES
from afterword.workers.worker.app import build_context
from tests.unit.replay.worlds import price_file

pytestmark = pytest.mark.redis

GROUPS = ("main", "past")
"""One of them has the name of the replay."""


@pytest.fixture
def up(home: Path, clock: ManualClock, redis_server: RedisServer) -> Iterator[tuple[Up, Any]]:
    """A running `afterword up` with metrics; its clock stands, so no slot of the schedule comes."""
    settings = load(
        home=home,
        synchronous="NORMAL",
        shutdown_grace_s=1,
        redis_url=redis_server.url,
        metrics_port=0,
    )
    with (
        Path(os.devnull).open("w") as nowhere,
        observed(settings, "up", ROUTES, nowhere, clock) as observability,
        Up(build_context(settings, clock=clock), threads=2, observability=observability) as up,
    ):
        for group in GROUPS:
            up.context.stores.group(group, create=True)
        observability.watch(up.context, up.broker.client, up.context.runtime.stopping, entries)
        up.start()
        yield up, observability


def test_every_table_of_every_group_is_equal_before_and_after(
    up: tuple[Up, Any],
    home: Path,
    clock: ManualClock,
    ids: Any,
    command: Command,
    tmp_path: Path,
    redis_server: RedisServer,
    monkeypatch: pytest.MonkeyPatch,
):
    context, observability = up[0].context, up[1]
    stores = {group: context.stores.group(group) for group in GROUPS}
    for store in stores.values():
        write_memory(Writer(store, clock, ids), NewMemory("lesson", "Funding on SOL turned"))
    wait_until(lambda: not any(map(open_of, stores.values())))
    before = {group: tables_of(store) for group, store in stores.items()}
    money = tables_of(context.stores.instance)
    asked = addresses(monkeypatch)

    line = ("replay", "run", "past", "--prices", str(price_file(tmp_path, days=20)))
    done = command(
        *line, "--horizon", "1d", "--slice", "5", env={"AFTERWORD_REDIS_URL": redis_server.url}
    )
    assert done.code == 0, done.err
    shown = generate_latest(observability.metrics.registry).decode()

    assert {group: tables_of(store) for group, store in stores.items()} == before
    assert tables_of(context.stores.instance) == money
    assert asked <= {("127.0.0.1", redis_server.port)}
    assert 'afterword_process_jobs_ended_total{kind="run_replay_slice",outcome="done"} 4.0' in shown
    assert "afterword_groups 2.0" in shown
    assert [line for line in shown.splitlines() if "replay:" in line] == []
    assert "replay:past" not in command("doctor", "--json").out
    assert command("replay", "rm", "past").code == 0


def open_of(store: Store) -> int:
    with reading(store) as conn:
        return open_jobs(conn)


def tables_of(store: Store) -> dict[str, str]:
    """Return the digest of every table of a file."""
    with reading(store) as conn:
        names = conn.exec_driver_sql(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'"
        ).scalars()
        return {name: content_hash(conn, name) for name in names}


def addresses(monkeypatch: pytest.MonkeyPatch) -> set[Any]:
    """Return the set to which every address is added that this process connects to."""
    asked: set[Any] = set()
    connect = socket.socket.connect

    def noted(self: socket.socket, address: Any) -> None:
        asked.add(address)
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", noted)
    return asked

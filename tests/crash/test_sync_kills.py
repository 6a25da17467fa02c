"""A mirror that is killed at any moment, or asked for twice at once, ends in the same tables."""

import json
import shutil
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from afterword.pipeline.clock import system_clock, to_micros
from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.store import Store, StoreOptions, Stores, reading, writing
from afterword.pipeline.domain.accounts.area import SYNC_HISTORY
from afterword.pipeline.domain.accounts.model import VENUE, Account
from afterword.pipeline.domain.accounts.rows import insert
from afterword.pipeline.ids import random_uid
from afterword.pipeline.testing.faulty_server import RequestTurn, answer
from afterword.pipeline.testing.process import environment_of
from afterword.pipeline.testing.venue_server import VenueServer, venue_payment, venue_trip
from afterword.pipeline.testing.wait import wait_until

pytestmark = pytest.mark.crash

ADDRESS = "0x" + "ab" * 20
MINUTE_MS = 60_000
TRIPS, PAYMENTS = 350, 400
"""Four pages of fills, and three of funding."""

KILLED = """
import sys
from afterword.pipeline.testing.crash import die_at
die_at(sys.argv.pop(1))
from afterword.pipeline.doors.cli import main
main()
"""
STORED = (
    "SELECT fill_uid, rank_in_ms, order_in_ms, raw_json FROM perps_fills ORDER BY 1",
    "SELECT symbol, ts_ms, amount FROM funding_payments ORDER BY 1, 2",
    "SELECT trip_uid, digest, fills, net, funding FROM round_trips "
    "WHERE superseded_at IS NULL ORDER BY 1",
    "SELECT content, metadata FROM memories "
    "WHERE superseded_at IS NULL AND deleted_at IS NULL ORDER BY 1, 2",
    "SELECT from_ms, to_ms FROM fill_gaps WHERE filled_at IS NULL",
    "SELECT source, last_synced_ts_ms, whole_since_ms, consecutive_failures "
    "FROM minara_history_sync_state ORDER BY 1",
)


@pytest.fixture
def venue() -> Iterator[VenueServer]:
    with VenueServer(page_fills=200, page_rows=150) as venue:
        first_ms = to_micros(system_clock()) // 1_000 - (2 * TRIPS + 200) * MINUTE_MS
        account = venue.account(ADDRESS)
        for place in range(TRIPS):
            account.fills += venue_trip(1 + 2 * place, first_ms + 2 * place * MINUTE_MS)
        account.funding = [
            venue_payment(first_ms + 2 * place * MINUTE_MS + 1_000) for place in range(PAYMENTS)
        ]
        yield venue


@pytest.fixture
def processes() -> Iterator[ExitStack]:
    with ExitStack() as running:
        yield running


def add_to(store: Store) -> None:
    with writing(store) as conn:
        now = system_clock()
        insert(conn, Account("main", VENUE, ADDRESS, "own", "user", None, now))


@pytest.fixture
def new_home(tmp_path: Path) -> Callable[[str], Path]:
    """Make homes that each have the account."""
    first = tmp_path / "first"
    stores = Stores(first, StoreOptions(synchronous="NORMAL"), system_clock, random_uid)
    add_to(stores.group("main", create=True))
    stores.close()

    def copied(name: str) -> Path:
        return Path(shutil.copytree(first, tmp_path / name))

    return copied


def start(processes: ExitStack, venue: VenueServer, home: Path, point: str = "") -> Any:
    line = ["--home", str(home), "sync", "now", "--json"]
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, point or "never", *line],
        env=environment_of(hyperliquid_base_url=venue.origin, synchronous="NORMAL"),
        stdout=subprocess.PIPE,
        text=True,
    )
    processes.enter_context(process)
    processes.callback(process.kill)
    return process


def finished(process: Any) -> Any:
    """Wait for a process, and return what it answered."""
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    return json.loads(out)


def tables(home: Path) -> list[list[tuple[Any, ...]]]:
    stores = Stores(home, StoreOptions(synchronous="NORMAL"), system_clock, random_uid)
    try:
        with reading(stores.group("main")) as conn:
            assert conn.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
            return [[tuple(row) for row in conn.exec_driver_sql(query)] for query in STORED]
    finally:
        stores.close()


@pytest.fixture
def undisturbed(
    processes: ExitStack, venue: VenueServer, new_home: Callable[[str], Path]
) -> list[list[tuple[Any, ...]]]:
    """The tables of a run that nothing disturbed; the venue has forgotten that it was asked."""
    home = new_home("undisturbed")
    finished(start(processes, venue, home))
    venue.asked.clear()
    found = tables(home)
    assert len(found[0]) == 2 * TRIPS
    return found


@pytest.mark.parametrize(
    "point",
    ["history.stored:1", "history.settled:2", "history.imported:2"],
)
def test_a_run_that_is_killed_at_a_step_is_finished_by_the_next(
    processes: ExitStack,
    venue: VenueServer,
    new_home: Callable[[str], Path],
    undisturbed: list[list[tuple[Any, ...]]],
    point: str,
) -> None:
    home = new_home("killed")
    victim = start(processes, venue, home, point)
    assert victim.wait(timeout=60) == -signal.SIGKILL
    assert tables(home) != undisturbed
    finished(start(processes, venue, home))
    assert tables(home) == undisturbed


@pytest.mark.parametrize("seed", range(2))
def test_a_run_that_is_killed_at_random_moments_is_finished_by_the_next(
    processes: ExitStack,
    venue: VenueServer,
    new_home: Callable[[str], Path],
    undisturbed: list[list[tuple[Any, ...]]],
    seed: int,
) -> None:
    home, chance = new_home("killed"), Random(seed)
    for _ in range(3):
        seen = venue.requests + chance.randint(1, 3)
        victim = start(processes, venue, home)
        wait_until(lambda seen=seen, victim=victim: venue.requests >= seen or victim.poll() == 0)
        with suppress(subprocess.TimeoutExpired):
            victim.wait(timeout=chance.random() / 4)
        victim.kill()
        victim.wait()
    finished(start(processes, venue, home))
    assert tables(home) == undisturbed


def holds_answer(venue: VenueServer) -> threading.Event:
    """Let the venue answer the next question only after the event."""
    may_answer = threading.Event()

    def late(turn: RequestTurn[Any]) -> None:
        may_answer.wait(60)
        answer(turn)

    venue.script(late)
    return may_answer


def waits_for_the_other(process: Any) -> bool:
    """Tell whether a process has opened the lock of the mirror."""
    folder = Path(f"/proc/{process.pid}/fd")
    with suppress(OSError):
        return any(link.readlink().name.endswith(".sqlite.sync") for link in folder.iterdir())
    return False


def test_two_runs_at_once_ask_once(
    processes: ExitStack,
    venue: VenueServer,
    new_home: Callable[[str], Path],
    undisturbed: list[list[tuple[Any, ...]]],
) -> None:
    home, may_answer = new_home("twice"), holds_answer(venue)
    first = start(processes, venue, home)
    wait_until(lambda: venue.requests == 1)
    second = start(processes, venue, home)
    wait_until(lambda: waits_for_the_other(second))
    may_answer.set()
    assert [source["new"] for source in finished(first)["sources"]] == [PAYMENTS, 2 * TRIPS]
    answered = finished(second)
    assert (answered["sources"], answered["joined"]) == ([], 2)
    assert max(Counter(json.dumps(asked.body) for asked in venue.asked).values()) == 1
    assert tables(home) == undisturbed


def test_a_run_that_waits_for_one_that_is_killed_does_its_work(
    processes: ExitStack,
    venue: VenueServer,
    new_home: Callable[[str], Path],
    undisturbed: list[list[tuple[Any, ...]]],
) -> None:
    home, may_answer = new_home("twice"), holds_answer(venue)
    first = start(processes, venue, home)
    wait_until(lambda: venue.requests == 1)
    second = start(processes, venue, home)
    wait_until(lambda: waits_for_the_other(second))
    first.kill()
    may_answer.set()
    assert [source["new"] for source in finished(second)["sources"]] == [PAYMENTS, 2 * TRIPS]
    assert tables(home) == undisturbed


def test_what_a_killed_worker_left_a_command_finishes(
    processes: ExitStack,
    venue: VenueServer,
    host: Any,
    undisturbed: list[list[tuple[Any, ...]]],
) -> None:
    add_to(host.store)
    with writing(host.store) as conn:
        add(conn, SYNC_HISTORY, {}, system_clock())
    host.dispatcher()
    victim = host.worker(
        crash_at="history.settled:2", queues=("sync",), hyperliquid_base_url=venue.origin
    )
    assert victim.wait(timeout=30) == -signal.SIGKILL
    finished(start(processes, venue, host.home))
    assert tables(host.home) == undisturbed

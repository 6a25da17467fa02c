"""What a mirror of accounts costs beside the least that asking and storing can cost.

The venue hands out 10,000 fills of an address at most, so the 100,000 are those of ten accounts.
It is a process of its own and answers at once: what it spends counts for nobody, and the meter of
weight counts without a limit.
"""

import json
import multiprocessing
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import Request, urlopen

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.store import Store, Stores, reading
from afterword.pipeline.domain.accounts.add import add_account
from afterword.pipeline.domain.sync.mirror import MirrorParts
from afterword.pipeline.domain.sync.status import mirrors
from afterword.pipeline.domain.sync.sync import sync_accounts
from afterword.pipeline.domain.sync.turn import SyncPauses
from afterword.pipeline.domain.sync.venue_fills import PAGE_FILLS
from afterword.pipeline.gateway.http.breaker import Breaker
from afterword.pipeline.gateway.http.circuit import CircuitName
from afterword.pipeline.gateway.venue.info import HyperliquidInfo
from afterword.pipeline.gateway.venue.weight import WeightMeter
from afterword.pipeline.ids import random_uid
from afterword.pipeline.testing.venue_server import VenueServer
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.fills import api_rows
from benchmarks.host import a_host
from benchmarks.imports import ALL_TABLES, store_bare
from benchmarks.timing import spent

OF_AN_ACCOUNT = 10_000
"""Fills that the venue hands out of one address; count."""

TICK_S = 1_800.0
"""From one run of a mirror to the next; seconds."""

LOOKS = 60
"""How often the schedule looks in that time whether a mirror is due, at most: each commit of a run
is seen within a second, and a run of fifty accounts takes less than a minute; count."""

_ENV = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def ask(fills: int, accounts: int) -> Answer:
    """Mirror many fills, then nothing new of many accounts, and look once at an address."""
    measured: dict[str, float] = {}
    floor: dict[str, float] = {}
    with a_venue(fills) as origin:
        with a_host(fleet=False) as host, TemporaryDirectory(prefix="afterword-bench-") as folder:
            info = _info(host.stores, origin)
            with closing(info):
                number = max(1, fills // OF_AN_ACCOUNT)
                _add(host.store, info, range(number))
                first = spent(lambda: _sync(host.store, info))
                measured["sync_s"], measured["sync_cpu_s"] = first
                _check(host.store, fills)
                note(f"mirror: {fills:,} fills in {first.wall_s:.1f} s, {first.cpu_s:.1f} s of cpu")
                again = spent(lambda: _sync(host.store, info))
                measured["again_cpu_s"] = again.cpu_s
            asking = spent(lambda: _ask_bare(origin, number)).cpu_s
            storing = store_bare(host.store.path, Path(folder) / "bare.sqlite", ALL_TABLES)
        floor |= {"http_and_json_cpu_s": asking, "executemany_cpu_s": storing}
        measured["sync_by_bare"] = measured["sync_cpu_s"] / (asking + storing)
        measured |= _at_rest(origin, accounts)
        measured |= _learnt(origin)
    return Answer(
        "mirror",
        measured,
        targets={
            "sync_cpu_s": Target(at_most=12),
            "rest_share": Target(at_most=0.02),
            "learn_cpu_s": Target(at_most=10),
        },
        floor=floor,
        sizes={"fills": fills, "accounts": accounts},
    )


def _at_rest(origin: str, accounts: int) -> dict[str, float]:
    """Return what accounts cost that trade nothing; the share is of one core."""
    with a_host(fleet=False) as host, closing(_info(host.stores, origin)) as info:
        _add(host.store, info, range(1_000, 1_000 + accounts))
        _sync(host.store, info)
        run = spent(lambda: _sync(host.store, info)).cpu_s
        look = spent(lambda: _look(host.store, LOOKS)).cpu_s
    share = (run + look) / TICK_S
    note(f"mirror: {accounts} accounts at rest, a run {run:.2f} s, looks {look:.2f} s of cpu")
    return {"rest_run_cpu_s": run, "rest_looks_cpu_s": look, "rest_share": share}


def _look(store: Store, times: int) -> None:
    for _ in range(times):
        with reading(store) as conn:
            mirrors(conn)


def _learnt(origin: str) -> dict[str, float]:
    """Look at an address as a whole process, which also loads the program and prints the report."""
    with TemporaryDirectory(prefix="afterword-bench-") as home:
        command = str(Path(sys.executable).with_name("afterword"))
        line = [command, "--home", home, "learn", _address(0), "--json"]
        environment = _ENV | {"AFTERWORD_HYPERLIQUID_BASE_URL": origin}

        def learn() -> None:
            subprocess.run(line, env=environment, check=True, stdout=subprocess.DEVNULL)

        learnt = spent(learn)
    note(f"mirror: learn of an address in {learnt.wall_s:.1f} s, {learnt.cpu_s:.1f} s of cpu")
    return {"learn_s": learnt.wall_s, "learn_cpu_s": learnt.cpu_s}


@contextmanager
def a_venue(fills: int) -> Iterator[str]:
    """Run a venue in a process of its own, and give its address."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.Process(target=_serve, args=(fills, theirs))
    process.start()
    try:
        yield ours.recv()
    finally:
        ours.send("end")
        process.join()


def _serve(fills: int, pipe: Connection) -> None:
    rows = api_rows(min(fills, OF_AN_ACCOUNT))
    now_ms = int(system_clock().timestamp() * 1_000)
    late_ms = now_ms - rows[-1]["time"] - 60_000
    with VenueServer() as venue:
        for number in range(max(1, fills // OF_AN_ACCOUNT)):
            venue.account(_address(number)).fills = [
                row | {"time": row["time"] + late_ms} for row in rows
            ]
        few = [row | {"time": row["time"] + late_ms} for row in rows[-20:]]
        for number in range(1_000, 1_200):
            venue.account(_address(number)).fills = few
        pipe.send(venue.origin)
        pipe.recv()


def _address(number: int) -> str:
    return f"0x{number:040x}"


def _info(stores: Stores, origin: str) -> HyperliquidInfo:
    meter = WeightMeter(stores.instance, "hyperliquid", 10**9, 40, system_clock)
    breaker = Breaker(
        stores.instance, CircuitName("hyperliquid", "accounts", "x"), system_clock, 40
    )
    return HyperliquidInfo(origin, 20, system_clock, breaker, meter)


def _add(store: Store, info: HyperliquidInfo, numbers: range) -> None:
    for number in numbers:
        add_account(store, info, f"account-{number}", _address(number), "own", system_clock)


def _sync(store: Store, info: HyperliquidInfo) -> None:
    pauses = SyncPauses(least=timedelta(0))
    report = sync_accounts(MirrorParts(store, system_clock, random_uid), info, pauses)
    failed = [source for source in report.sources if source.error]
    if failed or report.stopped_by:
        raise AssertionError(f"{failed} {report.stopped_by}")


def _check(store: Store, fills: int) -> None:
    with reading(store) as conn:
        found = conn.exec_driver_sql("SELECT count(*) FROM perps_fills").scalar_one()
    if found != fills:
        raise AssertionError(f"the mirror has {found} fills of {fills}")


def _ask_bare(origin: str, accounts: int) -> None:
    """Ask for all fills without a check, a circuit or a meter."""
    for number in range(accounts):
        start, is_whole = 0, False
        while not is_whole:
            asked = {"type": "userFillsByTime", "user": _address(number), "startTime": start}
            request = Request(f"{origin}/info", json.dumps(asked).encode(), method="POST")
            with urlopen(request) as reply:
                rows = json.loads(reply.read())
            start, is_whole = rows[-1]["time"], len(rows) < PAGE_FILLS


if __name__ == "__main__":
    answers(
        ask,
        fills=(int, 100_000, "fills of all accounts"),
        accounts=(int, 50, "accounts at rest"),
    )

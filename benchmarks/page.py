"""How fast pages of 100,000 jobs arrive, and what open tabs cost the server."""

import http.client
import os
import threading
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import sleep
from urllib.parse import urlencode

from sqlalchemy import text

from afterword.pipeline.clock import monotonic, system_clock
from afterword.pipeline.core.area import Kind
from afterword.pipeline.core.jobs.add import add_many
from afterword.pipeline.core.store import StoreOptions, Stores, writing
from afterword.pipeline.ids import random_uid
from afterword.pipeline.testing.network_door import NetworkDoor
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.timing import percentile, seconds

PAGES = ("/jobs", "/jobs?state=ready", "/dead", "/kinds/embed_memories", "/fleet", "/switches")
KINDS = ("embed_memories", "extract_edges", "consolidate_facts", "rebuild_profile")
TABS = 10
EVERY_S = 2.0
LIVE = {"Afterword-Live": "1"}


class Tab:
    """A browser's tab that keeps its connection."""

    def __init__(self, door: NetworkDoor) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", door.port, timeout=60)
        form = urlencode({"token": door.tokens["owner"]})
        self._headers = {"Content-Type": "application/x-www-form-urlencoded"}
        self._connection.request("POST", "/login", form, self._headers)
        answer = self._connection.getresponse()
        answer.read()
        self._headers = {"Cookie": answer.headers["Set-Cookie"].split(";")[0]}

    def get(self, path: str, more: Mapping[str, str] = {}) -> tuple[int, str, int]:
        """Return status, tag and bytes of an answer."""
        self._connection.request("GET", path, headers=self._headers | dict(more))
        answer = self._connection.getresponse()
        body = answer.read()
        return answer.status, answer.headers.get("ETag", ""), len(body)


def ask(jobs: int, loads: int, for_s: float) -> Answer:
    """Load each page as often, then keep ten tabs open while jobs are added every second.

    Args:
        for_s: how long the tabs stay open; seconds.
    """
    measured: dict[str, float] = {}
    with TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        _fill(home, jobs)
        note("page: the jobs are there")
        with NetworkDoor(home) as door:
            tab, began_at = Tab(door), _processor_s(door)
            times: list[float] = []
            sizes: list[int] = []
            for path in PAGES:
                assert tab.get(path)[0] == 200, path
                times += [
                    seconds(lambda: sizes.append(tab.get(path)[2]))  # noqa: B023
                    for _ in range(loads)
                ]
            measured["first_byte_p50_ms"] = median(times) * 1000
            measured["first_byte_p99_ms"] = percentile(times, 0.99) * 1000
            measured["load_processor_ms"] = (_processor_s(door) - began_at) / len(times) * 1000
            measured["largest_kb"] = max(sizes) / 1000
            note("page: loads done")
            measured["unchanged_processor_ms"] = _unchanged(door, tab, loads * 10)
            before, began = _processor_s(door), monotonic()
            updates = _tabs(door, home, for_s)
            spent = _processor_s(door) - before
            measured["update_processor_ms"] = spent / max(1, updates) * 1000
            measured["ten_tabs_core_percent"] = spent / (monotonic() - began) * 100
    targets = {
        "first_byte_p50_ms": Target(at_most=50),
        "first_byte_p99_ms": Target(at_most=200),
        "largest_kb": Target(at_most=300),
        "unchanged_processor_ms": Target(at_most=5),
        "update_processor_ms": Target(at_most=5),
        "ten_tabs_core_percent": Target(at_most=3),
    }
    return Answer("page", measured, targets, {}, {"jobs": jobs, "loads": loads, "tabs": TABS})


def _fill(home: Path, jobs: int) -> None:
    """Add jobs of several kinds, of which each twentieth is dead for one of a hundred reasons."""
    with closing(Stores(home, StoreOptions(), system_clock, random_uid)) as stores:
        store = stores.group("main", create=True)
        for place, kind in enumerate(KINDS):
            works = [{"memory_id": place * jobs + number} for number in range(jobs // len(KINDS))]
            with writing(store) as conn:
                add_many(conn, Kind(kind), works, system_clock())
        with writing(store) as conn:
            conn.execute(
                text(
                    "UPDATE jobs SET state = 'dead', last_error = 'reason ' || id % 100 "
                    "WHERE id % 20 = 0"
                )
            )


def _unchanged(door: NetworkDoor, tab: Tab, number: int) -> float:
    """Return the processor time of one answer without a body; ms."""
    tag = tab.get("/switches", LIVE)[1]
    before = _processor_s(door)
    for _ in range(number):
        tag = tab.get("/switches", LIVE | {"If-None-Match": tag})[1]
    return (_processor_s(door) - before) / number * 1000


def _tabs(door: NetworkDoor, home: Path, for_s: float) -> int:
    """Return how many updates ten tabs asked for, while jobs were added."""
    asked = [0] * TABS
    ends_at = monotonic() + for_s

    def watch(number: int) -> None:
        tab, tag = Tab(door), ""
        sleep(EVERY_S * number / TABS)
        while monotonic() < ends_at:
            tag = tab.get(PAGES[number % len(PAGES)], LIVE | {"If-None-Match": tag})[1]
            asked[number] += 1
            sleep(EVERY_S)

    threads = [threading.Thread(target=watch, args=(number,)) for number in range(TABS)]
    for thread in threads:
        thread.start()
    with closing(Stores(home, StoreOptions(), system_clock, random_uid)) as stores:
        number = 0
        while monotonic() < ends_at:
            number += 1
            with writing(stores.group("main")) as conn:
                add_many(conn, Kind(KINDS[0]), [{"memory_id": -number}], system_clock())
            sleep(1.0)
    for thread in threads:
        thread.join()
    return sum(asked)


def _processor_s(door: NetworkDoor) -> float:
    """Return what the server has kept a processor busy; seconds."""
    fields = Path(f"/proc/{door.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    answers(
        ask,
        jobs=(int, 100_000, "jobs"),
        loads=(int, 50, "loads of each page"),
        for_s=(float, 30.0, "how long ten tabs stay open; s"),
    )

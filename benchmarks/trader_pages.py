"""How soon the pages of a trader begin to arrive, and how long they are, at 100,000 trades and
memories."""

import http.client
import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import urlencode

from sqlalchemy import Connection, text

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.store import StoreOptions, Stores, writing
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.ids import random_uid
from afterword.pipeline.testing.network_door import NetworkDoor
from afterword.pipeline.testing.process import run_afterword
from afterword.pipeline.testing.trade_files import write_trade_files
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.timing import percentile, seconds

MARKETS: Final = 40
PAGES: Final = {
    "overview": "/overview",
    "trades": "/trades",
    "trades_of_a_market": "/trades?market=M7&side=long&result=lost",
    "trade": "/trades/{trade}",
    "memory": "/memory",
    "memory_search": "/memory?query=desk+closes+early",
    "one_memory": "/memory/777",
    "decisions": "/decisions",
    "methods": "/methods",
    "profile": "/profile",
    "prompt": "/prompt",
}
_COPY: Final = """
WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < :trades),
  made AS (SELECT *, row_number() OVER () - 1 AS place FROM round_trips),
  counted AS (SELECT count(*) AS rows FROM made)
INSERT INTO round_trips ({columns})
SELECT {values} FROM number CROSS JOIN counted JOIN made ON made.place = number.n % counted.rows
"""


def ask(trades: int, memories: int, calls: int) -> Answer:
    """Ask a server for each page as often.

    Args:
        trades: round trips; count.
        calls: for each page.
    """
    measured: dict[str, float] = {}
    with TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        trade = _fill(home, Path(folder), trades, memories)
        note("trader_pages: the home is filled")
        with NetworkDoor(home) as door:
            pages, longest = _Pages(door), 0
            before, asked = pages.cpu_s(), 0
            for name, path in PAGES.items():
                address = path.format(trade=trade)
                pages.read(address)  # fills what a server keeps
                times = [seconds(lambda: pages.begin(address)) for _ in range(calls)]  # noqa: B023
                asked += calls + 1
                measured[f"{name}_p50_ms"] = median(times) * 1000
                measured[f"{name}_p99_ms"] = percentile(times, 0.99) * 1000
                longest = max(longest, pages.read(address))
            measured["longest_page_kb"] = longest / 1000
            measured["cpu_ms_a_page"] = (pages.cpu_s() - before) * 1000 / asked
    targets = {f"{name}_p50_ms": Target(at_most=50) for name in PAGES}
    targets |= {f"{name}_p99_ms": Target(at_most=200) for name in PAGES}
    targets["longest_page_kb"] = Target(at_most=300)
    sizes = {"trades": trades, "memories": memories, "calls": calls}
    return Answer("trader_pages", measured, targets, sizes=sizes)


class _Pages:
    """A browser's way to the pages: it is logged in, and keeps its connection."""

    def __init__(self, door: NetworkDoor) -> None:
        assert door._process is not None
        self._stat = Path(f"/proc/{door._process.pid}/stat")
        self._connection = http.client.HTTPConnection("127.0.0.1", door.port, timeout=120)
        form = urlencode({"token": door.tokens["owner"]})
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        self._connection.request("POST", "/login", form, kind)
        answer = self._connection.getresponse()
        answer.read()
        self._cookie = (answer.getheader("set-cookie") or "").split(";")[0]

    def begin(self, path: str) -> None:
        """Ask for a page, until its first byte is there."""
        self._connection.request("GET", path, headers={"Cookie": self._cookie})
        answer = self._connection.getresponse()
        assert answer.status == 200, (path, answer.status)
        answer.read(1)
        self._rest = answer.read()

    def read(self, path: str) -> int:
        """Return how many bytes a page has."""
        self.begin(path)
        return len(self._rest) + 1

    def cpu_s(self) -> float:
        """Return the processor seconds that the server took so far."""
        fields = self._stat.read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _fill(home: Path, folder: Path, trades: int, memories: int) -> str:
    """Make a home with as many trades and memories; return the name of one of the trades."""
    made = write_trade_files(folder, 200)
    assert run_afterword("learn", str(made.trades), "--keep", home=home).returncode == 0
    stores = Stores(home, StoreOptions(), system_clock, random_uid)
    with closing(stores):
        store = stores.group("main")
        with writing(store) as conn:
            _copy_trips(conn, trades)
            name: str = conn.execute(
                text("SELECT trip_uid FROM round_trips ORDER BY closed_at DESC LIMIT 1 OFFSET 100")
            ).scalar_one()
        by = Writer(store, system_clock, random_uid, "owner")
        write_memories(by, list(_memories(memories)))
    return name


def _copy_trips(conn: Connection, trades: int) -> None:
    """Copy trips again and again, with other results: 27 a day for ten years, in many markets."""
    columns = [row[1] for row in conn.execute(text("PRAGMA table_info(round_trips)"))][1:]
    changed = {
        "trip_uid": "printf('%08x%024x', number.n * 2654435761 % 4294967296, number.n)",
        "symbol": f"'M' || (number.n % {MARKETS})",
        "opened_at": "1000000000000000 + number.n * 3150000000 - 7200000000",
        "closed_at": "1000000000000000 + number.n * 3150000000",
        "net": "printf('%.4f', CAST(made.net AS REAL) + number.n % 13)",
    }
    values = ", ".join(changed.get(column, f"made.{column}") for column in columns)
    conn.execute(text(_COPY.format(columns=", ".join(columns), values=values)), {"trades": trades})


def _memories(memories: int) -> Iterator[NewMemory]:
    chance, words = Random(1), ["desk", "closes", "early", "late", "chart", "weekly", "gold", "oil"]
    for number in range(memories):
        content = f"note {number}: " + " ".join(chance.choices(words, k=12))
        yield NewMemory("observation", content, origin="owner")


if __name__ == "__main__":
    answers(
        ask,
        trades=(int, 100_000, "round trips"),
        memories=(int, 100_000, "memories"),
        calls=(int, 40, "of each page"),
    )

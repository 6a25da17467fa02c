"""Searches beside writes, in threads and in other processes: no error, and nothing stale."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.store import Store, StoreOptions, Stores, reading
from afterword.pipeline.domain.memory.delete import delete_memory, restore_memory
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memory
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.ids import random_uid
from afterword.pipeline.recall.search.options import SearchOptions
from afterword.pipeline.recall.search.search import search

pytestmark = pytest.mark.crash

SECONDS = 60
WRITERS = SEARCHERS = 5
"""Of each process; two run."""

PROCESS = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from test_search_under_load import run
sys.exit(len(run(Path(sys.argv[2]), sys.argv[3])))
"""


def run(home: Path, name: str) -> list[str]:
    """Write and search in threads for a while, and return what went wrong."""
    options = StoreOptions(synchronous="NORMAL", busy_timeout_s=60)
    stores = Stores(home, options, system_clock, random_uid)
    store = stores.group("main", create=True)
    wrong: list[str] = []
    end = time.monotonic() + SECONDS

    def work(step: Callable[[Store, str, int], None], who: str) -> None:
        number = 0
        while time.monotonic() < end and not wrong:
            number += 1
            try:
                step(store, who, number)
            except Exception as error:
                wrong.append(f"{who}: {type(error).__name__}: {error}")

    threads = [
        threading.Thread(target=work, args=(step, f"{name}{kind}{number}"))
        for kind, step, count in (("w", _write, WRITERS), ("s", _search, SEARCHERS))
        for number in range(count)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stores.close()
    return wrong


def _write(store: Store, who: str, number: int) -> None:
    """Write a row and find it; delete it and find it no more; bring it back."""
    token = f"{who}n{number}"
    text = f"{token} gold and slippage, what else? {number}"
    new = NewMemory("context", text, type="context", session_id=f"{who}-{number // 5}")
    row = write_memory(Writer(store, system_clock, random_uid), new)
    assert _found(store, token) == [row.id]
    if number % 3 == 0:
        delete_memory(Writer(store, system_clock, random_uid), row.id)
        assert row.id not in _found(store, token)
    if number % 6 == 0:
        restore_memory(Writer(store, system_clock, random_uid, "owner"), row.id)
        assert row.id in _found(store, token)


def _found(store: Store, token: str) -> list[int]:
    """Return the rows that hold a token by their own words; their neighbours do not count."""
    hits = search(store, token)
    return [hit.memory.id for hit in hits if token in hit.memory.content.split()]


def _search(store: Store, _who: str, number: int) -> None:
    queries = ("gold slippage", '"gold and slippage"', "what else?", "", "gold NOT silver")
    hits = search(store, queries[number % len(queries)], options=SearchOptions(explain=True))
    assert all(hit.memory.deleted_at is None for hit in hits)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_ten_writers_and_ten_searchers_meet_no_error_and_nothing_stale(tmp_path: Path):
    command = [sys.executable, "-c", PROCESS, str(Path(__file__).parent), str(tmp_path), "b"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as other:
        assert run(tmp_path, "a") == []
        _, said = other.communicate(timeout=SECONDS * 3)
    assert (other.returncode, said) == (0, "")

    stores = Stores(tmp_path, StoreOptions(), system_clock, random_uid)
    with reading(stores.group("main")) as conn:
        assert conn.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
    raw = stores.group("main")
    with raw.writer().begin():
        raw.writer().exec_driver_sql(
            "INSERT INTO memories_fts (memories_fts, rank) VALUES ('integrity-check', 1)"
        )
    stores.close()

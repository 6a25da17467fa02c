"""`doctor --fix` killed before and after each of its transactions: run again, it ends the same."""

import json
import shutil
import signal
import subprocess
import sys
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from afterword.pipeline.clock import system_clock, to_micros
from afterword.pipeline.core.store import StoreOptions, Stores, reading, writing
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.domain.edges import rows as edge_rows
from afterword.pipeline.domain.edges.extraction import extract_edges
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.ids import random_uid

pytestmark = pytest.mark.crash

TEXTS = ("long BTC from 60k", "watching BTC and ETH", "prefers weekly charts")

BREAK = (
    "INSERT INTO embedding_models VALUES (1, 'p', 'm', 8, 0)",
    "INSERT INTO memory_vectors (memory_id, model_id, vector) VALUES (1, 1, zeroblob(32))",
    "INSERT INTO memory_vectors (memory_id, model_id, vector) VALUES (2, 1, x'0102')",
    "INSERT INTO memory_vectors (memory_id, model_id, vector) VALUES (999, 1, zeroblob(32))",
    "DELETE FROM memory_edges WHERE src_id = 2",
    "INSERT INTO price_series (source, symbol, asset, interval_us, created_at)"
    " VALUES ('file', 'XBTUSD', 'XBTUSD', 0, 0)",  # as before XBTUSD was read as BTC
    "DROP TRIGGER memories_ad",
    "DELETE FROM memories WHERE id = 3",  # its words stay in the index
)

LEFT = (
    "SELECT src_table, src_id, dst_entity_kind, dst_entity_key, edge_type FROM memory_edges",
    "SELECT memory_id, model_id, vector FROM memory_vectors",
    "SELECT id, uid, content FROM memories",
    "SELECT symbol, asset FROM price_series",
    "SELECT rowid FROM memories_fts WHERE memories_fts MATCH 'weekly OR btc'",
    "SELECT actor, tool_call, object_table, object_id, detail FROM audit_log",
)
"""What a mended file holds; the moments are left out."""

MEND = ("doctor", "--fix", "--apply", "--json")
RUN = """
import sys
from afterword.pipeline.testing.crash import die_at
die_at(sys.argv.pop(1))
from afterword.pipeline.doors.cli import main
main()
"""


@pytest.fixture
def broken(home: Path) -> Path:
    """An installation with a bad vector, an old key, a lost edge and a word index that drifted."""
    stores = Stores(home, StoreOptions(synchronous="NORMAL"), system_clock, random_uid)
    store = stores.group("main", create=True)
    news = [NewMemory("context", text, type="context") for text in TEXTS]
    written = write_memories(Writer(store, system_clock, random_uid), news)
    with writing(store) as conn:
        edges = [
            (row.id, extract_edges(text, None)) for row, text in zip(written, TEXTS, strict=True)
        ]
        edge_rows.keep(conn, edges, to_micros(system_clock()))
        conn.exec_driver_sql("DELETE FROM jobs")
    stores.close()
    raw = dbapi.connect(str(store.path), isolation_level=None)
    raw.execute("PRAGMA foreign_keys = OFF")
    for statement in BREAK:
        raw.execute(statement)
    raw.close()
    return home


def mend(home: Path, die_at: str = "never") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", RUN, die_at, "--home", str(home), *MEND],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def mended_rows(done: "subprocess.CompletedProcess[str]") -> dict[str, int]:
    assert done.returncode == 0, done.stderr
    return {one["action"]: one["rows"] for one in json.loads(done.stdout)}


def left(home: Path) -> list[list[Any]]:
    stores = Stores(home, StoreOptions(), system_clock, random_uid)
    with reading(stores.group("main")) as conn:
        assert conn.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
        found = [sorted(map(tuple, conn.exec_driver_sql(query))) for query in LEFT]
    stores.close()
    return found


@pytest.mark.parametrize("event", ["store.waited", "store.wrote"])
def test_killed_at_any_transaction_it_ends_as_if_it_never_was(broken: Path, event: str):
    whole = shutil.copytree(broken, broken.with_name("whole"))
    done = mended_rows(mend(whole))
    assert {name for name, rows in done.items() if rows} == {"vectors", "keys", "edges", "fts"}
    wanted = left(whole)

    killed = 0
    for number in count(1):
        home = shutil.copytree(broken, broken.with_name(f"killed{number}"))
        first = mend(home, die_at=f"{event}:{number}")
        if first.returncode == 0:
            break
        assert first.returncode == -signal.SIGKILL
        killed += 1
        mend(home)
        assert set(mended_rows(mend(home)).values()) == {0}
        assert left(home) == wanted, f"killed at {event} {number}"
    assert killed >= 5  # the look at the index, and each of four actions

"""Contract of a store in both modes of syncing; only a power cut tells FULL from NORMAL."""

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest

from afterword.pipeline.core.store import Store, StoreOptions, Stores, reading, writing
from afterword.pipeline.core.store.content_hash import content_hash
from afterword.pipeline.core.store.opening import connect
from afterword.pipeline.errors import ConflictError
from afterword.pipeline.ids import seeded_uids
from afterword.pipeline.testing.clock import ManualClock

Mode = Literal["FULL", "NORMAL"]
MODES: tuple[Mode, ...] = ("FULL", "NORMAL")

WRITE_UNTIL_KILLED = """
import sys
from pathlib import Path
from afterword.pipeline.ids import seeded_uids
from afterword.pipeline.core.store import Stores, StoreOptions, writing
from afterword.pipeline.testing.clock import ManualClock

options = StoreOptions(synchronous=sys.argv[2])
stores = Stores(Path(sys.argv[1]), options, ManualClock(), seeded_uids(1))
for number in range(1_000_000):
    with writing(stores.group("main")) as conn:
        conn.exec_driver_sql("INSERT INTO paused_kinds VALUES (?, 0, '')", (str(number),))
    print(number, flush=True)
"""


def opened(home: Path, mode: Mode) -> Stores:
    return Stores(home, StoreOptions(synchronous=mode), ManualClock(), seeded_uids(1))


@pytest.fixture(params=MODES)
def mode(request: pytest.FixtureRequest) -> Mode:
    found: Mode = request.param
    return found


@pytest.fixture
def store(home: Path, mode: Mode) -> Iterator[Store]:
    stores = opened(home, mode)
    yield stores.group("main", create=True)
    stores.close()


def note(store: Store, name: str) -> None:
    with writing(store) as conn:
        conn.exec_driver_sql("INSERT INTO paused_kinds VALUES (?, 0, '')", (name,))


def notes(store: Store) -> list[str]:
    with reading(store) as conn:
        return list(conn.exec_driver_sql("SELECT kind FROM paused_kinds ORDER BY 1").scalars())


def test_a_file_is_opened_in_the_mode_that_was_asked_for(store, mode):
    conn = connect(store.path, store.options)
    (found,) = conn.execute("PRAGMA synchronous").fetchone()
    conn.close()

    assert found == {"NORMAL": 1, "FULL": 2}[mode]


def test_what_is_written_is_seen_at_once_by_every_reader(store, home, mode):
    note(store, "a")
    elsewhere = opened(home, mode)

    assert notes(store) == notes(elsewhere.group("main")) == ["a"]
    elsewhere.close()


def test_a_failed_write_leaves_nothing(store):
    with pytest.raises(ZeroDivisionError), writing(store) as conn:
        conn.exec_driver_sql("INSERT INTO paused_kinds VALUES ('a', 0, '')")
        raise ZeroDivisionError

    assert notes(store) == []
    note(store, "b")
    assert notes(store) == ["b"]


def test_a_nested_write_is_refused_at_once(store):
    with writing(store), pytest.raises(ConflictError, match="already open"), writing(store):
        pass


def test_a_reader_sees_one_moment_while_others_write(store):
    with reading(store) as conn:
        before = conn.exec_driver_sql("SELECT count(*) FROM paused_kinds").scalar()
        thread = threading.Thread(target=note, args=(store, "a"))
        thread.start()
        thread.join()
        after = conn.exec_driver_sql("SELECT count(*) FROM paused_kinds").scalar()

    assert (before, after) == (0, 0)
    assert notes(store) == ["a"]


def test_writers_of_several_threads_wait_in_turn_and_lose_nothing(store):
    def write(worker: int) -> None:
        for number in range(50):
            note(store, f"{worker}-{number}")

    threads = [threading.Thread(target=write, args=(worker,)) for worker in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(notes(store)) == 400


def test_a_killed_process_loses_nothing_it_had_written(store, home, mode):
    line = [sys.executable, "-c", WRITE_UNTIL_KILLED, str(home), mode]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for _ in range(20):
            process.stdout.readline()
        process.send_signal(signal.SIGKILL)
        told = 20 + len(process.stdout.read().splitlines())

    kept = set(map(int, notes(store)))
    assert set(range(told)) <= kept <= set(range(told + 1))


def test_both_modes_store_the_same_bytes(tmp_path):
    def story(mode: Mode) -> list[str]:
        stores = opened(tmp_path / mode, mode)
        store = stores.group("main", create=True)
        for name in ("a", "b", "c"):
            note(store, name)
        with reading(store) as conn:
            found = [content_hash(conn, table) for table in ("store_identity", "paused_kinds")]
        stores.close()
        return found

    assert story("FULL") == story("NORMAL")

"""The files under load and without space: what was acknowledged is there, whole."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.store import Store, StoreOptions, Stores, reading, writing
from afterword.pipeline.core.store.names import log_path
from afterword.pipeline.ids import random_uid
from afterword.pipeline.testing.process import run_afterword
from afterword.pipeline.testing.wait import wait_until
from afterword.workers.testing import NOTE_KIND, traces

pytestmark = pytest.mark.crash

WRITERS = """
import os, sys, threading
from pathlib import Path
from afterword.pipeline.clock import system_clock
from afterword.pipeline.ids import random_uid
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memory
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.core.store import Stores, StoreOptions
from afterword.pipeline.testing.process import run_afterword
home, me, threads, each = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
options = StoreOptions(synchronous="NORMAL", busy_timeout_s=60)
stores = Stores(home, options, system_clock, random_uid)
store = stores.group("main", create=True)
def say(line): os.write(1, line.encode() + bytes([10]))  # print may mix lines of two threads
def write(thread):
    for number in range(each):
        try:
            new = NewMemory("observation", f"{me}-{thread}-{number} bought ETH")
            say(write_memory(Writer(store, system_clock, random_uid), new).uid)
        except Exception as error:
            say(f"ERROR {type(error).__name__} {error}")
            if "--go-on" not in sys.argv: return
workers = [threading.Thread(target=write, args=(n,)) for n in range(threads)]
for worker in workers: worker.start()
for worker in workers: worker.join()
"""


def writer(
    home: Path, name: str, threads: int, each: int, *flags: str, limit_bytes: int = 0
) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", WRITERS, str(home), name, str(threads), str(each), *flags]
    if limit_bytes:
        command = ["prlimit", f"--fsize={limit_bytes}", *command]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def stored(home: Path) -> dict[str, int]:
    """Return what the tables hold, after checking that the file is whole."""
    stores = Stores(home, StoreOptions(), system_clock, random_uid)
    with reading(stores.group("main")) as conn:
        assert conn.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
        found = {
            "memories": "SELECT count(*) FROM memories",
            "uids": "SELECT count(DISTINCT uid) FROM memories",
            "audited": "SELECT count(*) FROM audit_log WHERE tool_call = 'memory.write'",
            "edge_jobs": "SELECT count(*) FROM jobs WHERE kind = 'extract_edges'",
            "indexed": "SELECT count(*) FROM memories_fts WHERE memories_fts MATCH 'bought'",
        }
        numbers = {
            name: int(conn.exec_driver_sql(sql).scalar() or 0) for name, sql in found.items()
        }
    stores.close()
    return numbers


def test_ten_thousand_writes_from_eight_processes_lose_nothing(tmp_path: Path):
    processes = [writer(tmp_path, f"p{number}", threads=4, each=313) for number in range(8)]
    said = [
        line for process in processes for line in process.communicate(timeout=300)[0].split("\n")
    ]
    uids = [line for line in said if line]

    assert [line for line in uids if line.startswith("ERROR")] == []
    assert len(uids) == len(set(uids)) == 8 * 4 * 313 >= 10_000
    assert set(stored(tmp_path).values()) == {len(uids)}


def test_writers_killed_at_random_keep_exactly_what_they_acknowledged_or_one_more(tmp_path: Path):
    acknowledged = 0
    for round_number in range(6):
        process = writer(tmp_path, f"r{round_number}", threads=4, each=10_000)
        assert process.stdout is not None
        heard = [process.stdout.readline() for _ in range(1 + 30 * round_number)]
        process.kill()
        rest = process.communicate()[0].split("\n")
        acknowledged += len(heard) + sum(len(line) == 32 for line in rest)

    found = stored(tmp_path)
    assert len(set(found.values())) == 1, "a memory, its index, audit row and job are one commit"
    # Each killed thread may have committed one write it had no time to print.
    assert acknowledged <= found["memories"] <= acknowledged + 6 * 4


def test_a_full_disk_is_one_clear_error_and_writes_go_on_when_there_is_space(tmp_path: Path):
    limited = writer(tmp_path, "full", 1, 300, "--go-on", limit_bytes=1_500_000)
    said = [line for line in limited.communicate(timeout=120)[0].split("\n") if line]
    errors = [line for line in said if line.startswith("ERROR")]
    uids = [line for line in said if not line.startswith("ERROR")]
    assert errors, "the limit should have been reached"
    assert {line.split()[1] for line in errors} == {"UnavailableError"}, errors[0]
    assert stored(tmp_path)["memories"] == len(uids)

    free = writer(tmp_path, "free", threads=1, each=50)
    assert "ERROR" not in free.communicate(timeout=60)[0]
    assert set(stored(tmp_path).values()) == {len(uids) + 50}


def test_a_long_reader_stops_no_writer_and_the_log_shrinks_after_it(tmp_path: Path):
    stores = Stores(tmp_path, StoreOptions(synchronous="NORMAL"), system_clock, random_uid)
    store = stores.group("main", create=True)
    with reading(store) as conn:
        conn.exec_driver_sql("SELECT count(*) FROM memories").scalar()
        said = writer(tmp_path, "w", threads=2, each=300).communicate(timeout=60)[0]
        assert "ERROR" not in said
        grown = log_path(store.path).stat().st_size
    from afterword.pipeline.core.store.tidy import tidy

    assert tidy(store)
    assert log_path(store.path).stat().st_size == 0 < grown
    stores.close()


def test_sixty_four_open_files_are_enough_for_forty_groups(tmp_path: Path):
    script = (
        "import resource, sys; from pathlib import Path\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))\n"
        "from afterword.pipeline.clock import system_clock\n"
        "from afterword.pipeline.ids import random_uid\n"
        "from afterword.pipeline.domain.memory.model import NewMemory\n"
        "from afterword.pipeline.domain.memory.write import write_memory\n"
        "from afterword.pipeline.domain.memory.writer import Writer\n"
        "from afterword.pipeline.core.store import Stores, StoreOptions\n"
        "stores = Stores(Path(sys.argv[1]), StoreOptions(), system_clock, random_uid)\n"
        "for turn in range(2):\n"
        "    for number in range(40):\n"
        "        store = stores.group(f'g{number}', create=True)\n"
        "        by = Writer(store, system_clock, random_uid)\n"
        "        write_memory(by, NewMemory('observation', 'x y z'))\n"
        "print('fine')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stdout.strip() == "fine", done.stderr


def test_a_fleet_with_sixty_four_open_files_each_serves_forty_groups(host: Any):
    few = ("prlimit", "--nofile=64")
    host.dispatcher(wrap=few)
    host.worker(threads=2, wrap=few)
    opened = [host.stores.group(f"g{number}", create=True) for number in range(40)]
    for turn in range(2):
        for store in opened:
            with writing(store) as conn:
                add(conn, NOTE_KIND, {"id": turn}, system_clock())

    def done() -> int:
        return sum(len(effects(host.stores.group(store.name))) for store in opened)

    wait_until(lambda: done() == 80, 90)


def effects(store: Store) -> dict[str, int]:
    with reading(store) as conn:
        return traces(conn)


def test_a_worker_frozen_inside_a_write_makes_others_wait_a_bounded_time(host: Any):
    """The writer's lock is held by a stopped process: a clear error, then all is well again."""
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys, time; from pathlib import Path\n"
            "from afterword.pipeline.clock import system_clock\n"
            "from afterword.pipeline.ids import random_uid\n"
            "from afterword.pipeline.core.store import Stores, StoreOptions, writing\n"
            f"s = Stores(Path({str(host.home)!r}), StoreOptions(), system_clock, random_uid)\n"
            "with writing(s.group('main')) as conn:\n"
            "    conn.exec_driver_sql(\"INSERT INTO paused_kinds VALUES ('half', 0, '')\")\n"
            "    print('in', flush=True); time.sleep(600)\n",
        ],
        stdout=subprocess.PIPE,
    )
    assert holder.stdout is not None
    holder.stdout.readline()
    os.kill(holder.pid, signal.SIGSTOP)
    line = ("memory", "write", "observation", "held up")
    refused = run_afterword(*line, home=host.home, busy_timeout_s=1)
    assert refused.returncode == 1
    assert "held the store for 1 s" in refused.stderr
    holder.kill()
    holder.wait()
    holder.stdout.close()

    wait_until(lambda: not host.states())
    with reading(host.store) as conn:
        assert conn.exec_driver_sql("SELECT count(*) FROM paused_kinds").scalar() == 0

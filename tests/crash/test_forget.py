"""Forgetting is killed at named points, beside writers: in the end the erasure is proved."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.store import Store, StoreOptions, Stores, reading
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memory
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.ids import random_uid
from afterword.pipeline.testing.process import run_afterword
from afterword.pipeline.testing.wait import wait_until

pytestmark = pytest.mark.crash

SECRET = "the quibbleworth account pays the rent"

RUN = """
import sys
from afterword.pipeline.testing.crash import die_at
die_at(sys.argv.pop(1))
from afterword.pipeline.doors.cli import main
main()
"""
WRITE = """
import sys
from pathlib import Path
from afterword.pipeline.clock import system_clock
from afterword.pipeline.ids import random_uid
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.read import read_memories
from afterword.pipeline.domain.memory.write import write_memory
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.core.store import Stores, StoreOptions
home, options = Path(sys.argv[1]), StoreOptions(synchronous="NORMAL")
store = Stores(home, options, system_clock, random_uid).group("main")
while True:
    by = Writer(store, system_clock, random_uid)
    written = write_memory(by, NewMemory("lesson", "cut losers early"))
    read_memories(store)
    print(written.id, flush=True)
"""


@pytest.fixture
def stores(home: Path):
    stores = Stores(home, StoreOptions(synchronous="NORMAL"), system_clock, random_uid)
    yield stores
    stores.close()


def forget(home: Path, *line: str, die_at: str = "never") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", RUN, die_at, "--home", str(home), "forget", *line, "--json"],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def bytes_of(store: Store) -> bytes:
    store.close()
    return b"".join(path.read_bytes() for path in store.path.parent.glob("main.sqlite*"))


@pytest.mark.parametrize("point", ["forget.erased", "forget.scrubbed", "forget.proved"])
def test_killed_at_any_point_it_is_taken_up_again_and_proved(home, stores, point: str):
    store = stores.group("main", create=True)
    kept = write_memory(Writer(store, system_clock, random_uid), NewMemory("lesson", "cut losers"))
    memory = write_memory(Writer(store, system_clock, random_uid), NewMemory("lesson", SECRET))
    line = ("--memory", str(memory.id), "--apply", "--yes")

    assert forget(home, *line, die_at=point).returncode == -signal.SIGKILL
    with reading(store) as conn:
        assert conn.exec_driver_sql("SELECT id FROM memories").scalars().all() == [kept.id]
    again = forget(home, *line)

    assert again.returncode == 0, again.stderr
    proof = json.loads(again.stdout)["proof"]
    assert (proof is None) == (point == "forget.proved")
    assert proof is None or (proof["found"], proof["phrases"]) == (0, 2)
    assert b"quibbleworth" not in bytes_of(store)
    with reading(store) as conn:
        assert conn.exec_driver_sql("PRAGMA integrity_check").scalar_one() == "ok"
        assert conn.exec_driver_sql("SELECT count(sealed) FROM erasures").scalar_one() == 0
    assert json.loads(forget(home, *line).stdout)["proof"] is None


def test_a_note_of_an_operator_goes_although_a_kill_came_between_the_two_files(home, stores):
    write_memory(
        Writer(stores.group("main", create=True), system_clock, random_uid),
        NewMemory("lesson", "cut losers"),
    )
    note = f"as {SECRET}"
    run_afterword("switch", "set", "draft_lesson", "off", "--note", note, home=home)
    line = ("--subject", "quibbleworth", "--apply", "--yes")
    assert forget(home, *line, die_at="forget.erased").returncode == -signal.SIGKILL
    with reading(stores.instance) as conn:
        assert conn.exec_driver_sql("SELECT note FROM switch_changes").scalars().all() == [note]
    again = forget(home, "--subject", "somebody else", "--apply", "--yes")

    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout)["proof"]["found"] == 0
    stores.close()
    held = b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())
    assert b"quibbleworth" not in held
    switches = json.loads(run_afterword("switch", "ls", "--json", home=home).stdout)
    assert [one["mode"] for one in switches if one["task"] == "draft_lesson"] == ["off"]


def test_it_is_proved_while_other_processes_write_and_none_of_them_fails(home, stores, tmp_path):
    store = stores.group("main", create=True)
    for number in range(300):
        said = f"{SECRET} {number}" if number % 10 == 0 else f"trail stops {number}"
        write_memory(Writer(store, system_clock, random_uid), NewMemory("lesson", said))
    outputs = [tmp_path / f"writer-{number}" for number in range(2)]
    writers = []
    for path in outputs:
        with path.open("w") as out:
            line = [sys.executable, "-c", WRITE, str(home)]
            writers.append(subprocess.Popen(line, stdout=out, stderr=subprocess.STDOUT))
    try:
        wait_until(lambda: _count(store) > 320, 30)
        done = forget(home, "--subject", "quibbleworth", "--apply", "--yes")
        before = _count(store)
        wait_until(lambda: _count(store) > before + 20, 30)
        assert [writer.poll() for writer in writers] == [None, None]
    finally:
        for writer in writers:
            writer.kill()
            writer.wait()

    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert (len(answer["preview"]["held"][0]["ids"]), answer["proof"]["found"]) == (30, 0)
    assert b"quibbleworth" not in bytes_of(store)
    with reading(store) as conn:
        kept = set(conn.exec_driver_sql("SELECT id FROM memories").scalars())
    acknowledged = {int(line) for path in outputs for line in path.read_text().split("\n")[:-1]}
    assert acknowledged <= kept


def _count(store: Store) -> int:
    with reading(store) as conn:
        return int(conn.exec_driver_sql("SELECT count(*) FROM memories").scalar_one())

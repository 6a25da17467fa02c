"""A pass of the synthesis is killed at each of its writes; the next one ends where it would."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from afterword.pipeline.clock import iso
from afterword.pipeline.core.store import StoreOptions, Stores, reading
from afterword.pipeline.core.store.content_hash import content_hash
from afterword.pipeline.ids import random_uid
from afterword.pipeline.testing.clock import ManualClock
from tests.unit.synthesis.desk import Desk

pytestmark = pytest.mark.crash

TABLES = (
    *("methodologies", "methodology_lifecycle_events", "methodology_cases"),
    *("methodology_citations", "role_memory", "memories"),
)

PASS = """
import sys
from datetime import datetime
from pathlib import Path
from afterword.pipeline.core.store import Stores, StoreOptions
from afterword.pipeline.domain.synthesis.judge import MethodReview
from afterword.pipeline.domain.synthesis.model import GateRules
from afterword.pipeline.domain.synthesis.parts import Synthesis
from afterword.pipeline.domain.synthesis.synthesize import synthesize
from afterword.pipeline.ids import random_uid
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.crash import die_at

home, now, write = Path(sys.argv[1]), datetime.fromisoformat(sys.argv[2]), int(sys.argv[3])

class Judge:
    name = "scripted"

    def review(self, method, group):
        return MethodReview("flag", "because")

if write:
    die_at(f"store.wrote:{write}")
clock = ManualClock(now)
stores = Stores(home, StoreOptions(synchronous="NORMAL"), clock, random_uid)
synthesize(Synthesis(stores.group("main"), Judge(), GateRules(), clock, random_uid), "cron")
stores.close()
"""


@pytest.fixture
def made(tmp_path: Path) -> tuple[Path, str]:
    """An installation in which one methodology graduates, one fails and one is new."""
    home, clock = tmp_path / "made", ManualClock()
    stores = Stores(home, StoreOptions(synchronous="NORMAL"), clock, random_uid)
    desk = Desk(stores.group("main", create=True), clock, random_uid)
    for name in ("dip", "fade", "news"):
        desk.method(name)
    desk.decide(["dip", "fade"], [True] * 30)
    desk.synthesize()
    desk.decide(["fade"], [False] * 30)
    desk.decide(["dip"], [True])
    desk.method("late")
    desk.decide(["late"], [True] * 30)
    stores.close()
    return home, iso(clock())


def run(home: Path, now: str, write: int) -> int:
    done = subprocess.run([sys.executable, "-c", PASS, str(home), now, str(write)], check=False)
    return done.returncode


def hashes(home: Path) -> dict[str, str]:
    stores = Stores(home, StoreOptions(synchronous="NORMAL"), ManualClock(), random_uid)
    with reading(stores.group("main")) as conn:
        found = {table: content_hash(conn, table) for table in TABLES}
    stores.close()
    return found


def test_killed_at_any_write_the_next_pass_ends_in_the_same_tables(
    made: tuple[Path, str], tmp_path: Path
):
    home, now = made
    whole = tmp_path / "whole"
    shutil.copytree(home, whole)
    assert run(whole, now, 0) == 0
    wanted = hashes(whole)

    killed = 0
    for write in range(1, 30):
        copy = tmp_path / f"killed-{write}"
        shutil.copytree(home, copy)
        if run(copy, now, write) == 0:
            break
        killed += 1
        assert run(copy, now, 0) == 0
        assert hashes(copy) == wanted, f"killed at write {write}"
    assert killed >= 5


def test_two_passes_at_once_end_in_the_tables_of_one(made: tuple[Path, str], tmp_path: Path):
    home, now = made
    alone, both = tmp_path / "alone", tmp_path / "both"
    for copy in (alone, both):
        shutil.copytree(home, copy)
    assert run(alone, now, 0) == 0

    line = [sys.executable, "-c", PASS, str(both), now, "0"]
    started = [subprocess.Popen(line) for _ in range(2)]

    assert [one.wait(120) for one in started] == [0, 0]
    assert hashes(both) == hashes(alone)

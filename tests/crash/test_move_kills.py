"""A move is killed at each step: repeating it ends in one whole group, never in two."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.store import StoreOptions, Stores, reading, run_sql, writing
from afterword.pipeline.domain.memory.area import EXTRACT_EDGES
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memory
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.errors import NotFoundError, PipelineError
from afterword.pipeline.ids import random_uid
from afterword.pipeline.testing.command import Command

pytestmark = pytest.mark.crash

RUN = """
import sys
from afterword.pipeline.testing.crash import die_at
die_at(sys.argv.pop(1))
from afterword.pipeline.doors.cli import main
main()
"""
STEPS = ("begun", "fenced", "copied", "arrived", "kept")


def killed(here: Path, there: Path, die_at: str) -> int:
    """Move the group until a step, and return how the process ended."""
    line = ["--home", str(here), "store", "move", "main", "--to", str(there)]
    return subprocess.run([sys.executable, "-c", RUN, die_at, *line], check=False).returncode


def opened(home: Path) -> Stores:
    return Stores(home, StoreOptions(synchronous="NORMAL"), system_clock, random_uid)


def is_live(home: Path) -> bool:
    """Return whether a write to the group would be taken in a home, without making it there."""
    stores = opened(home)
    try:
        with writing(stores.group("main")):
            return True
    except PipelineError:
        return False
    finally:
        stores.close()


@pytest.mark.parametrize("step", STEPS)
def test_a_killed_move_repeated_leaves_one_whole_group(tmp_path, step):
    here, there = tmp_path / "here", tmp_path / "there"
    stores = opened(here)
    by = Writer(stores.group("main", create=True), system_clock, random_uid)
    for place in range(20):
        write_memory(by, NewMemory("lesson", f"lesson {place}"))
    stores.close()

    assert killed(here, there, f"move.{step}") == -signal.SIGKILL
    assert (is_live(here), is_live(there)) == (False, step in ("arrived", "kept"))
    again = Command(here, system_clock, random_uid)("store", "move", "main", "--to", str(there))
    assert again.code == 0, again.err

    assert (is_live(here), is_live(there)) == (False, True)
    moved = opened(there)
    with reading(moved.group("main")) as conn:
        (memories,) = run_sql(conn, "SELECT count(*) FROM memories").fetchone()
        jobs = run_sql(
            conn, "SELECT DISTINCT state FROM jobs WHERE kind = ?", (EXTRACT_EDGES.name,)
        )
        assert (memories, jobs.fetchall()) == (20, [("ready",)])
    moved.close()
    left = opened(here)
    with pytest.raises(NotFoundError, match=str(there)):
        left.group("main", create=True)
    left.close()

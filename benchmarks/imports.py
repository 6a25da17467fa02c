"""What `afterword history import` costs beside the least that reading and storing can cost.

And what `afterword learn` costs beside the import of the same file.
"""

import csv
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from afterword.pipeline.core.store import StoreOptions
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.core.store.opening import connect
from afterword.pipeline.testing.trade_files import write_trade_files
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.fills import api_rows
from benchmarks.timing import spent

CHUNK = 1_000
"""Rows of one transaction of the bare program, as of ours."""

_ENV = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
# Pages of the store that are mapped count as memory of the process, although the system takes them
# back at will: without them the peak is what the program itself holds.
_ENV["AFTERWORD_MMAP_MB"] = "0"
_FILLS = ("perps_fills",)
ALL_TABLES = ("memories", "audit_log", "jobs", "perps_fills", "round_trips")
"""Tables that an import fills, each before those that refer to it."""

# A virtual table makes its own tables.
_SCHEMA = """
SELECT sql FROM sqlite_master AS one WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'
  AND NOT EXISTS (SELECT 1 FROM sqlite_master AS virtual
    WHERE virtual.sql LIKE 'CREATE VIRTUAL%' AND one.tbl_name GLOB virtual.name || '_*')
ORDER BY rowid
"""


class Cost(NamedTuple):
    """What a whole process took.

    Args:
        cpu_s: processor seconds, user and system.
        peak_mb: most memory it held at once.
    """

    cpu_s: float
    peak_mb: float


def ask(fills: int, many: int) -> Answer:
    """Import an export of Binance and an answer of Hyperliquid, then a larger export."""
    with TemporaryDirectory(prefix="afterword-bench-") as top:
        folder = Path(top)
        sheet, large = _export(folder / "some", fills), _export(folder / "many", many)
        answer = folder / "fills.json"
        answer.write_text(json.dumps(api_rows(fills)))
        _import(folder / "warm", _export(folder / "few", 100))
        one = _import(folder / "one", sheet)
        other = _import(folder / "other", answer)
        most = _import(folder / "most", large)
        learnt = _cost(folder / "look", "learn", large)
        imported = folder / "one" / "groups" / "main.sqlite"
        reading = spent(lambda: _read(sheet)).cpu_s
        parsing = spent(lambda: _parse(sheet)).cpu_s
        fills_alone = store_bare(imported, folder / "fills.sqlite", _FILLS)
        storing = store_bare(imported, folder / "bare.sqlite", ALL_TABLES)
    note(f"imports: {one.cpu_s:.1f} s of processor, bare {parsing + storing:.1f} s")
    return Answer(
        "imports",
        {
            "sheet_cpu_s": one.cpu_s,
            "json_cpu_s": other.cpu_s,
            "sheet_by_bare": one.cpu_s / (parsing + storing),
            "sheet_by_fills_alone": one.cpu_s / (reading + fills_alone),
            "sheet_peak_mb": one.peak_mb,
            "json_peak_mb": other.peak_mb,
            "many_cpu_s": most.cpu_s,
            "many_peak_mb": most.peak_mb,
            "peak_growth": most.peak_mb / one.peak_mb,
            "learn_cpu_s": learnt.cpu_s,
            "learn_peak_mb": learnt.peak_mb,
        },
        targets={
            "sheet_cpu_s": Target(at_most=5),
            "sheet_by_bare": Target(at_most=4),
            "peak_growth": Target(at_most=1.25),
            "learn_peak_mb": Target(at_most=300),
        },
        floor={
            "csv_reader_cpu_s": reading,
            "parsing_cpu_s": parsing,
            "fills_cpu_s": fills_alone,
            "executemany_cpu_s": storing,
        },
        sizes={"fills": fills, "many": many},
    )


def _export(folder: Path, fills: int) -> Path:
    folder.mkdir()
    return write_trade_files(folder, fills // 10, parts=5).trades


def _import(home: Path, export: Path) -> Cost:
    return _cost(home, "history", "import", export)


def _cost(home: Path, *words: object) -> Cost:
    """Run a command that answers in JSON as a process of its own."""
    command = [str(Path(sys.executable).with_name("afterword")), "--home", str(home)]
    line = [*command, *map(str, words), "--json"]
    process = subprocess.Popen(line, env=_ENV, stdout=subprocess.DEVNULL)
    peak_kb = 0
    # What the system tells at the end begins with the memory of this process, which was copied.
    while not (ended := os.wait4(process.pid, os.WNOHANG))[0]:
        peak_kb = _peak_kb(process.pid) or peak_kb
        time.sleep(0.05)
    _, status, used = ended
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise AssertionError(f"{' '.join(line)} failed")
    return Cost(used.ru_utime + used.ru_stime, peak_kb / 1024)


def _peak_kb(pid: int) -> int:
    found = re.search(r"VmHWM:\s*([0-9]+)", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) if found else 0


def _read(path: Path) -> None:
    with path.open(newline="") as file:
        for _ in csv.reader(file):
            pass


def _parse(path: Path) -> None:
    """Read the moment, the numbers and the fee's number of every row, and check nothing."""
    with path.open(newline="") as file:
        rows = csv.reader(file)
        next(rows)
        for row in rows:
            datetime.fromisoformat(f"20{row[1]}+00:00")
            for cell in (row[4], row[5], row[7].partition(" ")[0], row[8]):
                Decimal(cell)


def store_bare(imported: Path, path: Path, tables: tuple[str, ...]) -> float:
    """Write the rows of some tables into an empty store, with its indexes and triggers.

    Returns:
        Processor seconds.
    """
    with closing(dbapi.connect(imported)) as ours:
        rows = {
            name: ours.execute(f"SELECT * FROM {name} ORDER BY id").fetchall() for name in tables
        }
        schema = [sql for (sql,) in ours.execute(_SCHEMA)]
    path.touch()
    with closing(connect(path, StoreOptions())) as bare:
        for sql in schema:
            bare.execute(sql)
        return sum(spent(_writer(bare, name, found)).cpu_s for name, found in rows.items())


def _writer(conn: Any, table: str, rows: list[tuple[object, ...]]) -> Callable[[], None]:
    statement = f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})"

    def write() -> None:
        for place in range(0, len(rows), CHUNK):
            conn.execute("BEGIN IMMEDIATE")
            conn.executemany(statement, rows[place : place + CHUNK])
            conn.execute("COMMIT")

    return write


if __name__ == "__main__":
    answers(
        ask,
        fills=(int, 100_000, "fills of an export"),
        many=(int, 300_000, "fills of a larger export, for its peak of memory"),
    )

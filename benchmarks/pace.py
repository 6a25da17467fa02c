"""The pace of this machine: the time of a fixed piece of work that no change of ours touches."""

import hashlib
import json
import sqlite3
from contextlib import closing
from typing import Final

from benchmarks.timing import spent

ROWS: Final = 20_000
"""Rows that are made, written, read and hashed; some 0.1 s on a machine of 2025."""

TRIES: Final = 5


def pace_s() -> float:
    """Return the least processor time of some tries of the piece; seconds."""
    return min(spent(_piece).cpu_s for _ in range(TRIES))


def _piece() -> None:
    with closing(sqlite3.connect(":memory:")) as conn:
        conn.execute("CREATE TABLE rows (id INTEGER PRIMARY KEY, said TEXT)")
        rows = [(number, json.dumps({"row": number, "of": ROWS})) for number in range(ROWS)]
        conn.executemany("INSERT INTO rows VALUES (?, ?)", rows)
        whole = hashlib.sha256()
        for _, said in conn.execute("SELECT id, said FROM rows ORDER BY said"):
            whole.update(said.encode())

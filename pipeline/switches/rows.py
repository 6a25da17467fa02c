"""The statements that keep switches."""

from datetime import datetime

from sqlalchemy import Connection, text

from pipeline.clock import from_micros, to_micros
from pipeline.switches.model import TASKS, Mode, Switch

_MODE = text("SELECT mode FROM switches WHERE task = :task")
_ALL = text("SELECT task, mode, note, changed_at FROM switches")
_SET = text("""
INSERT INTO switches (task, mode, note, changed_at) VALUES (:task, :mode, :note, :now)
ON CONFLICT DO UPDATE SET mode = excluded.mode, note = excluded.note,
  changed_at = excluded.changed_at
""")


def mode(conn: Connection, task: str) -> Mode:
    """Return how a task may run: on, where nobody said otherwise."""
    return Mode(conn.execute(_MODE, {"task": task}).scalar_one_or_none() or Mode.ON)


def set_mode(conn: Connection, task: str, mode: Mode, note: str, now: datetime) -> None:
    """Say how a task may run."""
    values = {"task": task, "mode": mode.value, "note": note, "now": to_micros(now)}
    conn.execute(_SET, values)


def all_switches(conn: Connection) -> list[Switch]:
    """Return every task's switch, in the order of `TASKS`."""
    found = {row.task: row for row in conn.execute(_ALL)}
    return [
        Switch(task, Mode(row.mode), meaning, row.note, from_micros(row.changed_at))
        if (row := found.get(task))
        else Switch(task, Mode.ON, meaning)
        for task, meaning in TASKS.items()
    ]

"""SQL statements of the switches: each change is a row, and the newest row of a task applies."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, text

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.gateway.switches.model import Mode, Switch, Tasks, unset

_MODE = text("SELECT mode FROM switch_changes WHERE task = :task ORDER BY id DESC LIMIT 1")
_NOW = text("""
SELECT task, mode, note, changed_at FROM switch_changes
WHERE id IN (SELECT max(id) FROM switch_changes GROUP BY task)
""")
_CHANGES = text("""
SELECT task, mode, note, changed_at FROM switch_changes ORDER BY id DESC LIMIT :limit
""")
_SET = text("""
INSERT INTO switch_changes (task, mode, note, changed_at) VALUES (:task, :mode, :note, :now)
""")


def mode(conn: Connection, task: str) -> Mode:
    """Return the mode of a task; `on` if it was never set."""
    return Mode(conn.execute(_MODE, {"task": task}).scalar_one_or_none() or Mode.ON)


def set_mode(conn: Connection, task: str, mode: Mode, note: str, now: datetime) -> None:
    """Record a new mode of a task."""
    values = {"task": task, "mode": mode.value, "note": note, "now": to_micros(now)}
    conn.execute(_SET, values)


def all_switches(conn: Connection, tasks: Tasks) -> list[Switch]:
    """Return the switch of each task, in the order of the tasks."""
    found = {row.task: row for row in conn.execute(_NOW)}
    return [
        _switch(row, tasks) if (row := found.get(task)) else unset(task, meaning)
        for task, meaning in tasks.items()
    ]


def changes(conn: Connection, limit: int, tasks: Tasks) -> list[Switch]:
    """Return the changes of switches, newest first."""
    return [_switch(row, tasks) for row in conn.execute(_CHANGES, {"limit": limit})]


def _switch(row: Row[Any], tasks: Tasks) -> Switch:
    at = from_micros(row.changed_at)
    return Switch(row.task, Mode(row.mode), tasks.get(row.task, ""), row.note, at)

"""Sessions and turns on their way from one file to another."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection

from afterword.pipeline.core.store import insert_row, run_sql
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.domain.memory.carried import CarriedResult, CarriedTrust
from afterword.pipeline.domain.memory.writer import Writer

_IS_HERE: Final = "SELECT 1 FROM sessions WHERE uid = ?"
_READ: Final = "DELETE FROM ended_turns WHERE turn_id = ?"


def write_carried_sessions(
    conn: Connection,
    by: Writer,
    lines: Sequence[Mapping[str, Any]],
    _now: datetime,
    _trust: CarriedTrust,
) -> list[CarriedResult]:
    """Write sessions by the columns they had; each gets a handle that nobody was told."""
    results = []
    for line in lines:
        if run_sql(conn, _IS_HERE, (line["uid"],)).fetchone() is not None:
            results.append(CarriedResult("known"))
            continue
        try:
            insert_row(conn, "sessions", {**line, "handle": by.ids()})
        except dbapi.IntegrityError as error:
            results.append(CarriedResult("refused", f"it does not fit what is here ({error})"))
        else:
            results.append(CarriedResult("new"))
    return results


def leave_read(
    conn: Connection, _by: Writer, row_id: int, _columns: Mapping[str, Any], _now: datetime
) -> None:
    """Take a turn from the ones to read: what its chat told was found where it took place."""
    run_sql(conn, _READ, (row_id,))

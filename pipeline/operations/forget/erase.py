"""Erase the found rows in one transaction, and store what the proof and the audit log need."""

import json
import zlib
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.core.area import ForgetPlace
from afterword.pipeline.core.store import Store, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.memory.audit_log import ChangedRow, record
from afterword.pipeline.operations.forget import rows
from afterword.pipeline.operations.forget.find_rows import RowsToErase
from afterword.pipeline.operations.forget.matching import words_of
from afterword.pipeline.operations.forget.places import MEMORIES
from afterword.pipeline.operations.forget.seal import digest, seal, unseal


def erase(store: Store, found: RowsToErase, key: bytes, now: datetime) -> None:
    """Erase the found rows, and the memories that were derived from them meanwhile."""
    with writing(store) as conn:
        conn.exec_driver_sql("PRAGMA secure_delete = ON")
        rows_said: list[list[str]] = []
        for place, ids in found.places.items():
            if place is MEMORIES:
                ids = rows.with_descendants(conn, ids)
            rows_said += _erase_place(conn, place, ids, key, now)
        rows.keep_sealed(conn, now, seal(key, _packed(rows_said)))
    emit("forget.erased", group=store.name, rows=len(rows_said))


def owed(conn: Connection, key: bytes) -> tuple[list[int], list[list[str]]]:
    """Return the ids of the erasures without a proof, and the texts of each erased row.

    Raises:
        CorruptStoreError: the key that sealed them is missing.
    """
    sealed = rows.unproved(conn)
    return list(sealed), [said for one in sealed.values() for said in _unpacked(unseal(key, one))]


def _erase_place(
    conn: Connection, place: ForgetPlace, ids: Sequence[int], key: bytes, now: datetime
) -> list[list[str]]:
    held = {
        row_id: words_of(place, cells, names=False)
        for row_id, cells in rows.cells(conn, place, ids)
    }
    uids = rows.uids(conn, ids) if place is MEMORIES else {}
    touched = [
        ChangedRow(
            row_id,
            detail={"digest": digest(key, "\n".join(words))}
            | ({"uid": uids[row_id]} if row_id in uids else {}),
        )
        for row_id, words in held.items()
    ]
    rows.erase(conn, place, list(held))
    record(conn, now, "owner", "forget.erase", place.table, touched)
    return list(held.values())


def _packed(rows_said: list[list[str]]) -> bytes:
    return zlib.compress(json.dumps(rows_said).encode())


def _unpacked(packed: bytes) -> list[list[str]]:
    found: list[list[str]] = json.loads(zlib.decompress(packed))
    return found

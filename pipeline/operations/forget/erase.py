"""Erase the found rows in one transaction, and store what the proof and the audit log need."""

import json
import zlib
from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.core.area import ForgetPlace
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.memory.audit_log import ChangedRow, record
from afterword.pipeline.operations.forget import rows
from afterword.pipeline.operations.forget.find_rows import RowsToErase
from afterword.pipeline.operations.forget.matching import words_of
from afterword.pipeline.operations.forget.places import FORGET_PLACES, MEMORIES, Files
from afterword.pipeline.operations.forget.seal import digest, seal, unseal


def erase(files: Files, found: RowsToErase, key: bytes, now: datetime) -> None:
    """Erase the found rows, and the memories that were derived from them meanwhile.

    The texts of the instance file are sealed before they are erased: a kill between the two files
    leaves them to `erase_notes`.
    """
    notes = {
        place: _words_of(files.instance, place, ids)
        for place, ids in found.places.items()
        if place.file == "instance"
    }
    with writing(files.group) as conn:
        conn.exec_driver_sql("PRAGMA secure_delete = ON")
        rows_said: list[list[str]] = []
        for place, ids in found.places.items():
            if place in notes:
                held = notes[place]
                _record(conn, place, held, {}, key, now)
            else:
                if place is MEMORIES:
                    ids = rows.with_descendants(conn, ids)
                held = _erase_place(conn, place, ids, key, now)
            rows_said += held.values()
        rows.keep_sealed(conn, now, seal(key, _packed(rows_said)))
    emit("forget.erased", group=files.group.name, rows=len(rows_said))
    erase_notes(files.instance, [said for held in notes.values() for said in held.values()])


def erase_notes(instance: Store, erased: Sequence[Sequence[str]]) -> None:
    """Erase the texts of the instance file that equal an erased one; a second time does nothing.

    Args:
        erased: the texts of each erased row, of both files.
    """
    if not erased:
        return
    texts = [text for said in erased for text in said]
    with writing(instance) as conn:
        conn.exec_driver_sql("PRAGMA secure_delete = ON")
        for place in FORGET_PLACES:
            if place.file == "instance":
                rows.erase_equal(conn, place, texts)


def owed(conn: Connection, key: bytes) -> tuple[list[int], list[list[str]]]:
    """Return the ids of the erasures without a proof, and the texts of each erased row.

    Raises:
        CorruptStoreError: the key that sealed them is missing.
    """
    sealed = rows.unproved(conn)
    return list(sealed), [said for one in sealed.values() for said in _unpacked(unseal(key, one))]


def _erase_place(
    conn: Connection, place: ForgetPlace, ids: Sequence[int], key: bytes, now: datetime
) -> dict[int, list[str]]:
    """Erase rows of the group's file, and return the texts of each."""
    held = _held(conn, place, ids)
    uids = rows.uids(conn, ids) if place is MEMORIES else {}
    rows.erase(conn, place, list(held))
    _record(conn, place, held, uids, key, now)
    return held


def _words_of(instance: Store, place: ForgetPlace, ids: Sequence[int]) -> dict[int, list[str]]:
    with reading(instance) as conn:
        return _held(conn, place, ids)


def _held(conn: Connection, place: ForgetPlace, ids: Sequence[int]) -> dict[int, list[str]]:
    return {
        row_id: words_of(place, cells, names=False)
        for row_id, cells in rows.cells(conn, place, ids)
    }


def _record(
    conn: Connection,
    place: ForgetPlace,
    held: Mapping[int, list[str]],
    uids: Mapping[int, str],
    key: bytes,
    now: datetime,
) -> None:
    """Write a line to the audit log of the group, with a digest of each row."""
    touched = [
        ChangedRow(
            row_id,
            detail={"digest": digest(key, "\n".join(words))}
            | ({"uid": uids[row_id]} if row_id in uids else {}),
        )
        for row_id, words in held.items()
    ]
    record(conn, now, "owner", "forget.erase", place.table, touched)


def _packed(rows_said: list[list[str]]) -> bytes:
    return zlib.compress(json.dumps(rows_said).encode())


def _unpacked(packed: bytes) -> list[list[str]]:
    found: list[list[str]] = json.loads(zlib.decompress(packed))
    return found

"""SQL that writes decisions, what their prompts held, and the keys they are filed under."""

import json
from collections.abc import Mapping, Sequence
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.core.store import driver_cursor, run_sql
from afterword.pipeline.core.store.codec import Codec
from afterword.pipeline.domain.decisions.frozen_context import FrozenJson
from afterword.pipeline.domain.decisions.model import NewDecisionRow
from afterword.pipeline.rules.market.symbols import normalise_symbol

_KEEP_CONTEXTS: Final = """
INSERT INTO decision_contexts (hash, body, known_at)
SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?) WHERE true
ON CONFLICT (hash) DO NOTHING
"""
_NEW: Final = Codec(NewDecisionRow, given=("context", "supersedes", "at", "first_look_hours"))
# One by one: SQLite reads a JSON list anew for each of its values.
_INSERT: Final = _NEW.insert(
    "role_memory",
    *("context_hash", "measure_at", "state_at"),
    otherwise="ON CONFLICT (role_id, record_key) DO NOTHING RETURNING id",
)
_SUPERSEDE: Final = """
UPDATE role_memory SET superseded_by = :successor, superseded_at = :at
WHERE id = :id AND superseded_at IS NULL
"""
_CORRECT: Final = """
UPDATE role_memory SET corrected_at = :at, superseded_at = coalesce(superseded_at, :at),
  superseded_by = iif(superseded_at IS NULL, :successor, superseded_by)
WHERE id = :id AND corrected_at IS NULL
"""
_KEEP_SET: Final = """
INSERT INTO lesson_sets (digest, body, known_at) VALUES (?, ?, ?) ON CONFLICT (digest) DO NOTHING
"""
_KEEP_PROMPT: Final = """
INSERT INTO lesson_prompts (role_id, occasion, place, digest, asked_at) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (role_id, occasion) DO UPDATE
SET place = excluded.place, digest = excluded.digest, asked_at = excluded.asked_at
"""
_KEYS: Final = "SELECT DISTINCT asset, asset_key FROM role_memory WHERE asset IS NOT NULL"
_MISFILED: Final = """
SELECT role_memory.id, row.value ->> 1
FROM json_each(?) AS row JOIN role_memory ON role_memory.asset = row.value ->> 0
WHERE role_memory.asset_key <> row.value ->> 1
ORDER BY role_memory.id
"""
_FILE: Final = """
UPDATE role_memory SET asset_key = row.value ->> 1
FROM json_each(?) AS row WHERE role_memory.id = row.value ->> 0
"""


def insert(conn: Connection, rows: Sequence[NewDecisionRow]) -> dict[str, int]:
    """Insert dated decisions and their contexts; return the ids of the new ones by uid."""
    first_known: dict[FrozenJson, int] = {}
    for row in rows:
        if row.context is not None:
            assert row.known_at is not None, "the row is dated"
            known_at = first_known.get(row.context, row.known_at)
            first_known[row.context] = min(known_at, row.known_at)
    if first_known:
        bodies = [[*context, known_at] for context, known_at in sorted(first_known.items())]
        run_sql(conn, _KEEP_CONTEXTS, (json.dumps(bodies, ensure_ascii=False),))
    cursor, ids = driver_cursor(conn), {}
    for row in rows:
        values = (*_NEW.write(row), row.context_hash, row.measure_at, row.known_at)
        cursor.execute(_INSERT, values)
        for (row_id,) in cursor.fetchall():
            ids[row.uid] = row_id
    return ids


def supersede(conn: Connection, decision_id: int, successor: int, at: int) -> bool:
    """Replace a decision by its successor; False if it was replaced before."""
    values = {"id": decision_id, "successor": successor, "at": at}
    return run_sql(conn, _SUPERSEDE, values).rowcount == 1


def correct(conn: Connection, decision_id: int, successor: int | None, at: int) -> bool:
    """Let a decision count no more, since its trip says otherwise; False if it did so before.

    Args:
        successor: made from what the trip says now; None if it says nothing that can be judged.
    """
    values = {"id": decision_id, "successor": successor, "at": at}
    return run_sql(conn, _CORRECT, values).rowcount == 1


def keep_set(conn: Connection, digest: str, body: str, now: int) -> None:
    """Write a set of lessons, unless the same content is there; microseconds."""
    run_sql(conn, _KEEP_SET, (digest, body, now))


def keep_prompt(
    conn: Connection, role_id: str, occasion: str, place: int, digest: str, now: int
) -> None:
    """Write which set the next decision of a role was told; microseconds."""
    run_sql(conn, _KEEP_PROMPT, (role_id, occasion, place, digest, now))


def misfiled_decisions(conn: Connection) -> dict[int, str]:
    """Return the decisions whose asset has another key than the stored one, with that key."""
    rows = [
        (asset, normalise_symbol(asset))
        for asset, key in run_sql(conn, _KEYS).fetchall()
        if normalise_symbol(asset) != key
    ]
    return dict(run_sql(conn, _MISFILED, (json.dumps(rows, ensure_ascii=False),)).fetchall())


def file_decisions(conn: Connection, keys: Mapping[int, str]) -> None:
    """File decisions, by row id, under their keys."""
    run_sql(conn, _FILE, (json.dumps(list(keys.items()), ensure_ascii=False),))

"""SQL over what was observed."""

import json
from collections.abc import Iterable, Sequence
from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.clock import from_micros
from afterword.pipeline.domain.preferences.model import PreferenceObservation, StoredObservation

_FIELDS: Final = (
    "id, dimension, value, kind, seen_in, stretch, is_against, times, evidence, known_at"
)
_CURRENT = text(f"""
SELECT {_FIELDS} FROM preference_observations WHERE superseded_at IS NULL
ORDER BY dimension, stretch, id
""")
_CURRENT_AT = text(f"""
SELECT {_FIELDS} FROM preference_observations
WHERE known_at <= :as_of AND (superseded_at IS NULL OR superseded_at > :as_of)
ORDER BY dimension, stretch, id
""")
_END = text("""
UPDATE preference_observations SET superseded_at = max(:now, known_at)
WHERE id IN (SELECT value FROM json_each(:ids)) AND superseded_at IS NULL
""")
_ADD = text("""
INSERT INTO preference_observations (dimension, value, kind, seen_in, stretch, is_against, times,
  evidence, known_at)
VALUES (:dimension, :value, :kind, :seen_in, :stretch, :is_against, :times, :evidence, :now)
""")


def current(conn: Connection, as_of: int | None = None) -> list[StoredObservation]:
    """Return the observations that stand, or stood at a moment (microseconds)."""
    statement = _CURRENT if as_of is None else _CURRENT_AT
    return [_read(row) for row in conn.execute(statement, {"as_of": as_of})]


def end(conn: Connection, ids: Iterable[int], now: int) -> None:
    """End observations (microseconds): their stretch looks otherwise."""
    conn.execute(_END, {"ids": json.dumps(list(ids)), "now": now})


def add(conn: Connection, observations: Sequence[PreferenceObservation], now: int) -> None:
    """Add observations that stand from now on (microseconds)."""
    rows = [
        one._asdict() | {"evidence": json.dumps(one.evidence), "now": now} for one in observations
    ]
    if rows:
        conn.execute(_ADD, rows)


def _read(row: Sequence[object]) -> StoredObservation:
    row_id, *fields, known_at = row
    dimension, value, kind, seen_in, stretch, is_against, times, evidence = fields
    seen = PreferenceObservation(
        dimension,  # type: ignore[arg-type]
        value,  # type: ignore[arg-type]
        kind,  # type: ignore[arg-type]
        seen_in,  # type: ignore[arg-type]
        stretch,  # type: ignore[arg-type]
        bool(is_against),
        times,  # type: ignore[arg-type]
        tuple((thing, name) for thing, name in json.loads(evidence)),  # type: ignore[arg-type]
    )
    return StoredObservation(row_id, seen, from_micros(known_at))  # type: ignore[arg-type]

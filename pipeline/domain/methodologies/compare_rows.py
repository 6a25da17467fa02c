"""SQL that finds a stored methodology which may say the same as a new one."""

import json
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.core.store import driver_cursor
from afterword.pipeline.core.store.codec import Codec
from afterword.pipeline.domain.methodologies.checks import PHASES
from afterword.pipeline.domain.methodologies.model import MethodPhase, RecognisedBy
from afterword.pipeline.domain.methodologies.term_index import TermIndex


class ComparedRow(NamedTuple):
    """A stored methodology that a new one may repeat.

    Args:
        is_clean: whether the injection scan found nothing, or the owner cleared it.
    """

    id: int
    uid: str
    methodology: str
    phases: tuple[MethodPhase, ...]
    indicators: tuple[str, ...]
    is_clean: bool
    merged_into: int | None


_INSERT_TERM: Final = """
INSERT INTO methodology_terms (asset_class, direction, timeframe, term, methodology_id, weight)
VALUES (?, ?, ?, ?, ?, ?)
"""
_ROW: Final = Codec(
    ComparedRow,
    names={"is_clean": "injection = '[]' OR injection_cleared_at IS NOT NULL"},
    flags=("is_clean",),
    items=("indicators",),
    codings={"phases": PHASES},
)
_COMPARED: Final = f"SELECT {_ROW.columns} FROM methodologies AS m"
_OF_KEY = text(
    f"{_COMPARED} WHERE m.dedup_key = :dedup_key AND m.deleted_at IS NULL"
    " AND m.source <> 'placebo' ORDER BY m.id"
)
_OF_LENGTH = text(f"""
{_COMPARED}
WHERE m.id IN (SELECT methodology_id FROM methodology_terms WHERE asset_class = :asset_class
    AND direction = :direction AND timeframe = :timeframe AND term = 0)
  AND length(m.methodology) BETWEEN :shortest AND :longest
ORDER BY m.id
""")
_OF_IDS = text(f"{_COMPARED} WHERE m.id IN (SELECT value FROM json_each(:ids))")
_IN_GROUP: Final = (
    "t.asset_class = :asset_class AND t.direction = :direction AND t.timeframe = :timeframe"
)
_INDEX: Final = TermIndex("methodology_terms", "methodology_id", _IN_GROUP)
_SIGHTED = text("""
SELECT s.methodology_id, m.uid, s.digest, s.recognised_by, s.likeness
FROM methodology_sightings AS s JOIN methodologies AS m ON m.id = s.methodology_id
WHERE s.record_key = :key
""")
_SURVIVOR = text("SELECT merged_into, deleted_at FROM methodologies WHERE id = :id")


class SightedRow(NamedTuple):
    """What an earlier sighting under a key was recognised as."""

    id: int
    uid: str
    digest: str
    recognised_by: RecognisedBy
    likeness: float | None


class TermGroup(NamedTuple):
    """The methodologies that are compared with each other: only these may be the same."""

    asset_class: str
    direction: str
    timeframe: str


def insert_terms(
    conn: Connection, methodology_id: int, group: TermGroup, weights: Mapping[int, float]
) -> None:
    """Store the weights of the words by which a methodology is recognised."""
    rows = [(*group, term, methodology_id, weight) for term, weight in weights.items()]
    driver_cursor(conn).executemany(_INSERT_TERM, rows)


def of_dedup_key(conn: Connection, dedup_key: str) -> list[ComparedRow]:
    """Return the methodologies with the same structured fields, the first one first."""
    return [_ROW.read(row) for row in conn.execute(_OF_KEY, {"dedup_key": dedup_key})]


def of_ids(conn: Connection, ids: Sequence[int]) -> dict[int, ComparedRow]:
    """Return methodologies by their ids, as they are compared."""
    rows = conn.execute(_OF_IDS, {"ids": json.dumps(list(ids))})
    return {row.id: _ROW.read(row) for row in rows}


def without_words(
    conn: Connection, group: TermGroup, shortest: int, longest: int
) -> list[ComparedRow]:
    """Return the methodologies of a group whose texts have no words, of some lengths."""
    values = group._asdict() | {"shortest": shortest, "longest": longest}
    return [_ROW.read(row) for row in conn.execute(_OF_LENGTH, values)]


def alike(
    conn: Connection, group: TermGroup, query: Mapping[int, float], least: float, most: int
) -> list[tuple[int, float]]:
    """Return the ids of the most alike methodologies of a group, with their cosine.

    Args:
        query: the weights of the new text.
        least: the smallest cosine.
    """
    return _INDEX.alike(conn, group._asdict(), query, least, most)


def sighted(conn: Connection, key: str) -> SightedRow | None:
    """Return what was recognised under a key."""
    row = conn.execute(_SIGHTED, {"key": key}).one_or_none()
    return None if row is None else SightedRow(*row)


def survivor(conn: Connection, methodology_id: int) -> int | None:
    """Return the methodology that goes on for one; None if that is deleted."""
    at: int | None = methodology_id
    while at is not None:
        merged_into, deleted_at = conn.execute(_SURVIVOR, {"id": at}).one()
        if deleted_at is not None:
            return None
        if merged_into is None:
            return at
        at = merged_into
    return None

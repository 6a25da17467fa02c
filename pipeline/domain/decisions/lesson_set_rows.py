"""SQL over the sets of lessons that prompts held, and what the next decision was told."""

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.core.store import driver_cursor

if TYPE_CHECKING:
    from afterword.pipeline.domain.decisions.lesson_sets import Occasion, ToldLessons

_IS_ANY: Final = "SELECT EXISTS (SELECT 1 FROM lesson_prompts)"
_TOLD: Final = """
SELECT p.role_id, p.occasion, p.place, s.body
FROM json_each(?) AS asked
CROSS JOIN lesson_prompts AS p ON p.role_id = asked.value ->> 0 AND p.occasion = asked.value ->> 1
JOIN lesson_sets AS s ON s.digest = p.digest
"""
_KEEP_SET: Final = """
INSERT INTO lesson_sets (digest, body, known_at) VALUES (?, ?, ?) ON CONFLICT (digest) DO NOTHING
"""
_KEEP: Final = """
INSERT INTO lesson_prompts (role_id, occasion, place, digest, asked_at) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (role_id, occasion) DO UPDATE
SET place = excluded.place, digest = excluded.digest, asked_at = excluded.asked_at
"""
_BODIES: Final = """
SELECT digest, body FROM lesson_sets WHERE digest IN (SELECT value FROM json_each(?))
"""
_CITED: Final = """
SELECT id, lessons_hash FROM role_memory INDEXED BY role_memory_lesson_sets
WHERE role_id = ? AND lessons_hash IS NOT NULL
"""


class ToldRow(NamedTuple):
    """What is kept under an occasion.

    Args:
        place: see `Occasion`.
        body: of the set; JSON.
    """

    place: int
    body: str


def is_any_told(conn: Connection) -> bool:
    """Return whether anything was ever told: without it no decision is looked up."""
    cursor = driver_cursor(conn)
    cursor.execute(_IS_ANY)
    (is_any,) = cursor.fetchone() or (0,)
    return bool(is_any)


def told(conn: Connection, asked: Sequence[tuple[str, str]]) -> dict[tuple[str, str], ToldRow]:
    """Return what is kept, by role and name of the occasion."""
    cursor = driver_cursor(conn)
    cursor.execute(_TOLD, (json.dumps(sorted(set(asked))),))
    return {(role, name): ToldRow(place, body) for role, name, place, body in cursor.fetchall()}


def keep_set(conn: Connection, told: "ToldLessons", now: int) -> None:
    """Write a set, unless the same content is there; microseconds."""
    driver_cursor(conn).execute(_KEEP_SET, (told.digest, told.body, now))


def keep(
    conn: Connection, role_id: str, occasion: "Occasion", told: "ToldLessons", now: int
) -> None:
    """Write what the next decision of a role was told; microseconds."""
    keep_set(conn, told, now)
    values = role_id, occasion.name, occasion.place, told.digest, now
    driver_cursor(conn).execute(_KEEP, values)


def bodies(conn: Connection, digests: Iterable[str]) -> dict[str, str]:
    """Return the bodies of sets by their digests."""
    cursor = driver_cursor(conn)
    cursor.execute(_BODIES, (json.dumps(sorted(set(digests))),))
    return dict(cursor.fetchall())


def cited(conn: Connection, role_id: str) -> dict[int, str]:
    """Return the digests that the decisions of a role keep, by the id of the decision."""
    cursor = driver_cursor(conn)
    cursor.execute(_CITED, (role_id,))
    return dict(cursor.fetchall())

"""SQL of the words by which a learning is found."""

from collections.abc import Mapping
from typing import Final, Literal

from sqlalchemy import Connection

from afterword.pipeline.core.store import driver_cursor
from afterword.pipeline.domain.methodologies.term_index import TermIndex

TermPart = Literal["trigger", "procedure"]
"""The words of the trigger alone, or with the tools."""

_INSERT: Final = "INSERT INTO learning_terms (part, term, learning_id, weight) VALUES (?, ?, ?, ?)"
_INDEX: Final = TermIndex("learning_terms", "learning_id", "t.part = :part")


def insert_terms(
    conn: Connection, learning_id: int, part: TermPart, weights: Mapping[int, float]
) -> None:
    """Store the weights of the words of a learning."""
    rows = [(part, term, learning_id, weight) for term, weight in weights.items()]
    driver_cursor(conn).executemany(_INSERT, rows)


def alike(
    conn: Connection, part: TermPart, query: Mapping[int, float], least: float, most: int
) -> list[tuple[int, float]]:
    """Return the ids of the most alike learnings, deleted ones too, with their cosine."""
    return _INDEX.alike(conn, {"part": part}, query, least, most) if query else []

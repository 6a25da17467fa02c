"""Search memories by text; whatever the text, the answer is a list."""

from typing import Final

from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

from pipeline.memory.checks import check_limit, check_word
from pipeline.memory.model import CATEGORIES, Memory
from pipeline.memory.rows import recent
from pipeline.recall.contains import contain
from pipeline.recall.fts import match
from pipeline.recall.model import Hit
from pipeline.recall.query import any_of, is_unspaced, pieces, readable, uses_syntax, words
from pipeline.store import Store, reading

MAX_HITS: Final = 100
"""Hits of one search (R4)."""


def search(
    store: Store,
    query: str,
    *,
    limit: int = 20,
    category: str | None = None,
    include_superseded: bool = False,
) -> list[Hit]:
    """Find memories, the most relevant first; deleted ones never.

    Args:
        query: any text; the first 500 characters are read. Empty: the memories last updated.
        limit: up to `MAX_HITS`.
        category: only memories of this one.
        include_superseded: also what was replaced since.

    Raises:
        InvalidInputError: no such category, or a limit out of range; never because of the query.
    """
    check_limit(limit, MAX_HITS)
    if category is not None:
        check_word(category, CATEGORIES, "category")
    asked = readable(query)
    with reading(store) as conn:
        if not asked:
            return [Hit(row, 0, 0) for row in recent(conn, category, limit, include_superseded)]
        return _scaled(_find(conn, asked, category, include_superseded, limit))


def _find(
    conn: Connection, asked: str, category: str | None, include_superseded: bool, limit: int
) -> list[tuple[Memory, float]]:
    if not is_unspaced(asked):
        if uses_syntax(asked):
            try:
                return match(conn, asked, category, include_superseded, limit)
            except OperationalError:
                pass  # malformed: its words still say what is meant
        plain = words(asked)
        found = plain and match(conn, any_of(plain), category, include_superseded, limit)
        if found:
            return found
    return contain(conn, pieces(asked), category, include_superseded, limit)


def _scaled(found: list[tuple[Memory, float]]) -> list[Hit]:
    best = max((score for _, score in found), default=1.0)
    return [Hit(memory, score, score / best) for memory, score in found]

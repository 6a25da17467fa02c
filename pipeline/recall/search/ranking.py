"""Every memory a question finds, in order: gather who holds what, weigh it, put it together."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

from afterword.pipeline.core.store import Store
from afterword.pipeline.recall.search import rows
from afterword.pipeline.recall.search.fts import holders
from afterword.pipeline.recall.search.fusion import boost, first, fused
from afterword.pipeline.recall.search.ids import Ids
from afterword.pipeline.recall.search.language import read_language, uses_language
from afterword.pipeline.recall.search.model import ArmScores, Fusion, Scope
from afterword.pipeline.recall.search.neighbours import Flags, Places, places
from afterword.pipeline.recall.search.query import MAX_TERMS, Term, terms
from afterword.pipeline.recall.search.scoring import (
    Arm,
    Floats,
    TermPostings,
    by_meaning,
    by_words,
    weight,
)
from afterword.pipeline.rules.entities.entities import extract_entities

BEST: Final = 60
"""Rows at the top whose text is read for assets while their edges are not there yet."""

LIKELY: Final = 500
"""Rows at the top that are asked whether they are in scope, before every row is."""

NEAREST: Final = 200
"""Rows nearest in meaning that count; the last of them marks where nearness begins."""


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """What a question found.

    Args:
        score: final scores by id; 0 for what is not found.
        fused: scores by id before the boost.
        overlap: by id, how many of the question's entities the memory is about.
        terms: what was asked for, and who holds it.
        alive: by id, whether a reader sees the row.
        fits: by id, whether the query's own conditions (phrase, NOT, …) hold; None: it has none.
    """

    score: Floats
    fused: Floats
    overlap: Ids
    arms: tuple[Arm, ...]
    terms: tuple[TermPostings, ...]
    places: Places
    alive: Flags
    fits: Flags | None

    @property
    def is_empty(self) -> bool:
        """Say whether no memory holds a word of what was asked, in whatever scope."""
        return self.fits is None and not self.score.any()


def rank(
    store: Store,
    conn: Connection,
    asked: str,
    include_superseded: bool,
    as_of: int | None,
    fusion: Fusion,
    similar: ArmScores | None,
) -> Ranking:
    """Return every memory that fits a question, whatever its category, session or time.

    Args:
        as_of: microseconds; only what was known and stood then is looked at, in all statistics.
        similar: the nearest in meaning, best first; None without an embedder.
    """
    around = places(store, conn)
    alive = around.exists.copy()
    gone = rows.gone(conn, as_of, include_superseded)
    alive[gone[gone <= around.top]] = False
    wanted, fits = _read(conn, asked, around)
    held = _held(conn, wanted, alive)
    arms = [by_words(held, around, alive)]
    if similar is not None and len(similar.ids):
        arms.append(by_meaning(similar, NEAREST, around, alive))
    together = fused(arms, fusion)
    if fits is not None:
        together = together * fits
    overlap = _overlap(conn, asked, together)
    score = together * boost(overlap) if overlap.any() else together
    return Ranking(score, together, overlap, tuple(arms), held, around, alive, fits)


def best(
    conn: Connection, ranking: Ranking, scope: Scope, as_of: int | None, limit: int
) -> list[int]:
    """Return the ids of the first memories in scope, best first."""
    if scope.is_open:
        return [int(row_id) for row_id in first(ranking.score, limit)]
    likely = first(ranking.score, LIKELY)
    inside = rows.let_through(conn, likely, scope, as_of)
    if len(inside) >= limit or len(likely) < LIKELY:
        return [int(row_id) for row_id in likely if int(row_id) in inside][:limit]
    return [int(row_id) for row_id in first(scores_in(conn, ranking, scope, as_of), limit)]


def scores_in(conn: Connection, ranking: Ranking, scope: Scope, as_of: int | None) -> Floats:
    """Return the scores by id, 0 for what is not in scope."""
    inside = np.zeros(len(ranking.score), np.bool_)
    inside[rows.in_scope(conn, scope, as_of)] = True
    return ranking.score * inside


def _read(conn: Connection, asked: str, around: Places) -> tuple[Sequence[Term], Flags | None]:
    """Return the terms of a query, and who meets its conditions where it has any."""
    plain = terms(asked)
    if not uses_language(asked):
        return plain, None
    wanted = read_language(asked)
    found = _matching(conn, wanted.expression)
    if found is None:  # its phrases and words still say what is meant
        both = {term.expression: term for term in (*wanted.terms, *plain)}
        return tuple(both.values())[:MAX_TERMS], None
    fits = np.zeros(around.top + 1, np.bool_)
    fits[found] = True
    return wanted.terms, fits


def _matching(conn: Connection, expression: str | None) -> Ids | None:
    """Return who fits an expression, or None if it is malformed or asks for nothing."""
    if not expression:
        return None
    try:
        return holders(conn, [expression])[0]
    except OperationalError:
        return None


def _held(conn: Connection, asked: Sequence[Term], alive: Flags) -> tuple[TermPostings, ...]:
    """Return who of the living holds each term, and what it tells among them."""
    count = int(np.count_nonzero(alive))
    held = []
    for term, ids in zip(asked, holders(conn, [term.expression for term in asked]), strict=True):
        if term.spans:
            ids = np.union1d(ids, rows.happened(conn, term.spans))
        ids = ids[alive[ids]]
        if len(ids):
            held.append(TermPostings(term.name, ids, weight(count, len(ids))))
    return tuple(held)


def _overlap(conn: Connection, asked: str, score: Floats) -> Ids:
    """Return, by id, how many of the assets, chains and addresses asked about a memory names."""
    overlap = np.zeros(len(score), np.int64)
    entities = extract_entities(asked)
    if not entities:
        return overlap
    for named in rows.naming(conn, entities):
        overlap[np.unique(named[named < len(score)])] += 1
    for row_id, content in rows.without_edges(conn, first(score, BEST)):
        overlap[row_id] = len(set(entities) & set(extract_entities(content)))
    return overlap

"""Rank every memory that fits a query: find postings, score the arms, fuse them, boost assets."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

from afterword.pipeline.core.store import Store
from afterword.pipeline.domain.vectors.rows import find_model
from afterword.pipeline.recall.search import rows
from afterword.pipeline.recall.search.fts import matching
from afterword.pipeline.recall.search.fusion import boost, fused, top
from afterword.pipeline.recall.search.ids import Ids
from afterword.pipeline.recall.search.language import read_language, uses_language
from afterword.pipeline.recall.search.model import ArmScores, Scope
from afterword.pipeline.recall.search.near_words import near_terms
from afterword.pipeline.recall.search.neighbours import Flags, Neighbours, neighbours_of
from afterword.pipeline.recall.search.options import SearchOptions
from afterword.pipeline.recall.search.query import MAX_TERMS, Term, terms
from afterword.pipeline.recall.search.scoring import (
    Arm,
    Floats,
    TermPostings,
    by_meaning,
    by_words,
    idf,
)
from afterword.pipeline.recall.search.vectors import VectorIndex
from afterword.pipeline.rules.entities.entities import extract_entities

BEST: Final = 60
"""Best-ranked rows whose text is read for assets while their edges are not there yet."""

LIKELY: Final = 500
"""Best-ranked rows that are checked against the scope, before every row is."""

NEAREST: Final = 200
"""Rows nearest in meaning that count; the last of them marks where nearness begins."""


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """Every memory that fits a query, whatever its category, session or time; arrays are by id.

    Args:
        score: final scores; 0 for what is not found.
        fused: scores before the boost.
        overlap: how many of the query's entities the memory is about.
        relevance: how much of the query each covers, 0 to 1, by words and meaning together.
        terms: the query's terms, with the memories that contain each, if any.
        visible: whether a read sees the row.
        matches: whether the query's own conditions (phrase, NOT, …) hold; None: it has none.
    """

    score: Floats
    fused: Floats
    overlap: Ids
    relevance: Floats
    arms: tuple[Arm, ...]
    terms: tuple[TermPostings, ...]
    neighbours: Neighbours
    visible: Flags
    matches: Flags | None

    @property
    def is_empty(self) -> bool:
        """Say whether no memory contains a word of the query, in whatever scope."""
        return self.matches is None and not self.fused.any()

    @property
    def fits_itself(self) -> Flags:
        """Say by id whether the row itself fits, and not only what stands beside it."""
        fits = np.zeros(len(self.score), np.bool_)
        for arm in self.arms:
            fits[arm.ids[arm.own > 0]] = True
        return fits


def rank(
    store: Store,
    conn: Connection,
    query: str,
    vector: bytes | None,
    scope: Scope,
    options: SearchOptions,
    as_of: int | None,
) -> Ranking:
    """Return every memory that fits a query.

    Args:
        vector: the query's vector, from `embed_query`.
        scope: whether superseded rows count; the rest of it is applied by `best`.
        as_of: microseconds; only what was known and visible then counts, in all statistics.
    """
    neighbours = neighbours_of(store, conn)
    visible = neighbours.exists.copy()
    hidden = rows.hidden_ids(conn, scope, as_of)
    visible[hidden[hidden <= neighbours.top]] = False
    wanted, matches = _read(conn, query, neighbours)
    postings = _postings(conn, wanted, visible)
    if not any(len(term.ids) for term in postings):
        near = _postings(conn, near_terms(conn, wanted), visible)
        # A near word that only later or hidden memories contain is none of this moment.
        postings += tuple(term for term in near if len(term.ids))
    arms = [by_words(postings, neighbours, visible)]
    similar = _similar(conn, vector, options, as_of)
    if similar is not None and len(similar.ids):
        arms.append(by_meaning(similar, NEAREST, neighbours, visible))
    together = fused(arms, options.fusion)
    if matches is not None:
        together = together * matches
    overlap = _overlap(conn, query, together)
    score = together * boost(overlap) if overlap.any() else together
    relevance = relevance_of(arms)
    if options.min_relevance > 0:
        score = score * (relevance >= options.min_relevance)
    return Ranking(
        *(score, together, overlap, relevance, tuple(arms)),
        *(postings, neighbours, visible, matches),
    )


def relevance_of(arms: Sequence[Arm]) -> Floats:
    """Return by id how much of a query a row covers: of what one arm leaves, the next may cover."""
    uncovered = np.ones(len(arms[0].score))
    for arm in arms:
        uncovered[arm.ids] *= 1 - arm.relevance
    return 1 - uncovered


def best(
    conn: Connection, ranking: Ranking, scope: Scope, options: SearchOptions, as_of: int | None
) -> list[int]:
    """Return the ids of the first memories in scope, best first."""
    limit = options.limit
    if scope.is_open:
        return [int(row_id) for row_id in top(ranking.score, limit)]
    likely = top(ranking.score, LIKELY)
    inside = rows.some_in_scope(conn, likely, scope, as_of)
    if len(inside) >= limit or len(likely) < LIKELY:
        return [int(row_id) for row_id in likely if int(row_id) in inside][:limit]
    return [int(row_id) for row_id in top(scores_in(conn, ranking, scope, as_of), limit)]


def scores_in(conn: Connection, ranking: Ranking, scope: Scope, as_of: int | None) -> Floats:
    """Return the scores by id, 0 for what is not in scope."""
    inside = np.zeros(len(ranking.score), np.bool_)
    inside[rows.in_scope(conn, scope, as_of)] = True
    return ranking.score * inside


def _similar(
    conn: Connection, vector: bytes | None, options: SearchOptions, as_of: int | None
) -> ArmScores | None:
    """Return the memories nearest in meaning; None where there is no vector to compare with."""
    if options.embedder is None or vector is None:
        return None
    model_id = find_model(conn, options.embedder)
    if model_id is None:
        return None
    index = options.index or VectorIndex()
    return index.similar(conn, model_id, vector, as_of, NEAREST)


def _read(
    conn: Connection, query: str, neighbours: Neighbours
) -> tuple[Sequence[Term], Flags | None]:
    """Return the terms of a query, and which rows meet its conditions where it has any."""
    plain = terms(query)
    if not uses_language(query):
        return plain, None
    wanted = read_language(query)
    ids = _matching(conn, wanted.expression)
    if ids is None:  # its phrases and words still say what is meant
        both = {term.expression: term for term in (*wanted.terms, *plain)}
        return tuple(both.values())[:MAX_TERMS], None
    matches = np.zeros(neighbours.top + 1, np.bool_)
    matches[ids] = True
    return wanted.terms, matches


def _matching(conn: Connection, expression: str | None) -> Ids | None:
    """Return which rows match an expression; None if it is malformed or empty."""
    if not expression:
        return None
    try:
        return matching(conn, [expression])[0]
    except OperationalError:
        return None


def _postings(conn: Connection, wanted: Sequence[Term], visible: Flags) -> tuple[TermPostings, ...]:
    """Return, per term, the visible memories that contain it, if any, and its IDF weight."""
    count = int(np.count_nonzero(visible))
    postings = []
    matches = matching(conn, [term.expression for term in wanted])
    for term, ids in zip(wanted, matches, strict=True):
        if term.spans:
            ids = np.union1d(ids, rows.happened(conn, term.spans))
        ids = ids[visible[ids]]
        postings.append(TermPostings(term.name, ids, idf(count, len(ids))))
    return tuple(postings)


def _overlap(conn: Connection, query: str, score: Floats) -> Ids:
    """Return, by id, how many of the query's assets, chains and addresses a memory names."""
    overlap = np.zeros(len(score), np.int64)
    entities = extract_entities(query)
    if not entities:
        return overlap
    for named in rows.naming(conn, entities):
        overlap[np.unique(named[named < len(score)])] += 1
    for row_id, content in rows.without_edges(conn, top(score, BEST)):
        overlap[row_id] = len(set(entities) & set(extract_entities(content)))
    return overlap

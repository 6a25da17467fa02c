"""Contextual BM25 scoring: the row itself, its neighbouring turns, its session.

A sentence in a conversation relies on the sentences before it, so a memory is also found by the
words of its neighbours. A term counts by how few memories contain it (the inverse document
frequency of BM25). Term frequency and length are left out: they say nothing about memories of one
or two sentences. What a document contains counts for less, in itself and for what stands beside it:
no row comes before a document by the words of the document.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log
from typing import Final

import numpy as np
from numpy.typing import NDArray

from afterword.pipeline.recall.search.ids import Ids
from afterword.pipeline.recall.search.model import ArmScores
from afterword.pipeline.recall.search.neighbours import LONG_CHARS, Flags, Neighbours

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float64]

FAR: Final = 0.5
"""Weight of a term two rows away; in the row before or after it counts in full."""

ANSWER: Final = 0.25
"""Share of a question's score that its answer gets: the question says what it is about."""

LONGER: Final = (LONG_CHARS, 4 * LONG_CHARS, 16 * LONG_CHARS)
"""Lengths of documents; characters. Beyond each of them a row counts for less."""

LONGER_SHARE: Final = 0.75
"""Share that is left beyond each of these lengths."""

EQUAL: Final = (1.0, 1.0, 1.0)
"""Weights of row, neighbours and session in the arm by words."""

LESS_BY_MEANING: Final = (0.75, 0.375, 0.375)
"""The same in the arm by meaning, half of it in all: a model knows less of a collection than its
words do, and more of a row than of what stands beside it.  Chosen by leaving out one conversation
of LoCoMo at a time (`python -m benchmarks.relevance`)."""

UNSAID: Final = 0.5
"""Terms that a query is taken to have beside its own, and that no memory contains: who asks by one
word says little, so a row that contains it is not sure to be meant."""


@dataclass(frozen=True, slots=True, eq=False)
class TermPostings:
    """A term and the memories that contain it.

    Args:
        ids: the visible memories that contain it, each once.
        weight: its inverse document frequency.
    """

    name: str
    ids: Ids
    weight: float


@dataclass(frozen=True, slots=True, eq=False)
class Arm:
    """What one arm of a search found: by words or by meaning.

    Args:
        ids: the rows that fit, or have a neighbour that does, ascending, (n,).
        own: score of the row itself, where the best memory has the arm's weight, (n,); `window`
            likewise of the row with its neighbours, `session` of its session.
        answer: score received from the question before it, (n,).
        score: the sum, by id; 0 for rows not found, (top + 1,).
        relevance: how much of the query the row covers, 0 to 1, whatever else was found, (n,).
    """

    name: str
    ids: Ids
    own: Floats
    window: Floats
    session: Floats
    answer: Floats
    score: Floats
    relevance: Floats


def idf(rows: int, containing: int) -> float:
    """Return the inverse document frequency of a term.

    Args:
        rows: visible memories; count.
        containing: those of them that contain the term; count.

    Source: the inverse document frequency of BM25, with one added so that it is never negative
    (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009).
    """
    return log(1 + (rows - containing + 0.5) / (containing + 0.5))


def by_words(terms: Sequence[TermPostings], neighbours: Neighbours, visible: Flags) -> Arm:
    """Score memories by the terms that they, their neighbours or their sessions contain.

    A row's relevance is the share of the query's information that it covers: the weight of the
    terms within it, and, counted for less, beside it, over the weight of all.

    Args:
        terms: those of the query, with those that no memory contains.
    """
    is_found = np.zeros(neighbours.top + 1, np.bool_)
    eights = _eights(terms, neighbours)
    for eight in eights:
        is_found |= eight.far > 0
    ids = np.flatnonzero(is_found & visible)
    parts = _parts(eights, ids, neighbours)
    own, window, _ = parts
    information = sum(term.weight for term in terms) * (1 + UNSAID / max(len(terms), 1))
    covered = (own + 2 * window) / (3 * information) if information else own
    is_longer = np.zeros(neighbours.top + 1, np.bool_)
    for length in reversed(LONGER):
        is_longer[neighbours.long[neighbours.lengths > length]] = True
        if any(is_longer[term.ids].any() for term in terms):
            rest = [replace(term, ids=term.ids[~is_longer[term.ids]]) for term in terms]
            without = _parts(_eights(rest, neighbours), ids, neighbours)
            parts = LONGER_SHARE * parts + (1 - LONGER_SHARE) * without
    return _arm("words", ids, parts, EQUAL, covered, neighbours)


def _parts(eights: Sequence["_Eight"], ids: Ids, neighbours: Neighbours) -> Floats:
    """Return the weights of the terms in some rows, beside them, and in their sessions, (3, n)."""
    own, window, session = parts = np.zeros((3, len(ids)))
    number = neighbours.session[ids]
    for eight in eights:
        own += eight.weights[eight.own[ids]]
        window += eight.weights[eight.near[ids]]
        window += FAR * eight.weights[eight.far[ids] & ~eight.near[ids]]
        session += eight.weights[np.where(number > 0, eight.session[number], eight.own[ids])]
    return parts


def _eights(terms: Sequence[TermPostings], neighbours: Neighbours) -> list["_Eight"]:
    return [_Eight(terms[at : at + 8], neighbours) for at in range(0, len(terms), 8)]


class _Eight:
    """Up to eight terms, a bit each: one byte says which of them a row or its context contains.

    Args:
        own: by id, the terms of the row; `near`: with its neighbours'; `far`: up to two rows away.
        session: by session number, the terms of any row of the session.
        weights: by byte, the sum of the weights of its terms.
    """

    def __init__(self, terms: Sequence[TermPostings], neighbours: Neighbours) -> None:
        self.own = np.zeros(neighbours.top + 1, np.uint8)
        self.session = np.zeros(neighbours.sessions + 1, np.uint8)
        self.weights = np.zeros(256)
        for number, term in enumerate(terms):
            bit = np.uint8(1 << number)
            self.own[term.ids] |= bit
            self.session[neighbours.session[term.ids]] |= bit
            self.weights[np.arange(256) & bit > 0] += term.weight
        self.near = _with_neighbours(self.own, neighbours)
        self.far = _with_neighbours(self.near, neighbours)


def _with_neighbours(terms: Bytes, neighbours: Neighbours) -> Bytes:
    return terms | terms[neighbours.before] | terms[neighbours.after]


def by_meaning(similar: ArmScores, most: int, neighbours: Neighbours, visible: Flags) -> Arm:
    """Score memories by how near they, their neighbours or their sessions are in meaning.

    A row's relevance is how far it lies from where nearness begins to the query itself: all
    similarities of a model are large, and only their differences tell.

    Args:
        similar: best first.
        most: how many of them count; the last one marks where nearness begins.
    """
    nearest, scores = similar.ids[:most], similar.scores[:most]
    by_id, calibrated = np.zeros(neighbours.top + 1), np.zeros(neighbours.top + 1)
    sessions = np.zeros(neighbours.sessions + 1)
    if len(nearest):
        floor, best = scores[-1], scores[0]
        by_id[nearest] = (scores - floor) / (best - floor) if best > floor else 1.0
        if floor < 1:
            calibrated[nearest] = np.clip((scores - floor) / (1 - floor), 0, 1)
        beyond = np.searchsorted(LONGER, neighbours.lengths)
        by_id[neighbours.long] *= LONGER_SHARE**beyond
        np.maximum.at(sessions, neighbours.session[nearest], by_id[nearest])
    ids = np.unique(
        np.concatenate((nearest, neighbours.before[nearest], neighbours.after[nearest]))
    )
    ids = ids[visible[ids]]
    own, number = by_id[ids], neighbours.session[ids]
    beside = np.stack((neighbours.before[ids], neighbours.after[ids]))
    count = np.sum(visible[beside], axis=0)
    window = np.where(count > 0, np.sum(by_id[beside], axis=0) / np.maximum(count, 1), own)
    session = np.where(number > 0, sessions[number], own)
    parts = np.stack((own, window, session))
    return _arm("meaning", ids, parts, LESS_BY_MEANING, calibrated[ids], neighbours)


def _arm(
    name: str,
    ids: Ids,
    parts: Floats,
    weights: tuple[float, float, float],
    relevance: Floats,
    neighbours: Neighbours,
) -> Arm:
    own, window, session = (
        weight * _scaled(part) for weight, part in zip(weights, parts, strict=True)
    )
    by_id = np.zeros(neighbours.top + 1)
    by_id[ids] = own + window + session
    before = neighbours.before[ids]
    answer = ANSWER * by_id[before] * neighbours.asks[before]
    by_id[ids] += answer
    return Arm(name, ids, own, window, session, answer, by_id, relevance)


def _scaled(part: Floats) -> Floats:
    largest = part.max(initial=0.0)
    return part / largest if largest > 0 else part

"""Contextual BM25 scoring: the row itself, its neighbouring turns, its session.

A sentence in a conversation relies on the sentences before it, so a memory is also found by the
words of its neighbours. A term counts by how few memories contain it (the inverse document
frequency of BM25). Term frequency and length are left out: they say nothing about memories of one
or two sentences.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import Final

import numpy as np
from numpy.typing import NDArray

from afterword.pipeline.recall.search.ids import Ids
from afterword.pipeline.recall.search.model import ArmScores
from afterword.pipeline.recall.search.neighbours import LONG, Flags, Neighbours

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float64]

FAR: Final = 0.5
"""Weight of a term two rows away; in the row before or after it counts in full."""

ANSWER: Final = 0.25
"""Share of a question's score that its answer gets: the question says what it is about."""

LENGTH_POWER: Final = 0.25
"""Power of length over `LONG` that lowers the score of a document."""


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
        own: score of the row itself, 0 to 1, where the best memory has 1, (n,); `window` likewise
            of the row with its neighbours, `session` of its session.
        answer: score received from the question before it, (n,).
        score: the sum, by id; 0 for rows not found, (top + 1,).
    """

    name: str
    ids: Ids
    own: Floats
    window: Floats
    session: Floats
    answer: Floats
    score: Floats


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
    """Score memories by the terms that they, their neighbours or their sessions contain."""
    found = np.zeros(neighbours.top + 1, np.bool_)
    eights = [_Eight(terms[at : at + 8], neighbours) for at in range(0, len(terms), 8)]
    for eight in eights:
        found |= eight.far > 0
    ids = np.flatnonzero(found & visible)
    own, window, session = (np.zeros(len(ids)) for _ in range(3))
    number = neighbours.session[ids]
    for eight in eights:
        own += eight.weights[eight.own[ids]]
        window += eight.weights[eight.near[ids]]
        window += FAR * eight.weights[eight.far[ids] & ~eight.near[ids]]
        session += eight.weights[np.where(number > 0, eight.session[number], eight.own[ids])]
    return _arm("words", ids, (own, window, session), neighbours)


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

    Args:
        similar: best first.
        most: how many of them count; the last one marks where nearness begins.
    """
    nearest, scores = similar.ids[:most], similar.scores[:most]
    by_id = np.zeros(neighbours.top + 1)
    sessions = np.zeros(neighbours.sessions + 1)
    if len(nearest):
        floor, best = scores[-1], scores[0]
        by_id[nearest] = (scores - floor) / (best - floor) if best > floor else 1.0
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
    return _arm("meaning", ids, (own, window, session), neighbours)


def _arm(name: str, ids: Ids, parts: tuple[Floats, Floats, Floats], neighbours: Neighbours) -> Arm:
    own, window, session = (_scaled(part) for part in parts)
    by_id = np.zeros(neighbours.top + 1)
    by_id[ids] = own + window + session
    by_id[neighbours.long] *= (neighbours.lengths / LONG) ** -LENGTH_POWER
    before = neighbours.before[ids]
    answer = ANSWER * by_id[before] * neighbours.asks[before]
    by_id[ids] += answer
    return Arm(name, ids, own, window, session, answer, by_id)


def _scaled(part: Floats) -> Floats:
    largest = part.max(initial=0.0)
    return part / largest if largest > 0 else part

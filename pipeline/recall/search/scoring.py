"""How well memories fit, each read in its context: by itself, with its neighbours, in its session.

What is said in a conversation leans on what was said before: a memory is therefore found by the
words beside it too. A term counts by how few memories have it (BM25's inverse frequency); how
often one memory repeats it, and how short the memory is, says nothing about memories of a
sentence or two and is left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import Final

import numpy as np
from numpy.typing import NDArray

from afterword.pipeline.recall.search.ids import Ids
from afterword.pipeline.recall.search.model import ArmScores
from afterword.pipeline.recall.search.neighbours import LONG, Flags, Places

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float64]

FAR: Final = 0.5
"""What a term counts two rows away; in the row before or after it counts in full."""

ANSWER: Final = 0.25
"""What an answer gets of the score of the question before it, which says what it is about."""

LENGTH_POWER: Final = 0.25
"""How a document loses against memories, by its length over `LONG`."""


@dataclass(frozen=True, slots=True, eq=False)
class TermPostings:
    """A term and who has it.

    Args:
        ids: the living memories that hold it, each once.
        weight: how much it tells.
    """

    name: str
    ids: Ids
    weight: float


@dataclass(frozen=True, slots=True, eq=False)
class Arm:
    """What one way of searching found; the parts are of the rows found, the score is by id.

    Args:
        ids: the rows that fit, or beside which something does, ascending, (n,).
        own: 0 to 1, the best memory has 1, (n,); likewise `window` and `session`.
        answer: what came from the question before, (n,).
        score: all together; 0 for rows not found, (top + 1,).
    """

    name: str
    ids: Ids
    own: Floats
    window: Floats
    session: Floats
    answer: Floats
    score: Floats


def weight(rows: int, holding: int) -> float:
    """Return what a term tells that so many of all memories hold.

    Source: the inverse document frequency of BM25, with one added so that it is never negative
    (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009).
    """
    return log(1 + (rows - holding + 0.5) / (holding + 0.5))


def by_words(terms: Sequence[TermPostings], places: Places, alive: Flags) -> Arm:
    """Return how well memories fit by the terms that they, their neighbours or sessions hold."""
    found = np.zeros(places.top + 1, np.bool_)
    eights = [_Eight(terms[at : at + 8], places) for at in range(0, len(terms), 8)]
    for eight in eights:
        found |= eight.far > 0
    ids = np.flatnonzero(found & alive)
    own, window, session = (np.zeros(len(ids)) for _ in range(3))
    number = places.session[ids]
    for eight in eights:
        own += eight.weights[eight.own[ids]]
        window += eight.weights[eight.near[ids]]
        window += FAR * eight.weights[eight.far[ids] & ~eight.near[ids]]
        session += eight.weights[np.where(number > 0, eight.session[number], eight.own[ids])]
    return _arm("words", ids, (own, window, session), places)


class _Eight:
    """Up to eight terms, a bit each: one byte says which of them a row, or its context, holds.

    Args:
        own: by id, what the row holds; `near`: it or its neighbours; `far`: up to two rows away.
        session: by its number, what any row of the session holds.
        weights: what the terms of a byte tell together.
    """

    def __init__(self, terms: Sequence[TermPostings], places: Places) -> None:
        self.own = np.zeros(places.top + 1, np.uint8)
        self.session = np.zeros(places.sessions + 1, np.uint8)
        self.weights = np.zeros(256)
        for place, term in enumerate(terms):
            bit = np.uint8(1 << place)
            self.own[term.ids] |= bit
            self.session[places.session[term.ids]] |= bit
            self.weights[np.arange(256) & bit > 0] += term.weight
        self.near = _with_neighbours(self.own, places)
        self.far = _with_neighbours(self.near, places)


def _with_neighbours(held: Bytes, places: Places) -> Bytes:
    return held | held[places.before] | held[places.after]


def by_meaning(similar: ArmScores, most: int, places: Places, alive: Flags) -> Arm:
    """Return how well memories fit by how near they, their neighbours or sessions are in meaning.

    Args:
        similar: best first.
        most: how many of them count; the last one marks where nearness begins.
    """
    nearest, scores = similar.ids[:most], similar.scores[:most]
    by_id = np.zeros(places.top + 1)
    sessions = np.zeros(places.sessions + 1)
    if len(nearest):
        floor, best = scores[-1], scores[0]
        by_id[nearest] = (scores - floor) / (best - floor) if best > floor else 1.0
        np.maximum.at(sessions, places.session[nearest], by_id[nearest])
    around = np.concatenate((nearest, places.before[nearest], places.after[nearest]))
    ids = np.unique(around)
    ids = ids[alive[ids]]
    own, number = by_id[ids], places.session[ids]
    beside = np.stack((places.before[ids], places.after[ids]))
    count = np.sum(alive[beside], axis=0)
    window = np.where(count > 0, np.sum(by_id[beside], axis=0) / np.maximum(count, 1), own)
    session = np.where(number > 0, sessions[number], own)
    return _arm("meaning", ids, (own, window, session), places)


def _arm(name: str, ids: Ids, parts: tuple[Floats, Floats, Floats], places: Places) -> Arm:
    own, window, session = (_scaled(part) for part in parts)
    by_id = np.zeros(places.top + 1)
    by_id[ids] = own + window + session
    by_id[places.long] *= (places.lengths / LONG) ** -LENGTH_POWER
    before = places.before[ids]
    answer = ANSWER * by_id[before] * places.asks[before]
    by_id[ids] += answer
    return Arm(name, ids, own, window, session, answer, by_id)


def _scaled(part: Floats) -> Floats:
    largest = part.max(initial=0.0)
    return part / largest if largest > 0 else part

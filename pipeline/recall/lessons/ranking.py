"""Rank a few lessons by a question: scored as in a search, but without neighbours."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from afterword.pipeline.domain.decisions.model import Lesson
from afterword.pipeline.recall.search.fts import matching_texts
from afterword.pipeline.recall.search.fusion import boost, fused, top
from afterword.pipeline.recall.search.model import ArmScores, Fusion
from afterword.pipeline.recall.search.neighbours import Neighbours
from afterword.pipeline.recall.search.query import terms
from afterword.pipeline.recall.search.ranking import BEST, NEAREST
from afterword.pipeline.recall.search.scoring import (
    Floats,
    TermPostings,
    by_meaning,
    by_words,
    idf,
)
from afterword.pipeline.rules.entities.entities import Entity, extract_entities
from afterword.pipeline.rules.market.symbols import normalise_symbol

_NO_ROW: Final = np.empty(0, np.int64)


@dataclass(frozen=True, slots=True)
class LessonSet:
    """Lessons, and what they are compared by.

    Args:
        lessons: the latest first.
        decisions: the text of the decision behind each of them.
        similar: how near the decisions are in meaning to the question, by position, best first;
            None where words alone decide.
    """

    lessons: Sequence[Lesson]
    decisions: Sequence[str]
    similar: ArmScores | None


def fitting(question: str, among: LessonSet, fusion: Fusion) -> list[Lesson]:
    """Return the lessons that fit a question, best first; of equals, the one learned later."""
    lessons, similar = among.lessons, among.similar
    count = len(lessons)
    neighbours = _without_neighbours(count)
    texts = [
        f"{one.asset or ''} {one.direction} {words} {one.text}"
        for one, words in zip(lessons, among.decisions, strict=True)
    ]
    arms = [by_words(_postings(question, texts), neighbours, neighbours.exists)]
    if similar is not None and len(similar.ids):
        near = ArmScores(count - similar.ids, similar.scores)
        arms.append(by_meaning(near, NEAREST, neighbours, neighbours.exists))
    score = _boosted(question, lessons, texts, fused(arms, fusion))
    return [lessons[count - row_id] for row_id in top(score, count).tolist()]


def _postings(question: str, texts: Sequence[str]) -> list[TermPostings]:
    """Return, per term, the texts that contain it, numbered down to 1 from the latest."""
    wanted, count = terms(question), len(texts)
    found = matching_texts(texts, [term.expression for term in wanted])
    return [
        TermPostings(term.name, count - positions, idf(count, len(positions)))
        for term, positions in zip(wanted, found, strict=True)
        if len(positions)
    ]


def _boosted(
    question: str, lessons: Sequence[Lesson], texts: Sequence[str], score: Floats
) -> Floats:
    """Return the scores, higher for lessons that share assets with the question."""
    entities = set(extract_entities(question))
    if not entities:
        return score
    overlap = np.zeros(len(score), np.int64)
    for position, row_id in enumerate(top(score, len(lessons)).tolist()):
        asset, text = lessons[-row_id].asset, texts[-row_id]
        about = set() if asset is None else {Entity("ticker", normalise_symbol(asset))}
        if position < BEST:  # reading a text for assets costs 0.1 ms
            about.update(extract_entities(text))
        overlap[row_id] = len(entities & about)
    return score * boost(overlap)


def _without_neighbours(count: int) -> Neighbours:
    """Return the neighbours of rows 1 to `count`, of which none has any."""
    exists = np.ones(count + 1, np.bool_)
    exists[0] = False
    none = np.zeros(count + 1, np.intp)
    return Neighbours(0, exists, none, none, none, none > 0, _NO_ROW, _NO_ROW)

"""Which of a few lessons fit a question: weighed as in a search, but next to nobody."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from afterword.pipeline.domain.decisions.model import Lesson
from afterword.pipeline.recall.search.fts import holders_among
from afterword.pipeline.recall.search.fusion import boost, first, fused
from afterword.pipeline.recall.search.model import ArmScores, Fusion
from afterword.pipeline.recall.search.neighbours import Places
from afterword.pipeline.recall.search.query import terms
from afterword.pipeline.recall.search.ranking import BEST, NEAREST
from afterword.pipeline.recall.search.scoring import (
    Floats,
    TermPostings,
    by_meaning,
    by_words,
    weight,
)
from afterword.pipeline.rules.entities.entities import Entity, extract_entities
from afterword.pipeline.rules.market.symbols import normalise_symbol

_NO_ROW: Final = np.empty(0, np.int64)


@dataclass(frozen=True, slots=True)
class LessonSet:
    """Lessons, and what they are compared by.

    Args:
        lessons: the latest first.
        decisions: what was decided, for each of them.
        similar: how near the decisions are in meaning to what is asked, by place, best first; None
            where words alone decide.
    """

    lessons: Sequence[Lesson]
    decisions: Sequence[str]
    similar: ArmScores | None


def fitting(asked: str, among: LessonSet, fusion: Fusion) -> list[Lesson]:
    """Return the lessons that fit a question, best first; of equals, the one learned later."""
    lessons, similar = among.lessons, among.similar
    count = len(lessons)
    around = _apart(count)
    texts = [
        f"{one.asset or ''} {one.direction} {words} {one.text}"
        for one, words in zip(lessons, among.decisions, strict=True)
    ]
    arms = [by_words(_held(asked, texts), around, around.exists)]
    if similar is not None and len(similar.ids):
        near = ArmScores(count - similar.ids, similar.scores)
        arms.append(by_meaning(near, NEAREST, around, around.exists))
    score = _boosted(asked, lessons, texts, fused(arms, fusion))
    return [lessons[count - row_id] for row_id in first(score, count).tolist()]


def _held(asked: str, texts: Sequence[str]) -> list[TermPostings]:
    """Return who holds each term, by numbers that fall from the latest to 1."""
    wanted, count = terms(asked), len(texts)
    held = holders_among(texts, [term.expression for term in wanted])
    return [
        TermPostings(term.name, count - places, weight(count, len(places)))
        for term, places in zip(wanted, held, strict=True)
        if len(places)
    ]


def _boosted(asked: str, lessons: Sequence[Lesson], texts: Sequence[str], score: Floats) -> Floats:
    """Return the scores, more where an asset, chain or address is the question's too."""
    entities = set(extract_entities(asked))
    if not entities:
        return score
    overlap = np.zeros(len(score), np.int64)
    for place, row_id in enumerate(first(score, len(lessons)).tolist()):
        asset, text = lessons[-row_id].asset, texts[-row_id]
        about = set() if asset is None else {Entity("ticker", normalise_symbol(asset))}
        if place < BEST:  # reading a text for assets costs 0.1 ms
            about.update(extract_entities(text))
        overlap[row_id] = len(entities & about)
    return score * boost(overlap)


def _apart(count: int) -> Places:
    """Return the places of rows 1 to `count`, each next to nobody."""
    exists = np.ones(count + 1, np.bool_)
    exists[0] = False
    nobody = np.zeros(count + 1, np.intp)
    return Places(0, exists, nobody, nobody, nobody, nobody > 0, _NO_ROW, _NO_ROW)

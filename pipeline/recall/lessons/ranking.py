"""Rank what roles learned by a question: what it is about first; words and meaning break ties."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from afterword.pipeline.domain.outcomes.model import TrendBefore, VolatilityTercile
from afterword.pipeline.recall.prompts.prompt_lessons import (
    CLASS_NAMES,
    PromptLesson,
    each_text_once,
)
from afterword.pipeline.recall.search.fts import matching_texts
from afterword.pipeline.recall.search.fusion import SCORE_DIGITS, boost, fused, top
from afterword.pipeline.recall.search.model import ArmScores, Fusion
from afterword.pipeline.recall.search.neighbours import Neighbours
from afterword.pipeline.recall.search.query import terms
from afterword.pipeline.recall.search.ranking import NEAREST
from afterword.pipeline.recall.search.scoring import (
    Floats,
    TermPostings,
    by_meaning,
    by_words,
    idf,
)
from afterword.pipeline.rules.entities.entities import Entity, extract_entities
from afterword.pipeline.rules.market.classes import NOTHING_STATED, StatedClasses
from afterword.pipeline.rules.market.outcome import Stance

_NO_ROW: Final = np.empty(0, np.int64)

_FITS: Final = (
    # Best first: closeness, direction fits, trend fits; `None` is either.
    ("asset", True, True),
    ("class", True, True),
    ("asset", True, False),
    ("class", True, False),
    ("group", True, True),
    ("asset", False, None),
    ("other", True, True),
    ("group", True, False),
    ("class", False, None),
    ("other", True, False),
    ("group", False, None),
    ("other", False, None),
)
_PLACES: Final = {
    (closeness, direction, trend): place
    for place, (closeness, direction, fits) in enumerate(_FITS)
    for trend in ((True, False) if fits is None else (fits,))
}
_SPARE: Final = 2
"""Times as many as are wanted whose words are read."""

_KINDS: Final = {"failing": 0, "works": 0, "hint": 2, "one case": 3}
"""What comes first of what fits alike: what evidence confirms, a note, a hint, a case."""


@dataclass(frozen=True, slots=True)
class AskedSetup:
    """What a question is about, with what the market does at that moment.

    Args:
        trend: the move before; None if neither prices nor words tell.
        volatility: tercile of the asset's volatility; None if unknown.
        classes: by which assets are near to each other.
    """

    asset_key: str | None
    direction: Stance | None
    trend: TrendBefore | None = None
    volatility: VolatilityTercile | None = None
    classes: StatedClasses = NOTHING_STATED


@dataclass(frozen=True, slots=True)
class LessonSet:
    """What may answer a question, and how near it is in meaning.

    Args:
        similar: how near the decisions are in meaning to the question, by position, best first;
            None where words alone decide.
    """

    lessons: Sequence[PromptLesson]
    similar: ArmScores | None


def ranked(
    question: str, setup: AskedSetup, among: LessonSet, fusion: Fusion, most: int
) -> list[PromptLesson]:
    """Return the best fits, each text once and with why it came; of equals, the latest first.

    Where the question says no direction, those of each direction take turns: an answer about one
    of them alone would be right for one asker of three.
    """
    keys = [_key(lesson, setup) for lesson in among.lessons]
    among, keys = _best_fits(among, keys, most)
    words = _scores(question, setup.asset_key, among, fusion)
    order = sorted(
        range(len(keys)),
        key=lambda place: (
            keys[place],
            -round(float(words[place]), SCORE_DIGITS),
            -among.lessons[place].known_at.timestamp(),
            -among.lessons[place].id,
        ),
    )
    if setup.direction is None:
        order = _in_turns(order, keys, among.lessons)
    best = each_text_once((among.lessons[place] for place in order), most)
    score = {id(lesson): words[place] for place, lesson in enumerate(among.lessons)}
    has_meaning = among.similar is not None
    return [
        replace(
            lesson, why=_why(lesson, setup, fits=score[id(lesson)] > 0, has_meaning=has_meaning)
        )
        for lesson in best
    ]


def _in_turns(
    order: Sequence[int], keys: Sequence[tuple[int, int, bool]], lessons: Sequence[PromptLesson]
) -> list[int]:
    """Return places with the best of each direction first, among those of one fit and kind."""
    taken: Counter[tuple[int, int, Stance]] = Counter()
    turns: dict[int, tuple[int, int, int]] = {}
    for place in order:
        fit, kind, _ = keys[place]
        group = fit, kind, lessons[place].direction
        turns[place] = fit, kind, taken[group]
        taken[group] += 1
    return sorted(order, key=turns.__getitem__)


def _key(lesson: PromptLesson, setup: AskedSetup) -> tuple[int, int, bool]:
    """Return what comes before words: the fit, the kind, the volatility."""
    is_other = setup.volatility is None or lesson.volatility != setup.volatility
    return _fit(lesson, setup)[0], _KINDS.get(lesson.label, 1), is_other


def _best_fits(
    among: LessonSet, keys: list[tuple[int, int, bool]], most: int
) -> tuple[LessonSet, list[tuple[int, int, bool]]]:
    """Leave out what words cannot lift among the best `most`, not even if texts repeat.

    Reading words costs more than all the rest, so it is done for few.
    """
    enough = _SPARE * most
    if len(keys) <= enough:
        return among, keys
    last = sorted(keys)[enough - 1][:2]  # of any volatility: directions may take turns
    texts = {
        lesson.text for lesson, key in zip(among.lessons, keys, strict=True) if key[:2] <= last
    }
    if len(texts) < most:
        return among, keys
    places = [place for place, key in enumerate(keys) if key[:2] <= last]
    new = {old: place for place, old in enumerate(places)}
    similar = among.similar
    if similar is not None:
        places_kept = [at for at, old in enumerate(similar.ids.tolist()) if old in new]
        ids = np.array([new[int(similar.ids[at])] for at in places_kept], np.int64)
        similar = ArmScores(ids, similar.scores[places_kept])
    lessons = [among.lessons[place] for place in places]
    return LessonSet(lessons, similar), [keys[place] for place in places]


def _why(
    lesson: PromptLesson, setup: AskedSetup, *, fits: bool, has_meaning: bool
) -> tuple[str, ...]:
    why = _fit(lesson, setup)[1]
    if setup.volatility is not None and lesson.volatility == setup.volatility:
        why.append(f"same volatility: {setup.volatility}")
    if fits:
        why.append("fits in words or meaning" if has_meaning else "fits in words")
    return tuple(why)


def _fit(lesson: PromptLesson, setup: AskedSetup) -> tuple[int, list[str]]:
    """Return how well a lesson fits, 0 is best, and why in words."""
    near, about = _closeness(lesson, setup.asset_key, setup.classes)
    fits_direction = setup.direction is None or lesson.direction == setup.direction
    fits_trend = setup.trend is not None and lesson.trend == setup.trend
    place = _PLACES[near, fits_direction, fits_trend]
    same = [about] if about else []
    if setup.direction is not None and fits_direction:
        same.append("same direction")
    if fits_trend:
        same.append(f"same trend: {setup.trend}")
    return place, same or ["same role"]


def _closeness(
    lesson: PromptLesson, asset_key: str | None, classes: StatedClasses
) -> tuple[str, str]:
    if asset_key is None:
        return "other", ""
    if asset_key in lesson.assets:
        return "asset", f"same asset: {asset_key}"
    own, group = classes.names(asset_key)
    if lesson.is_class:
        return "asset", f"told of all {CLASS_NAMES.get(lesson.asset_class, lesson.asset_class)}"
    if own != "unknown" and lesson.asset_class == own:
        return "class", f"same class: {CLASS_NAMES[own]}"
    if group is not None and group in map(classes.group, lesson.assets):
        return "group", f"same market: {CLASS_NAMES.get(group, group)}"
    return "other", ""


def _scores(question: str, asset_key: str | None, among: LessonSet, fusion: Fusion) -> Floats:
    """Return how well texts fit by words and meaning, by position; 0 where nothing does."""
    lessons, similar = among.lessons, among.similar
    count = len(lessons)
    if not count:
        return np.zeros(0)
    neighbours = _without_neighbours(count)
    texts = [f"{' '.join(lesson.assets)} {lesson.decision} {lesson.text}" for lesson in lessons]
    arms = [by_words(_postings(question, texts), neighbours, neighbours.exists)]
    if similar is not None and len(similar.ids):
        near = ArmScores(count - similar.ids, similar.scores)
        arms.append(by_meaning(near, NEAREST, neighbours, neighbours.exists))
    score = fused(arms, fusion)
    entities = set(extract_entities(question))
    # Where all are about the one asset that is asked about, its name tells none from another.
    if len(entities) > 1 or not all(asset_key in lesson.assets for lesson in lessons):
        score = _boosted(entities, texts, score)
    return score[:0:-1]


def _postings(question: str, texts: Sequence[str]) -> list[TermPostings]:
    """Return, per term, the texts that contain it, numbered down to 1 from the first."""
    wanted, count = terms(question), len(texts)
    matches = matching_texts(texts, [term.expression for term in wanted])
    return [
        TermPostings(term.name, count - positions, idf(count, len(positions)))
        for term, positions in zip(wanted, matches, strict=True)
        if len(positions)
    ]


_MOST_READ: Final = 10
"""Texts that are read for assets: one takes 0.1 ms."""


def _boosted(entities: set[Entity], texts: Sequence[str], score: Floats) -> Floats:
    """Return the scores, higher for texts that name assets of the question."""
    if not entities:
        return score
    overlap = np.zeros(len(score), np.int64)
    for row_id in top(score, _MOST_READ).tolist():
        overlap[row_id] = len(entities & set(extract_entities(texts[-row_id])))
    return score * boost(overlap)


def _without_neighbours(count: int) -> Neighbours:
    """Return the neighbours of rows 1 to `count`, of which none has any."""
    exists = np.ones(count + 1, np.bool_)
    exists[0] = False
    none = np.zeros(count + 1, np.intp)
    return Neighbours(0, exists, none, none, none, none > 0, _NO_ROW, _NO_ROW)

"""Find a stored methodology that says the same as a new one: the ladder of R5.

Equal structured fields; then TF-IDF; then 4-grams, only where a text has no words. On every rung
two texts that contradict each other are different methodologies, and only those of one class,
direction and timeframe are compared at all: another one is judged by other outcomes.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.domain.methodologies import compare_rows
from afterword.pipeline.domain.methodologies.checks import CheckedMethodology, compared_text
from afterword.pipeline.domain.methodologies.compare_rows import ComparedRow, TermGroup
from afterword.pipeline.domain.methodologies.conditions import contradiction, read_conditions
from afterword.pipeline.domain.methodologies.model import FORGOTTEN, RecognisedBy
from afterword.pipeline.domain.methodologies.similarity import (
    SAME_AT,
    SAME_GRAMS_AT,
    cosine,
    jaccard,
    terms,
    weights,
)

_MOST_COMPARED: Final = 5
"""Candidates of one rung whose conditions are read, the most alike first."""


class SameMethodology(NamedTuple):
    """The stored methodology that a new one repeats.

    Args:
        id: of the one that goes on, where it was merged.
        likeness: cosine of the two texts; on the last rung their Jaccard similarity.
    """

    id: int
    by: RecognisedBy
    likeness: float


def group_of(new: CheckedMethodology) -> TermGroup:
    """Return the group within which a methodology is compared."""
    return TermGroup(new.asset_class, new.direction, new.timeframe)


def find_same(
    conn: Connection, new: CheckedMethodology, *, is_clean: bool
) -> SameMethodology | None:
    """Return the stored methodology that says the same; None if there is none.

    Args:
        is_clean: whether the injection scan found nothing in it. A clean one is never taken for one
            with a payload: whoever writes poison first would else keep the clean one out.
    """
    text = new.compared_text
    query = weights(terms(text))
    if new.indicators:  # without any, the fields say too little to decide alone
        candidates = [
            SameMethodology(row.id, "fields", cosine(text, _text_of(row)))
            for row in compare_rows.of_dedup_key(conn, new.dedup_key)[: 10 * _MOST_COMPARED]
        ]
        same = _first(conn, new, _best(candidates), is_clean)
        if same is not None:
            return same
    if query:
        return find_most_similar_tfidf(conn, new, is_clean=is_clean)
    lengths = SAME_GRAMS_AT * len(new.methodology), len(new.methodology) / SAME_GRAMS_AT
    rows = compare_rows.without_words(conn, group_of(new), int(lengths[0]), int(lengths[1]) + 1)
    grams = (SameMethodology(row.id, "jaccard", jaccard(text, _text_of(row))) for row in rows)
    near = _best(candidate for candidate in grams if candidate.likeness >= SAME_GRAMS_AT)
    return _first(conn, new, near, is_clean)


def find_most_similar_tfidf(
    conn: Connection, new: CheckedMethodology, *, is_clean: bool = True
) -> SameMethodology | None:
    """Return the most similar methodology by TF-IDF that does not contradict a new one."""
    query = weights(terms(new.compared_text))
    rows = compare_rows.alike(conn, group_of(new), query, SAME_AT, _MOST_COMPARED)
    near = [SameMethodology(row_id, "tfidf", likeness) for row_id, likeness in rows]
    return _first(conn, new, near, is_clean)


def agree(one: ComparedRow | CheckedMethodology, other: ComparedRow | CheckedMethodology) -> bool:
    """Say whether two methodologies of one group may be the same: neither contradicts the other."""
    mine, theirs = set(one.indicators), set(other.indicators)
    if mine and theirs and not (mine <= theirs or theirs <= mine):
        return False
    return contradiction(read_conditions(_text_of(one)), read_conditions(_text_of(other))) is None


def _best(candidates: Iterable[SameMethodology]) -> list[SameMethodology]:
    return sorted(candidates, key=lambda same: (-same.likeness, same.id))[:_MOST_COMPARED]


def _first(
    conn: Connection, new: CheckedMethodology, near: list[SameMethodology], is_clean: bool
) -> SameMethodology | None:
    """Return the first candidate that does not contradict, as the one that goes on for it."""
    rows = compare_rows.of_ids(conn, [candidate.id for candidate in near]) if near else {}
    for candidate in near:
        row = rows[candidate.id]
        if row.is_clean != is_clean or row.methodology == FORGOTTEN or not agree(new, row):
            continue
        survivor = compare_rows.survivor(conn, candidate.id)
        if survivor is not None:
            return candidate._replace(id=survivor)
    return None


def _text_of(method: ComparedRow | CheckedMethodology) -> str:
    return compared_text(method.methodology, method.phases)

"""Combine the arms of a search into one order, and add the boost for shared assets."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from afterword.pipeline.recall.search.ids import Ids
from afterword.pipeline.recall.search.model import Fusion
from afterword.pipeline.recall.search.scoring import Arm, Floats

RRF_K: Final = 60
"""Softens the first ranks (R1).  Source: Cormack, Clarke and Büttcher, SIGIR 2009."""

RANKED: Final = 1_000
"""Rows of an arm that get a reciprocal rank."""

SCORE_DIGITS: Final = 9
"""Digits compared: sums of the same numbers in another order differ in their last bits."""

BOOST: Final = 0.3
"""What each shared asset, chain or address adds (R1)."""


def fused(arms: Sequence[Arm], fusion: Fusion) -> Floats:
    """Return one score by id: the sum of the arms' scores, or of `1 / (60 + rank)` in each."""
    if fusion == "scaled":
        return sum((arm.score for arm in arms[1:]), arms[0].score)
    score = np.zeros(len(arms[0].score))
    for arm in arms:
        order = top(arm.score, RANKED)
        score[order] += 1 / (RRF_K + np.arange(1, len(order) + 1))
    return score


def top(score: Floats, most: int) -> Ids:
    """Return the ids with the largest scores above 0, best first; of equals, the newest first."""
    ids = np.flatnonzero(score > 0)
    values = np.round(score[ids], SCORE_DIGITS)
    if len(ids) > most:
        ids = ids[values >= np.partition(values, -most)[-most]]
        values = np.round(score[ids], SCORE_DIGITS)
    return ids[np.lexsort((-ids, -values))][:most]


def position(score: Floats, row_id: int) -> int | None:
    """Return the position of a row in the order of scores, from 1; None without a score."""
    values = np.round(score, SCORE_DIGITS)
    if values[row_id] <= 0:
        return None
    newer = np.count_nonzero(values[row_id:] == values[row_id])
    return int(np.count_nonzero(values > values[row_id]) + newer)


def boost(overlap: Ids) -> Floats:
    """Return the factor for the scores of memories that share so many entities with the query."""
    return 1.0 + BOOST * overlap.astype(np.float64)

"""Explain the scores of memories: the share of each arm, term and shared asset."""

from collections.abc import Sequence

import numpy as np

from afterword.pipeline.recall.search.fusion import boost, position
from afterword.pipeline.recall.search.model import ArmShare, Explanation, TermShare
from afterword.pipeline.recall.search.neighbours import Neighbours
from afterword.pipeline.recall.search.ranking import Ranking
from afterword.pipeline.recall.search.scoring import FAR, Arm, TermPostings


def explanations(ranking: Ranking, ids: Sequence[int]) -> list[Explanation]:
    """Return why some memories have the score they have."""
    return [
        Explanation(
            arms=tuple(_arm_share(arm, row_id) for arm in ranking.arms),
            terms=tuple(_term_share(term, ranking.neighbours, row_id) for term in ranking.terms),
            fused=float(ranking.fused[row_id]),
            overlap=int(ranking.overlap[row_id]),
            boost=float(boost(ranking.overlap[[row_id]])[0]),
        )
        for row_id in ids
    ]


def _arm_share(arm: Arm, row_id: int) -> ArmShare:
    at = int(np.searchsorted(arm.ids, row_id))
    if at == len(arm.ids) or arm.ids[at] != row_id:
        return ArmShare(arm.name, None, 0.0, 0.0, 0.0, 0.0, 0.0)
    parts = (arm.own, arm.window, arm.session, arm.answer)
    own, window, session, answer = (float(part[at]) for part in parts)
    score = float(arm.score[row_id])
    return ArmShare(arm.name, position(arm.score, row_id), score, own, window, session, answer)


def _term_share(term: TermPostings, neighbours: Neighbours, row_id: int) -> TermShare:
    near = _with_neighbours({row_id}, neighbours)
    number = neighbours.session[row_id]
    is_own = _contains(term, {row_id})
    window = (
        1.0 if _contains(term, near) else FAR * _contains(term, _with_neighbours(near, neighbours))
    )
    in_session = is_own or bool(number and np.any(neighbours.session[term.ids] == number))
    shares = (is_own, window, in_session)
    return TermShare(term.name, *(term.weight * share for share in shares))


def _with_neighbours(ids: set[int], neighbours: Neighbours) -> set[int]:
    return ids | {
        int(linked[row_id]) for row_id in ids for linked in (neighbours.before, neighbours.after)
    }


def _contains(term: TermPostings, ids: set[int]) -> bool:
    return bool(np.isin(term.ids, list(ids - {0})).any())

"""Why memories came where they came: what each arm, term and shared asset gave them."""

from collections.abc import Sequence

import numpy as np

from afterword.pipeline.recall.search.fusion import boost, place
from afterword.pipeline.recall.search.model import ArmShare, Explanation, TermShare
from afterword.pipeline.recall.search.neighbours import Places
from afterword.pipeline.recall.search.ranking import Ranking
from afterword.pipeline.recall.search.scoring import FAR, Arm, TermPostings


def explanations(ranking: Ranking, ids: Sequence[int]) -> list[Explanation]:
    """Return why some memories have the score they have."""
    return [
        Explanation(
            arms=tuple(_arm_share(arm, row_id) for arm in ranking.arms),
            terms=tuple(_term_share(term, ranking.places, row_id) for term in ranking.terms),
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
    return ArmShare(arm.name, place(arm.score, row_id), score, own, window, session, answer)


def _term_share(term: TermPostings, places: Places, row_id: int) -> TermShare:
    near = _with_neighbours({row_id}, places)
    number = places.session[row_id]
    is_own = _holds(term, {row_id})
    window = 1.0 if _holds(term, near) else FAR * _holds(term, _with_neighbours(near, places))
    in_session = is_own or bool(number and np.any(places.session[term.ids] == number))
    shares = (is_own, window, in_session)
    return TermShare(term.name, *(term.weight * share for share in shares))


def _with_neighbours(ids: set[int], places: Places) -> set[int]:
    return ids | {int(linked[one]) for one in ids for linked in (places.before, places.after)}


def _holds(term: TermPostings, ids: set[int]) -> bool:
    return bool(np.isin(term.ids, list(ids - {0})).any())

"""The step that reviews finished turns, and keeps what they teach."""

from collections.abc import Sequence
from typing import Final

from afterword.pipeline.domain.learnings.area import REVIEW_TURN
from afterword.pipeline.domain.learnings.review import review_turn
from afterword.pipeline.domain.skills import Role
from afterword.pipeline.operations.loop.model import Learner, LoopStep


def _review(of: Learner, _roles: Sequence[Role]) -> int | None:
    """Review the turn that the job names; return how many learnings that changed."""
    if of.turns is None or of.leases is None:
        return None
    (lease,) = of.leases
    verdict = review_turn(of.turns(), int(lease.payload["turn"]))
    return int(verdict in ("learned", "repeated"))


REVIEW_STEP: Final = LoopStep(
    name=REVIEW_TURN.name,
    run=_review,
    changes=int,
)
"""A job's step: the turn that is finished adds it. It is never due by itself, so a replay, which
has decisions and no turns, passes over it (decision record 0089)."""

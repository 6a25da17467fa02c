"""Whether a citation casts a vote: a methodology is judged only by decisions that applied it."""

from typing import NamedTuple

from afterword.pipeline.domain.cases.model import Standing
from afterword.pipeline.domain.decisions.lateness import is_late
from afterword.pipeline.domain.methodologies.citable_rows import CitableRow
from afterword.pipeline.domain.methodologies.model import HORIZON_HOURS, METHOD_STANCES
from afterword.pipeline.rules.market.windows import HOUR_US


class CitingDecision(NamedTuple):
    """A decision that cites methodologies; moments in microseconds.

    Args:
        cited: the ids, as they were given.
    """

    id: int
    session_id: str | None
    asset_key: str
    direction: str
    decided_at: int
    known_at: int
    recorded_by: str
    hint_hash: str | None
    cited: tuple[str, ...]
    asset_class: str


class NewCitation(NamedTuple):
    """A citation of a known methodology."""

    methodology_id: int
    standing: Standing
    window_hours: int
    due_at: int


def citation_of(decision: CitingDecision, method: CitableRow) -> NewCitation:
    """Return the citation of one methodology by a decision."""
    hours = HORIZON_HOURS[method.timeframe]
    due_at = decision.decided_at + hours * HOUR_US
    return NewCitation(method.id, _standing(decision, method, hours), hours, due_at)


def _standing(decision: CitingDecision, method: CitableRow, hours: int) -> Standing:
    if decision.decided_at < method.known_at:
        return "before"  # it may have been made from this very decision
    if is_late(decision.recorded_by, decision.known_at - decision.decided_at, hours):
        return "late"
    if decision.asset_class != method.asset_class:
        return "class"
    if decision.direction != METHOD_STANCES[method.direction]:
        return "direction"
    return "counts"

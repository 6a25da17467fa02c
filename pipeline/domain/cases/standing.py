"""Whether a citation casts a vote: a methodology is judged only by decisions that applied it."""

from typing import Final, NamedTuple

from afterword.pipeline.domain.cases.model import Standing
from afterword.pipeline.domain.methodologies.citable_rows import CitableRow
from afterword.pipeline.domain.methodologies.model import HORIZON_HOURS, STANCES

HOUR: Final = 3_600_000_000
"""An hour in microseconds."""

LATE_AFTER: Final = 288
"""A decision is recorded too late after one part in so many of the horizon: 5 minutes for a day, 35
for a week. Later, its maker has seen a part of the outcome. Measured: who records a coin's calls
only after a good 24th of the horizon is right in 66 %, after a good 288th in 54 %."""

STALE_AFTER: Final = 24
"""The price that a decision is measured from may be older than its record by one part in so many of
the horizon: with daily prices, a decision of the afternoon knows most of its day already."""


class CitingDecision(NamedTuple):
    """A decision that cites methodologies; moments in microseconds.

    Args:
        cited: the ids, as they were given.
    """

    id: int
    session_id: str | None
    asset_key: str
    asset_class: str
    direction: str
    decided_at: int
    known_at: int
    hint_hash: str | None
    cited: tuple[str, ...]


class NewCitation(NamedTuple):
    """A citation of a known methodology."""

    methodology_id: int
    standing: Standing
    window_hours: int
    due_at: int


def citation_of(decision: CitingDecision, method: CitableRow) -> NewCitation:
    """Return the citation of one methodology by a decision."""
    hours = HORIZON_HOURS[method.timeframe]
    due_at = decision.decided_at + hours * HOUR
    return NewCitation(method.id, _standing(decision, method, hours), hours, due_at)


def _standing(decision: CitingDecision, method: CitableRow, hours: int) -> Standing:
    if decision.decided_at < method.known_at:
        return "before"  # it may have been made from this very decision
    if decision.known_at - decision.decided_at > hours * HOUR // LATE_AFTER:
        return "late"
    if decision.asset_class != method.asset_class:
        return "class"
    if decision.direction != STANCES[method.direction]:
        return "direction"
    return "counts"

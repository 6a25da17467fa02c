"""A few figures of a replay: how often its rules were right, and what that earned at equal risk.

Placebos are left out. Of a part of the span only what was known by its end is counted, so that the
figures are those of a replay that ended there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.core.store import driver_cursor
from afterword.pipeline.domain.cases.votes import IS_HIT
from afterword.pipeline.domain.outcomes.counting import COUNTS
from afterword.pipeline.domain.outcomes.model import RULE_VERSION
from afterword.pipeline.operations.replay.roles import role_of
from afterword.pipeline.rules.evidence.equity import RiskedDecision, equity
from afterword.pipeline.rules.evidence.method_record import MethodVote, method_stretches
from afterword.pipeline.rules.evidence.rates import base_rate
from afterword.pipeline.rules.market.exact import PPB
from afterword.pipeline.rules.market.outcome import Stance

FIGURE_DIGITS: Final = 6
"""Digits of a figure after the point."""

_PLACEBOS: Final = role_of("fixed")
_UNKNOWN_BASE: Final = base_rate(0, 0)
_JUDGED: Final = f"""
SELECT m.known_at, o.known_at, m.asset_key, m.direction, o.entry_at, o.exit_at, o.window_verdict,
  o.base_ppb, o.move_ppb, o.sigma_ppb, o.costs_ppb
FROM role_memory AS m CROSS JOIN outcomes AS o ON o.subject_kind = 'decision'
  AND o.subject_id = m.id AND o.rule_version = {RULE_VERSION} AND o.window_hours = ?
WHERE m.role_id <> '{_PLACEBOS}' AND {COUNTS} ORDER BY m.id
"""


@dataclass(frozen=True, slots=True)
class SweepFigures:
    """How the decisions of rules did.

    Args:
        decisions: those whose outcome is known; count.
        stretches: those that vote, as methodologies count them: votes never overlap; count.
        hit_rate: share of these that were right; None without one.
        base_rate: the share without skill, as known when each was decided.
        edge: hit rate minus base rate.
        mean_result: of a decision, after costs, over the deviation of such moves; σ. None without a
            decision that took a position.
    """

    decisions: int
    stretches: int
    hit_rate: float | None
    base_rate: float | None
    edge: float | None
    mean_result: float | None


class JudgedDecision(NamedTuple):
    """A decision of a rule with its outcome over the horizon; moments in microseconds.

    Args:
        at: when it was made.
        known_at: the pass that measured it.
    """

    at: int
    known_at: int
    asset: str
    direction: Stance
    entry_at: int
    exit_at: int
    verdict: str
    base_ppb: int | None
    move_ppb: int
    sigma_ppb: int
    costs_ppb: int


def judged(conn: Connection, horizon_hours: int) -> list[JudgedDecision]:
    """Return the decisions of rules whose outcome over the horizon counts, in their order."""
    lines = driver_cursor(conn).execute(_JUDGED, (horizon_hours,)) or ()
    return [JudgedDecision(*row) for row in lines]


def figures_of(decisions: Sequence[JudgedDecision], from_at: int, to_at: int) -> SweepFigures:
    """Return the figures of a part of the span: made in it, and known by its end.

    Args:
        from_at, to_at: microseconds.
    """
    settled = [
        decision
        for decision in decisions
        if from_at <= decision.at < to_at and decision.known_at <= to_at
    ]
    stretches = [stretch for stretch in method_stretches(map(_vote, settled)) if stretch.voted]
    count = len(stretches)
    hits = sum(stretch.hits for stretch in stretches)
    expected = sum(stretch.expected for stretch in stretches)
    risked = equity(_risked(decision) for decision in settled if decision.sigma_ppb > 0)
    return SweepFigures(
        len(settled),
        count,
        _share(hits, count),
        _share(expected, count),
        _share(hits - expected, count),
        None if risked.decided.mean is None else round(risked.decided.mean, FIGURE_DIGITS),
    )


def _share(part: float, count: int) -> float | None:
    return round(part / count, FIGURE_DIGITS) if count else None


def _vote(decision: JudgedDecision) -> MethodVote:
    base = _UNKNOWN_BASE if decision.base_ppb is None else decision.base_ppb / PPB
    return MethodVote(
        decision.entry_at, decision.exit_at, decision.asset, IS_HIT[decision.verdict], base
    )


def _risked(decision: JudgedDecision) -> RiskedDecision:
    risk = decision.move_ppb, decision.sigma_ppb, decision.costs_ppb
    return RiskedDecision(
        decision.entry_at, decision.exit_at, decision.asset, decision.direction, *risk
    )

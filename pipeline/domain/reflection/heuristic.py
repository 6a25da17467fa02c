"""The judge by rule: its class is the rule's, its words state measured numbers only.

It advises nothing. What the record of a setup supports is told as a pattern; here a lesson is one
case, a filled template that says so.
"""

from collections.abc import Iterator
from datetime import UTC, timedelta
from decimal import Decimal
from typing import Final

from afterword.pipeline.domain.decisions.model import MAX_NARRATIVE, DecisionVerdict
from afterword.pipeline.domain.outcomes.model import MeasuredOutcome, PlanResult
from afterword.pipeline.domain.reflection.case import Case
from afterword.pipeline.domain.reflection.judge import MAX_LESSON, JudgeOpinion
from afterword.pipeline.domain.reflection.measure import number
from afterword.pipeline.domain.reflection.rule_class import class_by_rule, lacking
from afterword.pipeline.domain.reflection.standing import SetupStanding
from afterword.pipeline.domain.skills import PeerRelative
from afterword.pipeline.rules.market.exact import share_of
from afterword.pipeline.rules.text.line import one_line

_SUFFIX: Final = " (a filled template, no model)."
_HOUR: Final = timedelta(hours=1)
_PLANS: Final[dict[PlanResult, str]] = {
    "target_first": "its target came before its stop",
    "stop_first": "its stop came before its target",
    "neither": "neither its stop nor its target came",
    "same_bar": "its stop and its target came in one bar",
}


class HeuristicJudge:
    """A `DecisionJudge` by rule: the same case always gets the same verdict."""

    name = "heuristic"
    at_once = 0

    def classify(self, case: Case, group: str) -> JudgeOpinion:  # noqa: ARG002 - the protocol's
        """Return the class by rule, and the numbers it comes from."""
        story = "; ".join([str(case.measured["why"]), *_numbers(case)])
        return JudgeOpinion(class_by_rule(case), one_line(story, MAX_NARRATIVE))

    def draft(self, case: Case, verdict: DecisionVerdict, group: str) -> str:  # noqa: ARG002
        """Fill the template: the record or the source that spoke against it, and this one case."""
        decision = case.decision
        about = f"{decision.direction} {decision.asset}" if decision.asset else case.role.label
        day = decision.decided_at.astimezone(UTC).date()
        lesson = f"{_before(case, about)}One case: {about} of {day} {_result(case)}"
        return one_line(lesson, MAX_LESSON - len(_SUFFIX)) + _SUFFIX


def _before(case: Case, about: str) -> str:
    """Return the sentence about what was known before such a decision; empty if nothing was."""
    standing, missed = case.standing, lacking(case)
    if standing is not None and standing.is_confirmed_failing:
        counted = f"{standing.count}, more often wrong than chance explains"
        return f"Before another {standing.setup} know its record in this role: {counted}. "
    if missed:
        last = missed[-1]
        at = last.known_at.astimezone(UTC).strftime("%Y-%m-%d %H:%M")
        had = f"which had something by {at} UTC that this one did not rest on"
        return f"Before another {about} read {last.source}, {had}. "
    return ""


def _result(case: Case) -> str:
    """Describe the outcome of a decision; without a price, by the probe's own explanation."""
    change, band = number(case.measured, "change"), number(case.measured, "band")
    if change is None or band is None:
        return f"went wrong ({case.measured['why']})"
    probe = case.role.reflection_policy.outcome_probe
    beside = " beside its peers" if isinstance(probe, PeerRelative) else ""
    move = f"a {'rise' if change > 0 else 'fall'} of {abs(change) * 100:.2f} %{beside}"
    return f"met {move} in {_window(case)}, noise band {band * 100:.2f} %"


def _numbers(case: Case) -> Iterator[str]:
    """Yield what was measured, one clause for each number that is known."""
    trend, outcome, standing = number(case.measured, "trend_before"), case.outcome, case.standing
    if trend is not None:
        yield f"{_percent(trend)} in the {_window(case)} before"
    if outcome is not None:
        yield from _measured(outcome)
    if standing is not None:
        yield _record(standing)
    if missed := lacking(case):
        sources = ", ".join(sorted({item.source for item in missed}))
        items = "1 item" if len(missed) == 1 else f"{len(missed)} items"
        yield f"{sources} had {items} by then that it did not rest on"
    for failure in case.failed:
        yield f"{failure.source} could not be asked"


def _measured(outcome: MeasuredOutcome) -> Iterator[str]:
    if outcome.residual_ppb is not None and outcome.market_symbol is not None:
        where = "inside" if abs(outcome.residual_ppb) <= outcome.band_ppb else "beyond"
        share = _percent(share_of(outcome.residual_ppb))
        yield f"{share} without the move of {outcome.market_symbol}, {where} the band"
    if outcome.volatility is not None:
        yield f"{outcome.volatility} volatility for its year"
    if outcome.plan is not None:
        earned = "" if outcome.plan_ppb is None else f" ({_percent(share_of(outcome.plan_ppb))})"
        yield f"{_PLANS[outcome.plan]}{earned}"


def _record(standing: SetupStanding) -> str:
    """State the record of a setup, and what may be said of it; mostly nothing."""
    if not standing.n_eff:
        return f"{standing.setup} in this role had no record yet"
    if standing.failing == "confirmed":
        told = "confirmed as failing" + ("" if standing.is_told else " for other assets")
    elif standing.works == "confirmed":
        told = "confirmed as working"
    elif "emerging" in (standing.failing, standing.works):
        told = "a hint, no more"
    else:
        told = "not told apart from luck"
    return f"{standing.setup} in this role had been {standing.count}: {told}"


def _percent(share: Decimal) -> str:
    return f"{share * 100:+.2f} %"


def _window(case: Case) -> str:
    return f"{case.window // _HOUR} h"

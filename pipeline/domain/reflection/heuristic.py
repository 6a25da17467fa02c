"""The judge by rule: thresholds on the outcome and on the price move known at the decision.

Its lessons are templates filled with the failure modes of the role, and say so.
"""

from dataclasses import dataclass
from datetime import UTC, timedelta
from decimal import Decimal
from typing import Final

from afterword.pipeline.domain.decisions.model import MAX_NARRATIVE, DecisionVerdict
from afterword.pipeline.domain.reflection.case import Case
from afterword.pipeline.domain.reflection.judge import MAX_LESSON, JudgeOpinion
from afterword.pipeline.domain.reflection.measure import number
from afterword.pipeline.domain.skills import PeerRelative
from afterword.pipeline.rules.text.line import one_line

SHOCK_BANDS: Final = 10
"""A move beyond so many bands could not be foreseen: the band is a quarter of the market's own
deviation plus costs, so this is some two and a half deviations, one window in eighty."""

_AGAINST: Final = frozenset({"against", "trend", "direction", "faded", "longer", "stood"})
_CHASED: Final = frozenset({"chased", "after", "anchored", "over", "late", "recent", "extended"})
_ALONE: Final = frozenset({"confirm", "single", "ignored", "looked", "missed"})
_SOON: Final = frozenset({"after", "faded"})
_RESTED: Final = frozenset(
    {"calm", "event", "events", "news", "quiet", "range", "rest", "scheduled"}
)
"""Words of failure modes, by case: the decision went against a known move, followed one, had none
(and what cannot have happened then), or expected a quiet price."""

_SUFFIX: Final = " (a filled template, no model)."
_HOUR: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class _PriorMove:
    """The price move before a decision, and how the decision relates to it.

    Args:
        where: the relation in words, such as ` after a rise`.
        detail: the same with its numbers.
        fitting: words of failure modes that fit.
        impossible: words of failure modes that cannot have happened.
        advice: what to do before such a decision.
    """

    where: str
    detail: str
    fitting: frozenset[str]
    impossible: frozenset[str]
    advice: str


class HeuristicJudge:
    """A `DecisionJudge` by rule: the same case always gets the same verdict."""

    name = "heuristic"
    at_once = 0

    def classify(self, case: Case, group: str) -> JudgeOpinion:  # noqa: ARG002 - the protocol's
        """Return the class the numbers give: a shock, no data, or an error."""
        change, band = number(case.measured, "change"), number(case.measured, "band")
        why = str(case.measured["why"])
        if change is not None and band and abs(change) >= SHOCK_BANDS * band:
            size = f"{abs(change) / band:.0f} times the band"
            return JudgeOpinion(
                "exogenous", _story(f"{why}: {size}, beyond what the market does by itself")
            )
        if not case.context and not _other_inputs(case):
            return JudgeOpinion(
                "missing_data", _story(f"{why}; nothing but the asset was recorded with it")
            )
        return JudgeOpinion("logic_error", _story(f"{why}; {_prior_move(case).detail}"))

    def draft(self, case: Case, verdict: DecisionVerdict, group: str) -> str:  # noqa: ARG002
        """Fill the template: what to check before such a decision, and the result of this one."""
        decision, prior = case.decision, _prior_move(case)
        about = f"{decision.direction} {decision.asset}" if decision.asset else case.role.label
        if verdict.classification == "missing_data":
            advice = f": look up its last {_window(case)}, and record them with the reason"
            blind = " rested on nothing that was recorded and"
        else:
            advice, blind = f"{prior.where}: {_check(case, prior)}{prior.advice}", ""
        day = decision.decided_at.astimezone(UTC).date()
        result = f"This one, of {day},{blind} {_result(case)}; {prior.detail}"
        lesson = f"Before another {about}{advice}. {result}"
        return one_line(lesson, MAX_LESSON - len(_SUFFIX)) + _SUFFIX


def _other_inputs(case: Case) -> list[str]:
    """Return the names of the inputs other than the assets."""
    probe = case.role.reflection_policy.outcome_probe
    names = {getattr(probe, name, None) for name in ("asset_field", "peers_field")}
    return [name for name in case.decision.inputs if name not in names]


def _result(case: Case) -> str:
    """Describe the outcome of a decision; without a price, by the probe's own explanation."""
    change, band = number(case.measured, "change"), number(case.measured, "band")
    if change is None or band is None:
        return f"went wrong ({case.measured['why']})"
    probe = case.role.reflection_policy.outcome_probe
    beside = " beside its peers" if isinstance(probe, PeerRelative) else ""
    move = f"a {_direction(change)} of {abs(change) * 100:.2f} %{beside} in {_window(case)}"
    return f"met {move}, beyond its noise band of {band * 100:.2f} %"


def _prior_move(case: Case) -> _PriorMove:
    """Compare a decision with the price move before it."""
    trend, band = number(case.measured, "trend_before"), number(case.measured, "band")
    window, is_rest = _window(case), case.decision.direction == "neutral"
    if trend is None or band is None:
        detail = "no move before it is known"
        return _PriorMove("", detail, _ALONE, frozenset(), "wait for what would speak against it")
    size = f"a move of {trend * 100:+.2f} % in the {window} before"
    if is_rest and abs(trend) <= band:
        advice = f"find out what is due in the next {window}, for a quiet stretch promises no other"
        return _PriorMove(" in a quiet market", f"{size} was quiet", _RESTED, frozenset(), advice)
    if is_rest:
        advice = "wait until that move has ended"
        where = f" after a {_direction(trend)}"
        return _PriorMove(where, f"{size} was no sign of rest", _RESTED, frozenset(), advice)
    if abs(trend) <= band:
        advice = "wait for a second reason to take it"
        where = " without a move before it"
        return _PriorMove(where, f"{size} gave no direction", _ALONE, _SOON, advice)
    if (trend > 0) == (case.decision.direction == "long"):
        where, advice = f" after a {_direction(trend)}", "wait unless something new carries it on"
        return _PriorMove(where, f"it followed {size}", _CHASED, _AGAINST, advice)
    where, advice = f" against a {_direction(trend)}", "wait for a sign that it has ended"
    return _PriorMove(where, f"it stood against {size}", _AGAINST, _CHASED, advice)


def _check(case: Case, prior: _PriorMove) -> str:
    """Name the failure mode of the role that fits; if none does, all that are possible."""
    modes = case.role.failure_modes
    fits = [len(prior.fitting & _words(mode)) for mode in modes]
    if any(fits):
        named = [modes[fits.index(max(fits))]]
    elif prior.fitting is _RESTED:
        named = []  # failure modes of directions do not apply to a quiet price
    else:
        named = [mode for mode in modes if not prior.impossible & _words(mode)]
    listed = " or ".join(f"“{mode}”" for mode in named)
    return f"check for {listed}, and " if listed else ""


def _words(mode: str) -> frozenset[str]:
    return frozenset(mode.lower().split())


def _direction(share: Decimal) -> str:
    return "rise" if share > 0 else "fall"


def _window(case: Case) -> str:
    return f"{case.window // _HOUR} h"


def _story(text: str) -> str:
    return one_line(text, MAX_NARRATIVE)

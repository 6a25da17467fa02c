"""The judge that asks nobody: thresholds on the outcome, and on what was known at the time.

Its lessons are templates filled with the role's own failure modes, and say so.
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
"""A move beyond so many bands was nobody's to foresee: the band is a quarter of the market's own
deviation and costs, so this is some two and a half deviations, one window in eighty."""

_AGAINST: Final = frozenset({"against", "trend", "direction", "faded", "longer", "stood"})
_CHASED: Final = frozenset({"chased", "after", "anchored", "over", "late", "recent", "extended"})
_ALONE: Final = frozenset({"confirm", "single", "ignored", "looked", "missed"})
_SOON: Final = frozenset({"after", "faded"})
_RESTED: Final = frozenset(
    {"calm", "event", "events", "news", "quiet", "range", "rest", "scheduled"}
)
"""Words of failure modes by what happened: against a known move, behind one, without one (and what
then cannot have happened), and where a price was said to rest."""

_MADE: Final = " (a filled template, no model)."
_HOUR: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class _Stood:
    """How a decision stood to the move that was known when it was made.

    Args:
        where: follows what the decision was about: ` after a rise`.
        said: the same with its numbers.
        signs: words of the failure modes that fit.
        strange: words of those that cannot.
        then: what to do before such a decision.
    """

    where: str
    said: str
    signs: frozenset[str]
    strange: frozenset[str]
    then: str


class HeuristicJudge:
    """A `Judge` by rule: the same case is judged the same, everywhere."""

    name = "heuristic"
    at_once = 0

    def classify(self, case: Case, group: str) -> JudgeOpinion:  # noqa: ARG002 - the protocol's
        """Say what the numbers say: a shock, a decision on nothing, or a wrong one."""
        change, band = number(case.measured, "change"), number(case.measured, "band")
        why = str(case.measured["why"])
        if change is not None and band and abs(change) >= SHOCK_BANDS * band:
            size = f"{abs(change) / band:.0f} times the band"
            return JudgeOpinion(
                "exogenous", _story(f"{why}: {size}, beyond what the market does by itself")
            )
        if not case.context and not _facts(case):
            return JudgeOpinion(
                "missing_data", _story(f"{why}; nothing but the asset was recorded with it")
            )
        return JudgeOpinion("logic_error", _story(f"{why}; {_stood(case).said}"))

    def draft(self, case: Case, verdict: DecisionVerdict, group: str) -> str:  # noqa: ARG002
        """Fill the template: what to check before such a decision, and how this one went."""
        decision, stood = case.decision, _stood(case)
        about = f"{decision.direction} {decision.asset}" if decision.asset else case.role.label
        if verdict.classification == "missing_data":
            advice = f": look up its last {_window(case)}, and record them with the reason"
            blind = " rested on nothing that was recorded and"
        else:
            advice, blind = f"{stood.where}: {_check(case, stood)}{stood.then}", ""
        day = decision.decided_at.astimezone(UTC).date()
        said = (
            f"Before another {about}{advice}. This one, of {day},{blind} {_met(case)}; {stood.said}"
        )
        return one_line(said, MAX_LESSON - len(_MADE)) + _MADE  # however long, it says what it is


def _facts(case: Case) -> list[str]:
    """Return the inputs that say more than which assets it is about."""
    probe = case.role.reflection_policy.outcome_probe
    names = {getattr(probe, name, None) for name in ("asset_field", "peers_field")}
    return [name for name in case.decision.inputs if name not in names]


def _met(case: Case) -> str:
    """Say what came of the decision; in the words of whoever measured it where it is no price."""
    change, band = number(case.measured, "change"), number(case.measured, "band")
    if change is None or band is None:
        return f"went wrong ({case.measured['why']})"
    probe = case.role.reflection_policy.outcome_probe
    beside = " beside its peers" if isinstance(probe, PeerRelative) else ""
    move = f"a {_way(change)} of {abs(change) * 100:.2f} %{beside} in {_window(case)}"
    return f"met {move}, beyond its noise band of {band * 100:.2f} %"


def _stood(case: Case) -> _Stood:
    """Say how the decision stood to the move before it, and what that asks for."""
    trend, band = number(case.measured, "trend_before"), number(case.measured, "band")
    window, is_rest = _window(case), case.decision.direction == "neutral"
    if trend is None or band is None:
        said = "no move before it is known"
        return _Stood("", said, _ALONE, frozenset(), "wait for what would speak against it")
    size = f"a move of {trend * 100:+.2f} % in the {window} before"
    if is_rest and abs(trend) <= band:
        then = f"find out what is due in the next {window}, for a quiet stretch promises no other"
        return _Stood(" in a quiet market", f"{size} was quiet", _RESTED, frozenset(), then)
    if is_rest:
        then = "wait until that move has ended"
        where = f" after a {_way(trend)}"
        return _Stood(where, f"{size} was no sign of rest", _RESTED, frozenset(), then)
    if abs(trend) <= band:
        then = "wait for a second reason to take it"
        where = " without a move before it"
        return _Stood(where, f"{size} gave no direction", _ALONE, _SOON, then)
    if (trend > 0) == (case.decision.direction == "long"):
        where, then = f" after a {_way(trend)}", "wait unless something new carries it on"
        return _Stood(where, f"it followed {size}", _CHASED, _AGAINST, then)
    where, then = f" against a {_way(trend)}", "wait for a sign that it has ended"
    return _Stood(where, f"it stood against {size}", _AGAINST, _CHASED, then)


def _check(case: Case, stood: _Stood) -> str:
    """Name the failure mode of the role that fits what happened; where none does, all that can."""
    modes = case.role.failure_modes
    fits = [len(stood.signs & _words(mode)) for mode in modes]
    if any(fits):
        named = [modes[fits.index(max(fits))]]
    elif stood.signs is _RESTED:
        named = []  # what goes wrong with directions says nothing of rest
    else:
        named = [mode for mode in modes if not stood.strange & _words(mode)]
    listed = " or ".join(f"“{mode}”" for mode in named)
    return f"check for {listed}, and " if listed else ""


def _words(mode: str) -> frozenset[str]:
    return frozenset(mode.lower().split())


def _way(share: Decimal) -> str:
    return "rise" if share > 0 else "fall"


def _window(case: Case) -> str:
    return f"{case.window // _HOUR} h"


def _story(text: str) -> str:
    return one_line(text, MAX_NARRATIVE)

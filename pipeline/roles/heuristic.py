"""The judge that asks nobody: thresholds on the outcome, and on what was known at the time.

Its lessons are templates filled with the role's own failure modes, and say so.
"""

from decimal import Decimal
from typing import Final

from pipeline.roles.case import Case, number
from pipeline.roles.judge import MAX_LESSON, MAX_NARRATIVE, Said
from pipeline.roles.model import Verdict
from pipeline.text.line import one_line

SHOCK_BANDS: Final = 10
"""A move beyond so many bands was nobody's to foresee: the band is a quarter of the market's own
deviation and costs, so this is some two and a half deviations, one window in eighty."""

_AGAINST: Final = frozenset({"against", "trend", "direction", "faded", "longer", "stood"})
_CHASED: Final = frozenset({"chased", "after", "anchored", "over", "late", "recent", "extended"})
_ALONE: Final = frozenset({"confirm", "single", "ignored", "looked", "missed", "without"})
"""Words of failure modes by what happened: against a known move, behind one, without one."""


class HeuristicJudge:
    """A `Judge` by rule: the same case is judged the same, everywhere."""

    name = "heuristic"
    at_once = 0

    def classify(self, case: Case, group: str) -> Said:  # noqa: ARG002 - the protocol's
        """Say what the numbers say: a shock, a decision on nothing, or a wrong one."""
        change, band = number(case.measured, "change"), number(case.measured, "band")
        why = str(case.measured["why"])
        if change is not None and band and abs(change) >= SHOCK_BANDS * band:
            size = f"{abs(change) / band:.0f} times the band"
            return Said(
                "exogenous", _story(f"{why}: {size}, beyond what the market does by itself")
            )
        if not case.context and not _facts(case):
            return Said(
                "missing_data", _story(f"{why}; nothing but the asset was recorded with it")
            )
        return Said("logic_error", _story(f"{why}; {_stood(case)}"))

    def draft(self, case: Case, verdict: Verdict, group: str) -> str:  # noqa: ARG002
        """Fill the template: what to check before such a decision, and what this one did."""
        decision = case.decision
        about = f"{decision.direction} {decision.asset}" if decision.asset else case.role.label
        if verdict.classification == "missing_data":
            check = "record what it is decided on: prices, tool outputs, reasons"
        else:
            check = f"check for {_failures(case)}"
        story = f"{verdict.measured['why']}; {_stood(case)}"
        return one_line(
            f"Before another {about}: {check}. This one: {story} (a filled template, no model).",
            MAX_LESSON,
        )


def _facts(case: Case) -> list[str]:
    """Return the inputs that say more than which assets it is about."""
    probe = case.role.reflection_policy.outcome_probe
    names = {getattr(probe, name, None) for name in ("asset_field", "peers_field")}
    return [name for name in case.decision.inputs if name not in names]


def _stood(case: Case) -> str:
    """Say how the decision stood to the move that was known when it was made."""
    trend, band = number(case.measured, "trend_before"), number(case.measured, "band")
    if trend is None or band is None:
        return "no move before it is known"
    size = f"a move of {trend * 100:+.2f} % before it"
    if abs(trend) <= band:
        return f"{size} gave no direction"
    if case.decision.direction == "neutral":
        return f"{size} was no sign of rest"
    return f"it {'followed' if _follows(case, trend) else 'stood against'} {size}"


def _failures(case: Case) -> str:
    """Name the failure mode of the role that fits what happened; all of them where none does."""
    modes = case.role.failure_modes
    trend, band = number(case.measured, "trend_before"), number(case.measured, "band")
    if trend is None or band is None or abs(trend) <= band:
        signs = _ALONE
    else:
        signs = _CHASED if _follows(case, trend) else _AGAINST
    fits = [len(signs & set(mode.lower().split())) for mode in modes]
    named = [modes[fits.index(max(fits))]] if any(fits) else modes
    return " or ".join(f"“{mode}”" for mode in named)


def _follows(case: Case, trend: Decimal) -> bool:
    return (trend > 0) == (case.decision.direction == "long")


def _story(text: str) -> str:
    return one_line(text, MAX_NARRATIVE)

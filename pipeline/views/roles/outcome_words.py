"""The lines about what became of a decision: its measurement, and the windows of the ladder."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from afterword.pipeline.clock import from_micros
from afterword.pipeline.domain.decisions.ladder import own_window
from afterword.pipeline.domain.outcomes.model import LADDER_HOURS, MeasuredOutcome, PlanResult
from afterword.pipeline.domain.skills import Role
from afterword.pipeline.rules.market.exact import share_of
from afterword.pipeline.views.words import moment

_PLANS: Final[dict[PlanResult, str]] = {
    "target_first": "target first",
    "stop_first": "stop first",
    "same_bar": "stop and target in one bar, counted at the stop",
    "neither": "neither stop nor target by the end",
}


def measured_lines(
    outcomes: Sequence[MeasuredOutcome], role: Role | None, *, is_planned: bool
) -> dict[str, str]:
    """Return the lines about the outcome over the role's own window, by name.

    Args:
        outcomes: of one decision, the shortest window first.
        role: None where no skill declares it any more; the shortest window is shown then.
        is_planned: whether the decision has a stop or a target.
    """
    if not outcomes:
        return {}
    own = own_window(role)
    outcome = next((found for found in outcomes if found.window_hours == own), outcomes[0])
    against, with_it = (
        ("fell", "rose") if outcome.direction == "neutral" else ("against it", "with it")
    )
    return {
        "measured over": _window(outcome.window_hours),
        "entered": _entry(outcome),
        "trend before": ""
        if outcome.trend_ppb is None
        else f"{outcome.trend}, {_percent(outcome.trend_ppb)}",
        "volatility": ""
        if outcome.volatility is None
        else f"{outcome.volatility} for its past year",
        "base rate": _base_rate(outcome),
        against: _excursion(outcome.mae_sure_ppb, outcome.mae_possible_ppb),
        with_it: _excursion(outcome.mfe_sure_ppb, outcome.mfe_possible_ppb),
        "market": _market(outcome),
        "plan result": _plan_result(outcome) if is_planned else "",
        "result in USD": ""
        if outcome.result_micro_usd is None
        else f"{Decimal(outcome.result_micro_usd) / 1_000_000:+,.2f}",
    }


def _entry(outcome: MeasuredOutcome) -> str:
    """Say the entry of an outcome: when, at which price, how long after the decision."""
    line = f"{moment(from_micros(outcome.entry_at))} at {outcome.entry_price}"
    if outcome.entry_age_us is None:
        return f"{line}, the last price before it (rules {outcome.rule_version})"
    minutes = outcome.entry_age_us / 60_000_000
    after = f"{minutes / 60:,.1f} h" if minutes >= 60 else f"{minutes:,.1f} min"
    return f"{line}, {after} after it" if minutes else f"{line}, at its moment"


def ladder_lines(outcomes: Sequence[MeasuredOutcome]) -> dict[str, str]:
    """Return one line for each window that was measured, by name."""
    return {f"after {_window(one.window_hours)}": _on_ladder(one) for one in outcomes}


def _on_ladder(outcome: MeasuredOutcome) -> str:
    parts = [_percent(outcome.move_ppb), outcome.window_verdict]
    if outcome.result_ppb is not None:
        parts.append(f"{_percent(outcome.result_ppb)} after costs")
    if outcome.residual_ppb is not None:
        parts.append(f"{_percent(outcome.residual_ppb)} beyond the market")
    return ", ".join(parts)


def _window(hours: int) -> str:
    return f"{hours // 24} d" if hours in LADDER_HOURS else f"{hours} h"


def _base_rate(outcome: MeasuredOutcome) -> str:
    if outcome.base_ppb is None:
        return ""
    text = f"{share_of(outcome.base_ppb) * 100:.0f} % of such calls are right without skill"
    if outcome.setup_base_ppb is None:
        return text
    after = f"{share_of(outcome.setup_base_ppb) * 100:.0f} % after such a move"
    return f"{text}, {after} ({outcome.setup_votes} windows)"


def _excursion(sure: int | None, possible: int | None) -> str:
    if sure is None or possible is None:
        return ""
    words = f"up to {_percent(sure)}"
    return words if sure == possible else f"{words}, possibly {_percent(possible)}"


def _market(outcome: MeasuredOutcome) -> str:
    if outcome.market_ppb is None or outcome.beta_ppb is None:
        return ""
    moved = f"{outcome.market_symbol} {_percent(outcome.market_ppb)} in the same time"
    return f"{moved}, beta {share_of(outcome.beta_ppb):.2f}"


def _plan_result(outcome: MeasuredOutcome) -> str:
    if outcome.plan_passed:
        return "its stop or target was passed at the entry: the window decides"
    if outcome.plan is None or outcome.plan_ppb is None:
        return "none: a neutral call has no stop and no target"
    at = "" if outcome.plan_at is None else f", {moment(from_micros(outcome.plan_at))}"
    return f"{_PLANS[outcome.plan]}{at}: {_percent(outcome.plan_ppb)} after costs"


def _percent(ppb: int) -> str:
    return f"{share_of(ppb) * 100:+.2f} %"

"""An outcome for JSON: shares as decimal numbers, moments as such."""

from typing import Any, Final

from afterword.pipeline.clock import from_micros
from afterword.pipeline.domain.outcomes.model import MeasuredOutcome
from afterword.pipeline.rules.market.exact import share_of

_NAMES: Final = {"plan_ppb": "plan_result", "trend_ppb": "trend_before"}
"""Columns whose name without its unit is that of another column."""


def outcome_answer(outcome: MeasuredOutcome) -> dict[str, Any]:
    """Return an outcome for JSON: shares as decimal numbers, moments as such."""
    return {
        _NAMES.get(name, name.removesuffix("_ppb")): _answer(name, value)
        for name, value in outcome._asdict().items()
    }


def _answer(name: str, value: Any) -> Any:
    if value is None:
        return None
    if name == "plan_passed":
        return bool(value)
    if name.endswith("_ppb"):
        return share_of(value)
    return from_micros(value) if name.endswith("_at") else value

"""Say a measured outcome: as one line, as an `Outcome`, and as the numbers a decision keeps."""

from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final

from afterword.pipeline.clock import from_micros, iso
from afterword.pipeline.domain.outcomes.model import MeasuredOutcome, PlanResult
from afterword.pipeline.rules.market.decimals import plain
from afterword.pipeline.rules.market.exact import share_of
from afterword.pipeline.rules.market.outcome import Outcome, PricePoint

_PLANS: Final[dict[PlanResult, str]] = {
    "target_first": "its target came first",
    "stop_first": "its stop came first",
    "same_bar": "stop and target in one bar, order unknown",
    "neither": "neither its stop nor its target came",
}
_SHARES: Final = {
    "sigma": "sigma_ppb",
    "typical": "typical_ppb",
    "base": "base_ppb",
    "trend_before": "trend_ppb",
    "market_move": "market_ppb",
    "beta": "beta_ppb",
    "residual": "residual_ppb",
    "mae": "mae_sure_ppb",
    "mae_possible": "mae_possible_ppb",
    "mfe": "mfe_sure_ppb",
    "mfe_possible": "mfe_possible_ppb",
    "plan_result": "plan_ppb",
}
"""The further numbers a decision keeps, by name, with the columns they come from."""


def outcome_of(measured: MeasuredOutcome, *, is_beside: bool = False) -> Outcome:
    """Return a measured outcome as a verdict with its explanation.

    Args:
        is_beside: whether the move is beside that of peers.
    """
    return Outcome(
        measured.verdict,
        why_of(measured, is_beside=is_beside),
        change=share_of(measured.move_ppb),
        result=None if measured.result_ppb is None else share_of(measured.result_ppb),
        band=share_of(measured.band_ppb),
        entry=_point(measured, measured.entry_at, measured.entry_price),
        exit=_point(measured, measured.exit_at, measured.exit_price),
    )


def why_of(measured: MeasuredOutcome, *, is_beside: bool = False) -> str:
    """Return one line that explains a verdict."""
    hours = round((measured.exit_at - measured.entry_at) / 3_600_000_000)
    moved = f"{_percent(measured.move_ppb)}{' beside its peers' if is_beside else ''}"
    limit = f"band {_percent(measured.band_ppb, sign='')}"
    if measured.direction == "neutral" and measured.typical_ppb is not None:
        limit = f"typical {_percent(measured.typical_ppb, sign='')}"
    line = f"{measured.direction}: {moved} in {hours} h, {limit}"
    if measured.plan_passed:
        return f"{line}; its stop or target was passed at the entry: the window decides"
    if measured.plan is None or measured.plan_ppb is None:
        return line
    return f"{line}; {_PLANS[measured.plan]}: {_percent(measured.plan_ppb)}"


def numbers_told(measured: MeasuredOutcome) -> dict[str, Any]:
    """Return the numbers of an outcome that a decision keeps beside its verdict."""
    return dict(_numbers(MeasuredOutcome._make((measured.subject_kind, 0, *measured[2:]))))


@lru_cache(maxsize=256)
def _numbers(measured: MeasuredOutcome) -> Mapping[str, Any]:
    """Return the numbers of an outcome: those of several roles at one moment are often equal."""
    numbers: dict[str, Any] = {
        "rule_version": measured.rule_version,
        "window_verdict": measured.window_verdict,
    }
    for name, column in _SHARES.items():
        value = getattr(measured, column)
        if value is not None:
            numbers[name] = str(share_of(value))
    words = ("trend", "volatility", "plan")
    numbers |= {word: value for word in words if (value := getattr(measured, word)) is not None}
    if measured.entry_age_us is not None:
        numbers["entry_age_s"] = plain(Decimal(measured.entry_age_us).scaleb(-6))
    if measured.plan_passed:
        numbers["plan_passed"] = True
    if measured.market_symbol is not None:
        numbers["market"] = measured.market_symbol
    if measured.plan_at is not None:
        numbers["plan_at"] = iso(from_micros(measured.plan_at))
    if measured.result_micro_usd is not None:
        numbers["result_usd"] = str(Decimal(measured.result_micro_usd).scaleb(-6))
    return numbers


def _point(measured: MeasuredOutcome, at: int, price: str) -> PricePoint:
    return PricePoint(measured.source, measured.symbol, from_micros(at), Decimal(price))


def _percent(ppb: int, sign: str = "+") -> str:
    return f"{share_of(ppb) * 100:{sign}.2f} %"

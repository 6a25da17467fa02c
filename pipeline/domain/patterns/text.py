"""The text of a pattern by template: what was counted, against what, and how sure that is."""

from typing import Final

from afterword.pipeline.domain.patterns.model import (
    MAX_PATTERN_CHARS,
    Pattern,
    PatternKey,
    PatternNumbers,
)
from afterword.pipeline.rules.evidence.market_rate import MarketRate
from afterword.pipeline.rules.evidence.model import PatternState, Setup
from afterword.pipeline.rules.evidence.words import MOVES, setup_name
from afterword.pipeline.rules.setup import Direction, Trend
from afterword.pipeline.rules.text.line import one_line
from afterword.pipeline.rules.text.numbers import amount, dollars, percent, signed_percent

_MOST_NAMED: Final = 8
"""Assets that a text names."""


def template_text(
    key: PatternKey,
    state: PatternState,
    is_class: bool,
    assets: tuple[str, ...],
    numbers: PatternNumbers,
) -> str:
    """Return the text of a stored pattern, on one line.

    Args:
        assets: those it may be told of in any case.
    """
    setup = setup_name(Setup(key.direction, key.trend))
    about = f"{setup}, {_scope(key, is_class, assets)}"
    counts = _counts(numbers)
    match state:
        case "confirmed":
            lead = "Failing" if key.side == "failing" else "Works"
            text = f"{lead}: {about}: {counts}. {_sureness(numbers)}"
        case "retired":
            text = (
                f"No longer holds: {about}: {counts}. It was confirmed, and what came after spoke"
                f" against it{_month(' in ', numbers.retired_at)}."
            )
        case _:
            text = f"A hint, not a lesson: {about}: {counts}. {_decided_by(numbers)}"
    return one_line(text, MAX_PATTERN_CHARS)


def market_text(direction: Direction, trend: Trend, market: MarketRate) -> str:
    """Return what the market itself did after a move, in one sentence."""
    return (
        f"After {MOVES[trend]} any {direction} was right {percent(market.rate)} of"
        f" {amount(market.windows)} windows (95 % interval {market.low * 100:.0f} to"
        f" {percent(market.high)}), at any time {percent(market.base)}."
    )


def market_beside(pattern: Pattern) -> str:
    """Return what a prompt tells of the market beside a pattern; mostly empty.

    Only a confirmed pattern has a market, and only one that turned, or went on, beyond doubt is
    told: else prompts would be filled with coin flips.
    """
    market = pattern.numbers.market
    if market is None or not market.is_unlike_base:
        return ""
    return market_text(pattern.direction, pattern.trend, market)


def _scope(key: PatternKey, is_class: bool, assets: tuple[str, ...]) -> str:
    """Name the assets it may be told of."""
    shown = [one_line(name, 40) for name in assets[:_MOST_NAMED]]
    more = len(assets) - len(shown)
    names = ", ".join(shown) + (f" and {more} more" if more else "")
    if is_class:
        return f"all of {key.asset_class}" + (f", most of all {names}" if names else "")
    return names or f"in {key.asset_class}, no single asset"


def _counts(numbers: PatternNumbers) -> str:
    """Tell what was counted, and what would be without skill."""
    parts = [
        f"right {amount(numbers.hits)} of {amount(numbers.n_eff)} stretches"
        f" ({amount(numbers.n)} decisions, base {amount(numbers.expected)})",
        f"95 % interval {numbers.low * 100:.0f} to {percent(numbers.high)}",
    ]
    if numbers.mean_residual is not None:
        parts.append(f"mean {signed_percent(numbers.mean_residual)} beyond the market")
    if numbers.cost_micro_usd:
        word = "lost" if numbers.cost_micro_usd < 0 else "earned"
        parts.append(f"{word} {dollars(numbers.cost_micro_usd)}")
    return ", ".join(parts) + _month(", since ", numbers.first_at)


def _sureness(numbers: PatternNumbers) -> str:
    text = (
        "Chance finds something like this in at most 1 of"
        f" {amount(1 / numbers.level)} such roles, however often you look."
        f" Expect about {percent(numbers.shrunk)} next: short records exaggerate."
    )
    if not numbers.since_n or numbers.since_hits is None or numbers.since_expected is None:
        return text
    return (
        f"{text} Since confirmation: {amount(numbers.since_hits)} of"
        f" {amount(numbers.since_n)} (base {amount(numbers.since_expected)})."
    )


def _decided_by(numbers: PatternNumbers) -> str:
    text = "One role in five shows one by luck."
    if numbers.stretches_needed is None:
        return text
    return f"{text} About {amount(numbers.stretches_needed)} more stretches decide."


def _month(before: str, moment: object) -> str:
    return "" if moment is None else f"{before}{moment:%Y-%m}"

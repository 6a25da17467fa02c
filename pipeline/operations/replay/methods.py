"""The methodologies that rules and placebos cite: one for each maker, asset class and side.

Add them with `as_new`: two rules that watch the same price are two methods, and the ladder of R5
might take one for a sighting of the other. A second run finds each by its key.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from afterword.pipeline.domain.methodologies.model import (
    HORIZON_HOURS,
    METHOD_STANCES,
    SPANS,
    MethodDirection,
    NewMethodology,
    PrimarySignal,
    Timeframe,
)
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.operations.replay.calls import Placebo, fixed_side
from afterword.pipeline.rules.market.signals import OPPOSITE, RuleName, TradingRule
from afterword.pipeline.rules.market.taxonomy import AssetClass
from afterword.pipeline.rules.setup import Direction

SIDES: Final[tuple[Direction, ...]] = ("long", "short")

_DIRECTIONS: Final[dict[str, MethodDirection]] = {
    stance: direction for direction, stance in METHOD_STANCES.items()
}
_SIGNALS: Final[dict[RuleName, PrimarySignal]] = {
    "momentum": "momentum",
    "mean_reversion": "mean_reversion",
    "breakout": "technical",
}
_INDICATORS: Final[dict[RuleName, tuple[str, ...]]] = {
    "momentum": (),
    "mean_reversion": ("bollinger_bands", "moving_average"),
    "breakout": ("donchian_channel",),
}


@dataclass(frozen=True, slots=True)
class MakerMethod:
    """What the decisions of a maker about one class and side cite.

    Args:
        maker, variant: as the calls have them.
    """

    maker: str
    variant: str
    asset_class: AssetClass
    side: Direction
    method: NewMethodology


def timeframe_of(window_hours: int) -> Timeframe:
    """Return the timeframe whose methods are judged after a window.

    Raises:
        InvalidInputError: no methods are judged after it.
    """
    for timeframe, hours in HORIZON_HOURS.items():
        if hours == window_hours:
            return timeframe
    accepted = ", ".join(f"{hours // 24}d" for hours in HORIZON_HOURS.values())
    raise InvalidInputError("horizon", f"of rules is {window_hours} hours", accepted)


def rule_methods(
    rules: Sequence[TradingRule], classes: Iterable[AssetClass], window_hours: int
) -> list[MakerMethod]:
    """Return the methodologies that decisions of rules cite.

    Args:
        classes: of the assets; there are no methods about `unknown`.
        window_hours: the horizon; one of `HORIZON_HOURS`.

    Raises:
        InvalidInputError: another horizon.
    """
    timeframe = timeframe_of(window_hours)
    return [
        _made(rule.name, rule.variant, of, side, timeframe, _rule_text(rule, side), rule)
        for of in _known(classes)
        for rule in rules
        for side in SIDES
    ]


def placebo_methods(
    placebos: Sequence[Placebo], classes: Iterable[AssetClass], window_hours: int, seed: int
) -> list[MakerMethod]:
    """Return the methodologies that decisions of placebos cite, each with the source `placebo`.

    A fixed placebo has one for each class, of the side that was drawn for it.

    Args:
        classes, window_hours: see `rule_methods`.
        seed: that of the calls.

    Raises:
        InvalidInputError: another horizon.
    """
    timeframe = timeframe_of(window_hours)
    return [
        _made(
            *(placebo.maker, placebo.variant, of, side, timeframe),
            *(_placebo_text(placebo, side), placebo.rule, True),
        )
        for of in _known(classes)
        for placebo in placebos
        for side in (SIDES if placebo.kind != "fixed" else (fixed_side(placebo, of, seed),))
    ]


def _made(
    maker: str,
    variant: str,
    of: AssetClass,
    side: Direction,
    timeframe: Timeframe,
    text: str,
    rule: TradingRule | None,
    is_placebo: bool = False,
) -> MakerMethod:
    name = maker.replace("_", " ").replace(":", " ")
    method = NewMethodology(
        methodology=f"{text} Judged after {SPANS[timeframe]}.",
        asset_class=of,
        direction=_DIRECTIONS[side],
        timeframe=timeframe,
        name=f"{name.capitalize()}, {side}, {of} ({variant})",
        evidence="" if rule is None or is_placebo else f"{rule.source}.",
        primary_signal="technical" if rule is None else _SIGNALS[rule.name],
        indicators=() if rule is None else _INDICATORS[rule.name],
        key=f"replay:{maker}:{variant}:{of}:{side}:{timeframe}",
        origin="system",
        source="placebo" if is_placebo else "written",
    )
    return MakerMethod(maker, variant, of, side, method)


def _rule_text(rule: TradingRule, side: Direction) -> str:
    name = rule.name.replace("_", " ").capitalize()
    return f"{name}: go {side} when the close is {rule.condition(side)}."


def _placebo_text(placebo: Placebo, side: Direction) -> str:
    if placebo.rule is None:
        when = "always" if placebo.kind == "fixed" else "when a coin says so"
        return f"Placebo {placebo.number}: go {side} {when}, whatever the price does."
    if placebo.kind == "flipped":
        condition = placebo.rule.condition(OPPOSITE[side])
        return f"Placebo: go {side} when the close is {condition}, against {_name(placebo.rule)}."
    condition = placebo.rule.condition(side)
    return f"Placebo: go {side} when the close was {condition}, one step before the decision."


def _name(rule: TradingRule) -> str:
    return rule.name.replace("_", " ")


def _known(classes: Iterable[AssetClass]) -> list[AssetClass]:
    return sorted({name for name in classes if name != "unknown"})

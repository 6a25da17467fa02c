"""What a plan met first: its stop, its target, or the end of its window."""

from decimal import Decimal
from typing import Final, NamedTuple

from afterword.pipeline.domain.outcomes.model import MeasuredVerdict, PlanResult, Subject
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.rules.market.exact import PPB, rounded
from afterword.pipeline.rules.market.ladder import Ladder, LadderEntry
from afterword.pipeline.rules.market.symbols import parse_symbol

_NEVER: Final = 1 << 62
"""A place after all bars."""


class Barrier(NamedTuple):
    """A stop or a target in a ladder.

    Args:
        at: place of the first bar that reaches it; `_NEVER` if none does.
        away_ppb: how far it is from the entry.
        is_passed: whether the entry lies at it or beyond it.
    """

    at: int = _NEVER
    away_ppb: int = 0
    is_passed: bool = False


class LadderPlan(NamedTuple):
    """The plan of a subject in a ladder; a barrier that it lacks is never reached.

    Args:
        is_passed: whether one of them was passed at the entry: the window alone decides.
    """

    stop: Barrier
    target: Barrier
    is_passed: bool


def plan_of(
    subject: Subject, series: Series, ladder: Ladder, entry: LadderEntry, decided: int
) -> LadderPlan | None:
    """Return the plan of a subject; None without one.

    Stop and target count from the first bar after the entry on.

    Args:
        decided: when its prices were written, in the units of then; microseconds.
    """
    if subject.stop_price is None and subject.target_price is None:
        return None
    if subject.stance == "neutral":
        return None
    is_long = subject.stance == "long"
    per = parse_symbol(series.symbol).multiplier, parse_symbol(subject.asset).multiplier
    unit = ladder.unit(decided) * per[0], per[1]
    stop = _barrier(subject.stop_price, unit, ladder, entry, is_above=not is_long)
    target = _barrier(subject.target_price, unit, ladder, entry, is_above=is_long)
    return LadderPlan(stop, target, stop.is_passed or target.is_passed)


def _barrier(
    written: Decimal | None,
    unit: tuple[int, int],
    ladder: Ladder,
    entry: LadderEntry,
    *,
    is_above: bool,
) -> Barrier:
    """Return where a price of a plan is reached.

    Args:
        unit: the written price 1 in the units of the ladder, as a quotient.
    """
    if written is None:
        return Barrier()
    number, parts = written.as_integer_ratio()
    number, parts = number * unit[0], parts * unit[1]
    price, first, last = entry.price, entry.last + 1, len(ladder) - 1
    if is_above:
        away = number - price * parts
        at = ladder.highs.first_reaching(-(-number // parts), first, last)
    else:
        away = price * parts - number
        at = ladder.lows.first_reaching(number // parts, first, last)
    if away <= 0:
        return Barrier(is_passed=True)
    return Barrier(_NEVER if at is None else at, rounded(away * PPB, price * parts))


def plan_result(
    plan: LadderPlan, ladder: Ladder, last: int, result: int, costs: int
) -> tuple[PlanResult, int | None, int]:
    """Return what a plan that was not passed met first by the exit, when, and what it earned."""
    stop, target, _ = plan
    if min(stop.at, target.at) > last:
        return "neither", None, result
    if target.at < stop.at:
        return "target_first", ladder.closed[target.at], target.away_ppb - costs
    # Of two touches in one bar the order is unknown: it earned no less than at the stop.
    word: PlanResult = "same_bar" if target.at == stop.at else "stop_first"
    return word, ladder.closed[stop.at], -stop.away_ppb - costs


def plan_verdict(plan: PlanResult, window: MeasuredVerdict) -> MeasuredVerdict:
    """Return the verdict of a plan; of two touches in one bar the order proves nothing."""
    match plan:
        case "target_first":
            return "right"
        case "stop_first":
            return "wrong"
        case "same_bar":
            return "noise"
    return window

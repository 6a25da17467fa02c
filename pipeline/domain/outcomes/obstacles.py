"""Why an outcome cannot be measured: a reason for the program, and one line for people."""

from datetime import timedelta
from typing import NamedTuple

from afterword.pipeline.clock import from_micros, iso
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.rules.market.ladder import Ladder
from afterword.pipeline.rules.market.market_record import MissingExit
from afterword.pipeline.rules.market.outcome import UnknownReason
from afterword.pipeline.rules.market.volatility import FEWEST_MOVES


class OutcomeObstacle(NamedTuple):
    """Why an outcome cannot be measured.

    Args:
        why: one line for people.
        again_at: before then it cannot be measured; microseconds. None where prices are missing.
    """

    reason: UnknownReason
    why: str
    again_at: int | None = None


def no_series(asset: str) -> OutcomeObstacle:
    """No source has a price of the asset."""
    return OutcomeObstacle("no_series", f"no source has prices of {asset}; afterword prices import")


def no_entry(series: Series, moment: int, nearest: int | None) -> OutcomeObstacle:
    """No price is near enough to the decision, or to the opening of a position.

    Args:
        nearest: when the nearest price on the wanted side was; microseconds.
    """
    word = "there is none yet" if nearest is None else f"the nearest is of {_moment(nearest)}"
    return OutcomeObstacle("no_entry", f"no price of {_name(series)} at {_moment(moment)}: {word}")


def too_few_moves(series: Series, prices: int) -> OutcomeObstacle:
    """The prices before the decision cannot say how much the market moves."""
    why = f"{prices} prices of {_name(series)} before the decision,"
    return OutcomeObstacle(
        "no_volatility", f"{why} {FEWEST_MOVES + 1} say how much it moves by itself"
    )


def too_few_shared_moves(series: Series) -> OutcomeObstacle:
    """The prices of the peers cannot say how much the market moves beside them."""
    why = f"fewer than {FEWEST_MOVES} moves of {series.symbol} before the decision"
    return OutcomeObstacle("no_volatility", why)


def too_coarse(series: Series, hours: int) -> OutcomeObstacle:
    """The bars are longer than the window: most of a move could lie outside it."""
    each = series.interval / timedelta(hours=1)
    why = f"a price of {_name(series)} each {each:g} h says little about {hours:g} h"
    return OutcomeObstacle("too_coarse", f"{why}; afterword prices fetch or import")


def no_exit(
    series: Series, ladder: Ladder, due: int, gone: MissingExit, known: int
) -> OutcomeObstacle:
    """No price is near the end of the window, none is known yet, or it has not ended.

    Args:
        known: nothing later is known; microseconds.
    """
    name, at, closed = _name(series), _moment(due), ladder.closed
    if due > known:
        return OutcomeObstacle("no_exit", f"its window ends at {at}", due)
    if gone.is_final:
        after = _moment(closed[gone.before + 1])
        return OutcomeObstacle("no_exit", f"no price of {name} near {at}: the next is of {after}")
    before = "none" if gone.before < 0 else _moment(closed[gone.before])
    return OutcomeObstacle("no_exit", f"no price of {name} from {at} on; the last is of {before}")


def closed(series: Series, entered_at: int, exited_at: int) -> OutcomeObstacle:
    """The market was closed for most of a window, so a neutral call had nothing to be about."""
    why = f"{_name(series)} was closed for most of the time it usually trades"
    return OutcomeObstacle("closed", f"{why} from {_moment(entered_at)} to {_moment(exited_at)}")


def jumped(series: Series, ladder: Ladder, jump: int) -> OutcomeObstacle:
    """The prices jump as no market does: a split that nobody told of.

    Args:
        jump: place of the bar after the jump.
    """
    why = f"{_name(series)} jumps by more than a market does at"
    opened = _moment(ladder.closed[jump] - ladder.interval)
    remedy = "import its factor file, or mark it by hand"
    return OutcomeObstacle("unexplained_jump", f"{why} {opened}; {remedy}")


def _moment(micros: int) -> str:
    return iso(from_micros(micros))


def _name(series: Series) -> str:
    return f"{series.symbol} ({series.source})"

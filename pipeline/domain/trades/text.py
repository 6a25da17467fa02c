"""Words for trips and cells."""

from datetime import datetime, tzinfo
from typing import Final

from afterword.pipeline.domain.trades.local import local_time
from afterword.pipeline.domain.trades.model import BookNumbers, Cell, Unit
from afterword.pipeline.domain.trips.trip import Trip
from afterword.pipeline.rules.text.numbers import signed, signed_dollars, signed_percent

UNITS: Final[dict[Unit, str]] = {
    "hourly_move": "usual hourly moves",
    "own_result": "usual results of yours",
}
"""Units of a difference, in a sentence."""

_WHOLE: Final = {
    ("re-entry", "quick"): "re-entries within 15 min of a loss",
    ("re-entry", "slow"): "re-entries later than 15 min after a loss",
    ("direction", "long"): "longs",
    ("direction", "short"): "shorts",
    ("losses before", "1"): "trips after 1 loss",
}
_FORMS: Final = {
    "asset": "trips in {}",
    "class": "trips in {}",
    "trend": "trips {}",
    "hour": "trips entered from {} h",
    "weekday": "trips entered on a {}",
    "size": "{} trips",
    "volatility": "trips entered in {} volatility",
    "account": "trips of account {}",
    "venue": "trips on {}",
    "after": "trips after {}",
    "losses before": "trips after {} losses in a row",
    "held": "trips held {}",
    "tag given later": "trips tagged “{}” after their entry",
}


def cell_name(attribute: str, value: str) -> str:
    """Return the words for a cell: "shorts after a fall", "trips entered from 08-12 h"."""
    if (attribute, value) in _WHOLE:
        return _WHOLE[attribute, value]
    if attribute == "setup":
        direction, _, after = value.partition(" ")
        return f"{direction}s {after}"
    if attribute.startswith("tag ") and attribute not in _FORMS:
        return f"trips {value} the tag “{attribute.removeprefix('tag ')}”"
    return _FORMS.get(attribute, f"{attribute} {{}}").format(value)


def cell_text(cell: Cell) -> str:
    """Return a cell of a kept account with its numbers, as one line, named or not."""
    zone = " UTC" if cell.attribute == "hour" else ""
    name = cell_name(cell.attribute, cell.value)
    parts = [f"{name}{zone}: {_trips(cell.trips, cell.n_eff)}"]
    if cell.difference is None:
        parts.append(f"{signed_percent(cell.mean, 2)} each")
    else:
        difference = units_text(cell.difference, cell.low, cell.high, cell.unit)
        parts.append(f"{difference} each against your others, {before_text(cell)}")
    if cell.difference_micro_usd is not None:
        parts.append(f"about {signed_dollars(cell.difference_micro_usd)} for what was put in")
    return ", ".join(parts)


def units_text(number: float, low: float | None, high: float | None, unit: Unit) -> str:
    """Return a tested number with its unit and its interval."""
    between = ""
    if low is not None and high is not None:
        between = f" (95 %: {signed(low)} to {signed(high)})"
    return f"{signed(number)} {UNITS[unit]}{between}"


def before_text(cell: Cell) -> str:
    """Return what is not in the results that are compared."""
    return "before costs and without the market's part" if cell.is_beyond_market else "before costs"


def book_text(book: BookNumbers) -> str:
    """Return the numbers of all trips together, as one line."""
    separate = f"{book.n_eff:,} separate trade{'' if book.n_eff == 1 else 's'}"
    score = units_text(book.score, book.low, book.high, book.unit)
    return f"all trips: {separate}, {score} each after costs"


def trip_moment(trip: Trip, moment: datetime, zone: tzinfo) -> str:
    """Return a moment of a trip, as exactly as its venue states it.

    Args:
        zone: of the reader.
    """
    local = local_time(moment, zone, is_day=trip.is_day)
    return f"{local:%Y-%m-%d}" if trip.is_day else f"{local:%Y-%m-%d %H:%M}"


def _trips(trips: int, stretches: int) -> str:
    counted = f"{trips:,} trip{'' if trips == 1 else 's'}"
    return counted if trips == stretches else f"{counted}, {stretches:,} of them separate"

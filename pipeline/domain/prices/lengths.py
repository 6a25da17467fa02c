"""How long the bars of a table last: as their distances say, and whether all are of that length."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Final

from afterword.pipeline.errors import InvalidInputError

SECOND: Final = timedelta(seconds=1)
_NONE: Final = timedelta(0)
_ENOUGH: Final = 10
"""Bars whose distances tell their length; fewer may all have a weekend between them."""

_FEW: Final = 8
"""One bar of so many may begin late."""

_SHORTEST, _LONGEST = timedelta(days=28) - timedelta(hours=1), timedelta(days=31, hours=1)
"""Of a month; an hour is that of summer time."""

_USUAL: Final = tuple(
    [
        timedelta(minutes=minutes)
        for minutes in (1, 2, 3, 5, 10, 15, 30, 60, 90, 120, 180, 240, 360, 480, 720)
    ]
    + [timedelta(days=days) for days in (1, 2, 3, 7)]
)


def usual_length(name: str, moments: Iterable[datetime]) -> timedelta:
    """Return the smallest distance between bars.

    Args:
        name: of the file, for messages.
        moments: at which they open, or their dates.

    Raises:
        InvalidInputError: no program uses it, or there is only one bar.
    """
    apart = Counter(later - before for before, later in pairwise(sorted(set(moments))))
    smallest = min(apart, default=None)
    if smallest is not None and smallest not in _USUAL:
        usual = max(apart, key=lambda distance: apart[distance])
        smallest = usual if 2 * smallest >= usual else smallest  # some bars begin late
    if apart and all(_SHORTEST <= distance <= _LONGEST for distance in apart):
        problem = "holds bars of months, which last 28 to 31 days and have no one length"
        raise InvalidInputError(name, problem, "bars of a day, or of a week at most")
    if smallest is None or smallest not in _USUAL:
        shown = f"their smallest distance is {smallest}" if smallest else "there is only one"
        problem = f"does not say how long its bars last, and {shown}"
        raise InvalidInputError(name, problem, "--interval 1h")
    return smallest


def rounded_length(length: timedelta) -> timedelta:
    """Return the length of a bar whose last moment is told: 59:59.999 is an hour."""
    return next((usual for usual in _USUAL if _NONE <= usual - length <= SECOND), length)


def check_distances(name: str, opened: Sequence[tuple[datetime, int]], length: timedelta) -> None:
    """Refuse bars that are not of the length; the first line that shows it is named.

    A few bars may begin late, as at some brokers after a break: they are known late, never early.

    Args:
        name: of the file, for messages.
        opened: when each bar opens, and its line, in order of time.
    """
    apart = [(later - before, line) for (before, _), (later, line) in pairwise(opened)]
    if not apart:
        return
    smallest, line = min(apart)
    late = sum(distance < length for distance, _ in apart)
    is_late = 2 * smallest >= length and _FEW * late <= len(opened)
    if (smallest < length and not is_late) or (smallest > length and len(opened) >= _ENOUGH):
        problem = f"is {smallest} after another bar, not {length}"
        accepted = "the interval of its bars, as --interval 1h"
        raise InvalidInputError(f"{name}: line {line}", problem, accepted)

"""Labels of positions: what was known at the entry, and what only describes them."""

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta, tzinfo
from heapq import heappop, heappush
from typing import Final

from afterword.pipeline.domain.trades.local import NOON, local_time
from afterword.pipeline.domain.trades.measure import Rank, exited
from afterword.pipeline.domain.trades.model import TripTag
from afterword.pipeline.domain.trades.positions import Position

QUICK: Final = timedelta(minutes=15)
"""A re-entry within it is a quick one."""

RE_ENTRY: Final = "re-entry"
FROM_RESULTS: Final = frozenset({RE_ENTRY})
"""Attributes made of earlier results: tested by residuals, among the trips that have them."""

DESCRIBED: Final = frozenset({"after", "losses before", "held", "tag given later"})
"""Attributes that are never tested: results correlate in time, so that the first two differ without
any habit; the others are known after the entry."""

FEWEST_SIZES: Final = 30
"""Earlier positions that the terciles of size are drawn from; count."""

_WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_PART_HOURS: Final = 4
_PARTS: Final = tuple(f"{hour:02}-{hour + _PART_HOURS:02}" for hour in range(0, 24, _PART_HOURS))
_TRENDS: Final = {"down": "a fall", "flat": "no clear move", "up": "a rise"}
_HELD: Final = (
    (timedelta(minutes=15), "to 15 min"),
    (timedelta(hours=1), "to 1 h"),
    (timedelta(hours=4), "to 4 h"),
    (timedelta(days=1), "to 1 day"),
    (timedelta(days=7), "to 1 week"),
)


def labels_of(
    positions: Sequence[Position],
    zone: tzinfo,
    tags: Mapping[str, Iterable[TripTag]],
) -> list[Mapping[str, str]]:
    """Return attribute to value of each position.

    Args:
        positions: by entry, of any number of accounts.
        zone: that hours and weekdays are told in.
        tags: by the name of a trip.
    """
    used = sorted(
        {_label(position) for position in positions} | {g.tag for gs in tags.values() for g in gs}
    )
    earlier, sizes = _Earlier(), _Sizes()
    accounts = {position.first.trip.account for position in positions}
    venues = {position.first.trip.venue for position in positions}
    same, by_position = EqualLabels(), []
    for position in positions:
        labels = _known(position, zone)
        if len(accounts) > 1:
            labels["account"] = position.first.trip.account
        if len(venues) > 1:
            labels["venue"] = position.first.trip.venue
        size = sizes.tercile(position)
        if size is not None:
            labels["size"] = size
        labels |= earlier.labels(position)
        labels |= _tags(position, [tag for tag in used if tag], tags)
        if position.held is not None:
            labels["held"] = _held(position.held)
        by_position.append(same.of(labels))
    return by_position


class EqualLabels:
    """Equal labels as one object: an account has many more positions than sets of labels."""

    def __init__(self) -> None:
        self._by_names: dict[tuple[str, ...], dict[tuple[str, ...], Mapping[str, str]]] = (
            defaultdict(dict)
        )

    def of(self, labels: Mapping[str, str]) -> Mapping[str, str]:
        """Return the first labels that were equal to these; they must not change."""
        return self._by_names[tuple(labels)].setdefault(tuple(labels.values()), labels)


def _known(position: Position, zone: tzinfo) -> dict[str, str]:
    first, direction = position.first, position.first.trip.direction
    labels = {"asset": first.asset, "class": first.asset_class, "direction": direction}
    entry = local_time(position.opened_at, zone, is_day=position.is_day)
    if not position.is_day:
        labels["hour"] = _PARTS[entry.hour // _PART_HOURS]
    labels["weekday"] = _WEEKDAYS[entry.weekday()]
    if first.trend is not None:
        labels["trend"] = f"after {_TRENDS[first.trend]}"
        labels["setup"] = f"{direction} after {_TRENDS[first.trend]}"
    if first.volatility is not None:
        labels["volatility"] = first.volatility
    return labels


class _Sizes:
    """The sizes of earlier positions, by account and quote."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], list[float]] = defaultdict(list)

    def tercile(self, position: Position) -> str | None:
        """Return where a size stands among the earlier ones; None with too few of them."""
        known = self._known[position.first.trip.account, position.first.trip.quote]
        size, count = float(position.put_in), len(known)
        third = count // 3
        tercile = None
        if count >= FEWEST_SIZES:
            low, high = known[third], known[count - 1 - third]
            tercile = "small" if size < low else "large" if size > high else "usual"
        insort(known, size)
        return tercile


class _Earlier:
    """The last positions that closed before an entry, by account."""

    def __init__(self) -> None:
        self._open: dict[str, list[tuple[datetime, Rank, bool]]] = defaultdict(list)
        self._last: dict[str, tuple[datetime, bool, int]] = {}

    def labels(self, position: Position) -> dict[str, str]:
        """Return the labels made of results that were known at the entry."""
        account, waiting = position.first.trip.account, self._open[position.first.trip.account]
        # Of days only: what closed on the day of the entry may have closed after it.
        known_by = position.opened_at - NOON if position.is_day else position.opened_at
        while waiting and waiting[0][0] <= known_by:
            closed, _, is_loss = heappop(waiting)
            losses = self._last[account][2] if account in self._last else 0
            self._last[account] = closed, is_loss, losses + 1 if is_loss else 0
        heappush(waiting, (position.closed_at, exited(position.first.trip), position.net < 0))
        if account not in self._last:
            return {}
        closed, is_loss, losses = self._last[account]
        labels = {"after": "a loss" if is_loss else "a win", "losses before": f"{min(losses, 3)}"}
        if losses >= 3:
            labels["losses before"] = "3 or more"
        if is_loss:
            labels[RE_ENTRY] = "quick" if position.opened_at - closed <= QUICK else "slow"
        return labels


def _tags(
    position: Position, used: Sequence[str], tags: Mapping[str, Iterable[TripTag]]
) -> dict[str, str]:
    """Return a label for each tag in use: with it, or without; and those given after the entry.

    A trip that got its tag later was without it at the entry: left out, it would take its result
    out of the comparison.
    """
    given = list(tags.get(position.first.trip.trip_uid, ()))
    early = {tag.tag for tag in given if tag.known_at <= position.opened_at} | {_label(position)}
    late = {tag.tag for tag in given} - early
    labels = {f"tag {tag}": "with" if tag in early else "without" for tag in used}
    if late:
        labels["tag given later"] = " + ".join(sorted(late))
    return labels


def _label(position: Position) -> str:
    return position.first.trip.label.strip()


def _held(held: timedelta) -> str:
    place = bisect_left([most for most, _ in _HELD], held)
    return _HELD[place][1] if place < len(_HELD) else "longer than 1 week"

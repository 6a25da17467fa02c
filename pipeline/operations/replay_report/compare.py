"""Compare two replays: the first event that differs, and their decisions paired by key.

The chains of digests say at once whether anything differs, and in which link first: a link's chain
digest is that of all before it. Only the events of that link are then read.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest
from typing import Any, Final

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros
from afterword.pipeline.operations.replay import rows
from afterword.pipeline.operations.replay.digest import EVENTS, STANDING_VIEWS, HashedView, events
from afterword.pipeline.operations.replay.model import ReplayLink, ReplayStatus
from afterword.pipeline.operations.replay_report import compare_rows
from afterword.pipeline.operations.replay_report.compare_rows import PairedRow

_MOST_SHOWN: Final = 20
"""Pairs of decisions that are listed; all are counted."""

_ALL_TIME: Final = (-(1 << 62), 1 << 62)


@dataclass(frozen=True, slots=True)
class DifferingEvent:
    """The first event that one of two replays has, and the other has not, or has otherwise.

    Args:
        kind: what it is, such as `outcome`.
        at: its moment; None for a figure that changes in place.
        name: what it is about: the uid of a decision or a method, or the name of a pattern.
        left, right: the event as JSON; None where a replay has none there.
        differing: places in these JSON lists that differ.
        names: what each place holds.
    """

    kind: str
    at: datetime | None
    name: str
    left: str | None
    right: str | None
    differing: tuple[int, ...]
    names: tuple[str, ...]

    def written_values(self, line: str) -> dict[str, str]:
        """Return the values of one of the two events by name: those that differ, or else all.

        Args:
            line: the event as JSON.
        """
        values = dict(zip(self.names, json.loads(line), strict=True))
        wanted = [self.names[place] for place in self.differing] or self.names
        return {
            name: value if isinstance(value := values[name], str) else _written(value)
            for name in wanted
        }


@dataclass(frozen=True, slots=True)
class DecisionPair:
    """A decision that two replays have under one key, with another end.

    Args:
        differing: names of what differs, such as `direction` or `outcome`.
    """

    key: str
    at: datetime
    left: Mapping[str, Any]
    right: Mapping[str, Any]
    differing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReplayComparison:
    """What two replays have in common, and where they part.

    Args:
        settings: names of settings that differ, with both values.
        same_until: both are equal up to this moment; None if they part in their first link.
        first: the first event that differs; None if nothing does.
        paired: decisions under one key in both; `only_left`, `only_right`: in one alone; counts.
        differing: pairs that differ; count. The first of them are `pairs`.
    """

    left: str
    right: str
    settings: Mapping[str, tuple[Any, Any]]
    same_until: datetime | None
    first: DifferingEvent | None
    paired: int
    only_left: int
    only_right: int
    differing: int
    pairs: tuple[DecisionPair, ...]

    @property
    def is_same(self) -> bool:
        """Whether nothing that is hashed differs."""
        return self.first is None

    def written_settings(self) -> dict[str, tuple[str, str]]:
        """Return the settings that differ by name, both values as JSON."""
        return {
            name: (_written(left), _written(right)) for name, (left, right) in self.settings.items()
        }


def compare_replays(
    left: tuple[Connection, ReplayStatus], right: tuple[Connection, ReplayStatus]
) -> ReplayComparison:
    """Compare what two replays have done so far, up to where the shorter one is.

    Args:
        left, right: a read of each file, and how far it is.
    """
    (left_file, before), (right_file, after) = left, right
    until = min(before.cursor, after.cursor)
    is_whole = before.cursor == after.cursor
    chains = rows.links(left_file), rows.links(right_file)
    start, same_until = _parting(*chains)
    first = None
    if start is not None:
        first = _first_event(left_file, right_file, start, until + 1, is_whole=is_whole)
    pairs = _pairs(left_file, right_file, until)
    differing = [pair for pair in pairs.both if pair.differing]
    return ReplayComparison(
        before.name,
        after.name,
        _settings(before, after),
        None if same_until is None else from_micros(same_until),
        first,
        len(pairs.both),
        pairs.only_left,
        pairs.only_right,
        len(differing),
        tuple(differing[:_MOST_SHOWN]),
    )


@dataclass(frozen=True, slots=True)
class _Pairs:
    both: tuple[DecisionPair, ...]
    only_left: int
    only_right: int


def _parting(
    left: Sequence[ReplayLink], right: Sequence[ReplayLink]
) -> tuple[int | None, int | None]:
    """Return from which moment the events may differ (None: nowhere), and until when none does.

    The last link of the longer replay has no counterpart, and that of a replay which goes on is not
    closed: what follows the equal links is read in any case.
    """
    if left and right and len(left) == len(right) and left[-1].chain == right[-1].chain:
        return None, left[-1].to_at
    same = _equal_links(left, right)
    if not same:
        first = [chain[0].from_at for chain in (left, right) if chain]
        return min(first, default=_ALL_TIME[0]), None
    return left[same - 1].to_at, left[same - 1].to_at


def _equal_links(left: Sequence[ReplayLink], right: Sequence[ReplayLink]) -> int:
    """Return how many links are equal, by bisection: equal chains have equal beginnings."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left[middle - 1].chain == right[middle - 1].chain:
            low = middle
        else:
            high = middle - 1
    return low


def _first_event(
    left: Connection, right: Connection, from_at: int, to_at: int, *, is_whole: bool
) -> DifferingEvent | None:
    """Return the earliest event of a span that differs; of those of one moment the first kind."""
    differing = []
    for order, view in enumerate(EVENTS):
        pairs = zip_longest(events(left, view, from_at, to_at), events(right, view, from_at, to_at))
        for left_line, right_line in pairs:
            if left_line != right_line:
                moments = [
                    json.loads(line)[1] for line in (left_line, right_line) if line is not None
                ]
                differing.append(
                    (min(moments), order, _event(view, left_line, right_line, is_dated=True))
                )
                break
    if differing:
        return min(differing, key=lambda it: it[:2])[2]
    if not is_whole:
        return None
    for view in STANDING_VIEWS:
        pairs = zip_longest(
            events(left, view, *_ALL_TIME, moments=False),
            events(right, view, *_ALL_TIME, moments=False),
        )
        for left_line, right_line in pairs:
            if left_line != right_line:
                return _event(view, left_line, right_line, is_dated=False)
    return None


def _event(
    view: HashedView, left: str | None, right: str | None, *, is_dated: bool
) -> DifferingEvent:
    left_values, right_values = (
        None if line is None else json.loads(line) for line in (left, right)
    )
    known = [values for values in (left_values, right_values) if values is not None]
    if (
        left_values is not None
        and right_values is not None
        and is_dated
        and left_values[1:3] != right_values[1:3]
    ):
        # Two events follow each other differently: the earlier one is missing on the other side.
        is_left = (left_values[1], str(left_values[2])) < (right_values[1], str(right_values[2]))
        left, right = (left, None) if is_left else (None, right)
        known = [left_values if is_left else right_values]
    values = known[0]
    places: tuple[int, ...] = ()
    if left is not None and right is not None:
        pairs = zip_longest(*known)
        places = tuple(place for place, (a, b) in enumerate(pairs) if a != b)
    at = from_micros(values[1]) if is_dated else None
    name = str(values[2] if is_dated else values[1])
    names = view.names(moments=is_dated)
    return DifferingEvent(view.name, at, name, left, right, places, names)


def _settings(left: ReplayStatus, right: ReplayStatus) -> dict[str, tuple[Any, Any]]:
    left_values, right_values = (json.loads(status.settings.as_json()) for status in (left, right))
    return {
        name: (left_values[name], right_values[name])
        for name in left_values
        if left_values[name] != right_values[name]
    }


def _pairs(left: Connection, right: Connection, until: int) -> _Pairs:
    both, only_left, only_right = [], 0, 0
    for left_row, right_row in _merged(
        compare_rows.decisions(left, until), compare_rows.decisions(right, until)
    ):
        if left_row is None:
            only_right += 1
        elif right_row is None:
            only_left += 1
        else:
            both.append(_pair(left_row, right_row))
    return _Pairs(tuple(sorted(both, key=lambda it: (it.at, it.key))), only_left, only_right)


def _pair(left_row: PairedRow, right_row: PairedRow) -> DecisionPair:
    left, right = left_row._asdict(), right_row._asdict()
    key, at = left.pop("key"), left.pop("decided_at")
    right.pop("key"), right.pop("decided_at")
    differing = tuple(name for name in left if left[name] != right[name])
    return DecisionPair(key, from_micros(at), left, right, differing)


def _merged(
    left: Iterator[PairedRow], right: Iterator[PairedRow]
) -> Iterator[tuple[PairedRow | None, PairedRow | None]]:
    """Pair two lists that are sorted by key."""
    left_row, right_row = next(left, None), next(right, None)
    while left_row is not None or right_row is not None:
        if right_row is None or (left_row is not None and left_row.key < right_row.key):
            yield left_row, None
            left_row = next(left, None)
        elif left_row is None or right_row.key < left_row.key:
            yield None, right_row
            right_row = next(right, None)
        else:
            yield left_row, right_row
            left_row, right_row = next(left, None), next(right, None)


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)

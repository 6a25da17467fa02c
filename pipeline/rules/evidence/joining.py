"""Rows that share time joined into stretches: one opens when the one before it has ended.

For rows that are all known; `stretches` is for votes that come one by one. The package's table says
which evidence is joined by which rule, and why.
"""

from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from typing import Any, Final, Generic, Literal, NamedTuple, TypeVar

Timed = TypeVar("Timed")

_SPAN: Final[Callable[[Any], tuple[int, int]]] = attrgetter("entry_at", "exit_at")


class Stretch(NamedTuple, Generic[Timed]):
    """Rows that share time, in the order given.

    Args:
        first: those on the bar that opens it.
        joined: those that enter later, before it ends.
        ends_at: microseconds.
    """

    first: list[Timed]
    joined: list[Timed]
    ends_at: int

    @property
    def n(self) -> int:
        """How many rows it has."""
        return len(self.first) + len(self.joined)


def stretches_of(
    rows: Iterable[Timed],
    span: Callable[[Timed], tuple[int, int]] = _SPAN,
    *,
    ends: Literal["longest", "first"] = "longest",
) -> Iterator[Stretch[Timed]]:
    """Yield the stretches of rows; they do not overlap.

    Args:
        rows: by entry.
        span: entry and exit of a row, microseconds; by default its `entry_at` and `exit_at`.
        ends: whether a stretch ends with the longest row of its first bar, or with its first row.
    """
    first: list[Timed] = []
    joined: list[Timed] = []
    opens_at = ends_at = 0
    for row in rows:
        entry_at, exit_at = span(row)
        if not first or entry_at >= ends_at:
            if first:
                yield Stretch(first, joined, ends_at)
            first, joined = [row], []
            opens_at, ends_at = entry_at, exit_at
        elif entry_at > opens_at:
            joined.append(row)
        else:
            first.append(row)
            if ends == "longest" and exit_at > ends_at:
                ends_at = exit_at
    if first:
        yield Stretch(first, joined, ends_at)

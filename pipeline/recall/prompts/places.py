"""Which memories get the places of a prompt, and what it says of the others.

What stands, a rule of the user for the agent, is never crowded out by notes and trades: not from
the places of a prompt, and not from its characters.
"""

from collections.abc import Iterable, Sequence
from math import ceil
from typing import Final, NamedTuple

STANDING_PART: Final = 2
"""What stands takes at most this part of the places, a half, while anything else waits."""

TRADES_PART: Final = 5
"""Trade outcomes take at most this part of the places, a fifth, while anything else waits."""

LESSONS_PART: Final = 3
"""Lessons get at most this part of the characters, a third."""

MOST_COUNTED: Final = 1_000
"""Standing memories that are counted; of more, a prompt says that there are more."""

_TRADE: Final = "trade_outcome"
_RULES: Final = "preferences, instructions or corrections"


IS_STANDING: Final = "behavioral AND origin <> 'web'"
"""Condition: the row influences how the agent acts; words of the web do not stand."""


class Candidate(NamedTuple):
    """A memory that may get a place; see `IS_STANDING`."""

    id: int
    category: str
    is_standing: int


class Candidates(NamedTuple):
    """The memories from which the places are filled.

    Args:
        best: those that may get a place, the most useful of each sort.
        total: how many there are in all.
        standing: how many of these stand; at most one more than `MOST_COUNTED`.
    """

    best: Sequence[Candidate]
    total: int
    standing: int


class Places(NamedTuple):
    """The ids that got a place, in order; the first `standing` of them stand and come first."""

    ids: list[int]
    standing: int


class More(NamedTuple):
    """How many memories a prompt does not show, and how many of these stand.

    Args:
        at_least: whether more than `standing` do.
    """

    total: int = 0
    standing: int = 0
    at_least: bool = False


ALL_SHOWN: Final = More()


def in_places(ordered: Iterable[Candidate], places: int) -> Places:
    """Return which memories get a place: what stands first, then the others in their order.

    Half of the places are the most for what stands, and a fifth for trade outcomes; where nothing
    else waits, they get the rest.

    Args:
        ordered: the most useful first.
    """
    most_standing, most_trades = ceil(places / STANDING_PART), places // TRADES_PART
    first: list[int] = []
    rest: list[int] = []
    waiting: list[int] = []
    waiting_trades: list[int] = []
    trades = 0
    for row in ordered:
        if row.is_standing:
            (first if len(first) < most_standing else waiting).append(row.id)
        elif row.category == _TRADE:
            (rest if trades < most_trades else waiting_trades).append(row.id)
            trades += 1
        else:
            rest.append(row.id)
    return Places([*first, *rest, *waiting, *waiting_trades][:places], len(first))


def without(candidates: Candidates, ids: frozenset[int]) -> Candidates:
    """Return the candidates without some that do not stand, which another text shows."""
    best = [row for row in candidates.best if row.id not in ids]
    return candidates._replace(best=best, total=candidates.total - len(ids))


def not_shown(candidates: Candidates, shown: Iterable[int]) -> More:
    """Return what a prompt does not show, beside the ids that it shows."""
    ids = set(shown)
    standing = sum(row.is_standing for row in candidates.best if row.id in ids)
    return More(
        candidates.total - len(ids),
        min(candidates.standing, MOST_COUNTED) - standing,
        candidates.standing > MOST_COUNTED,
    )


def more_line(more: More, how: str) -> str:
    """Return the line that ends a prompt; empty where everything is shown.

    Args:
        how: how to read the others, by a tool and by a command.
    """
    if more.total <= 0:
        return ""
    over = "over " if more.at_least else ""
    standing = f", {over}{more.standing:,} of them {_RULES}" if more.standing else ""
    return f"({more.total:,} more are not shown{standing}: {how})"

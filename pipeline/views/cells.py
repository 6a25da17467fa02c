"""Values in a table: text, whole numbers, and shares that a page draws."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Interval:
    """A share with its interval, and the base it is held against; shares in [0, 1].

    Args:
        point: the share itself, from `low` to `high`.
        base: None where it is held against nothing.
    """

    low: float
    point: float
    high: float
    base: float | None = None


@dataclass(frozen=True, slots=True)
class Bet:
    """What a bet of 1 became, and what it must become; drawn on a page in powers of ten.

    Args:
        value: not negative.
        bar: None where nothing is asked for.
    """

    value: float
    bar: float | None = None


@dataclass(frozen=True, slots=True)
class SignedInterval:
    """A difference from zero with its interval.

    Args:
        point: in any unit, as are `low` and `high`.
        most: what the ends of its picture stand for, above and below zero; what is beyond is cut.
    """

    low: float
    point: float
    high: float
    most: float


@dataclass(frozen=True, slots=True)
class Place:
    """Words that `Links` of the same page lead to.

    Args:
        name: as the links say it.
    """

    words: str
    name: str


@dataclass(frozen=True, slots=True)
class Links:
    """How many rows of the answer a line counts; a page links to them, a text says the number.

    Args:
        noun: one of the rows, such as `trade`; empty where a column says it.
        links: to some of the rows: what each link says, and the name of its `Place`.
        command: lists all of them.
    """

    number: int
    noun: str
    links: Sequence[tuple[str, str]]
    command: str


@dataclass(frozen=True, slots=True)
class Ref:
    """Words about a thing that may have a page of its own; a text says the words.

    Args:
        kind: of thing, such as `job`; an area declares which page shows it.
        key: as the address of its page says it.
        filters: the rest of that address, by name, where a page lists things.
    """

    words: str
    kind: str
    key: str = ""
    filters: Mapping[str, str] = field(default_factory=dict)


Cell = str | int | Interval | Bet | SignedInterval | Place | Links | Ref
"""A value in a table. Whole numbers get thousands separators; a page draws intervals and bets."""

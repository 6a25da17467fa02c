"""What the trades of the group show, as a prompt tells it: what a verdict names, and nothing else.

A cell that was looked at and not told apart from chance is never here. Each line has its numbers,
and how often chance alone names anything.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros
from afterword.pipeline.domain.prices.class_rows import classes_at
from afterword.pipeline.recall.prompts.prompt_lessons import PromptLesson
from afterword.pipeline.recall.prompts.sanitize import sanitize
from afterword.pipeline.rules.market.classes import StatedClasses
from afterword.pipeline.rules.market.outcome import Stance

if TYPE_CHECKING:  # loaded by who makes a prompt
    from afterword.pipeline.domain.trades.model import NamedHabit

MOST_HABITS: Final = 3
"""Habits of a prompt; a verdict seldom names more than one."""

_TRADES: Final = "trades"
"""Stands where a lesson names its role."""


def habits(
    conn: Connection,
    as_of: int | None,
    *,
    asset_key: str | None = None,
    direction: Stance | None = None,
    most: int = MOST_HABITS,
) -> list[PromptLesson]:
    """Return what the trades of the group show, what all accounts show together first.

    Args:
        as_of: by the verdicts that stood at a moment; microseconds.
        asset_key: only what is of this asset, of its class, or of trades in any asset.
        direction: only what is of this direction, or of both.
        most: how many at most.
    """
    from afterword.pipeline.domain.trades.read import named

    moment = None if as_of is None else from_micros(as_of)
    told: dict[tuple[str, str], PromptLesson] = {}
    classes = classes_at(conn, as_of)
    for habit in named(conn, moment):
        if _is_of(habit, asset_key, direction, classes) and _cut(habit) not in told:
            lesson = _lesson(habit)
            if lesson.is_plain:
                told[_cut(habit)] = lesson  # an account says it too: once is enough
    return list(told.values())[: max(0, most)]


def habit_text(habit: "NamedHabit") -> str:
    """Return what is named, with its numbers and the odds of chance."""
    odds = f"by chance 1 verdict in {round(1 / habit.level)} would name anything"
    return f"{habit.text}. {habit.tried:,} ways of cutting these trades were tried; {odds}."


def _cut(habit: "NamedHabit") -> tuple[str, str]:
    return ("", "") if habit.cell is None else (habit.cell.attribute, habit.cell.value)


def _is_of(
    habit: "NamedHabit", asset_key: str | None, direction: Stance | None, classes: StatedClasses
) -> bool:
    attribute, value = _cut(habit)
    if asset_key is not None:
        if attribute == "asset" and value != asset_key:
            return False
        if attribute == "class" and value not in classes.names(asset_key):
            return False
    own = _direction(habit)
    return direction is None or own in ("neutral", direction)


def _direction(habit: "NamedHabit") -> Stance:
    """Return the direction of a cut; `neutral` where it has both."""
    attribute, value = _cut(habit)
    if attribute in ("direction", "setup"):
        return "long" if value.startswith("long") else "short"
    return "neutral"


def _label(habit: "NamedHabit") -> str:
    if habit.cell is None:
        return "loses" if habit.effect < 0 else "earns"
    return "worse" if habit.effect < 0 else "better"


def _lesson(habit: "NamedHabit") -> PromptLesson:
    attribute, value = _cut(habit)
    return PromptLesson(
        kind="trades",
        id=0,
        uid=None,
        role_id=_TRADES,
        label=_label(habit),
        text=sanitize(habit_text(habit)),
        assets=(value,) if attribute == "asset" else (),
        asset_class="unknown",
        is_class=False,
        direction=_direction(habit),
        trend=None,
        volatility=None,
        known_at=habit.judged_at,
        why=("what your own trades show",),
    )


def before(
    lessons: Sequence[PromptLesson], shown: Sequence[PromptLesson], most: int
) -> list[PromptLesson]:
    """Return habits before lessons, and not more together than were asked for.

    Lessons that were found keep two thirds of the places.

    Args:
        lessons: what roles learned; `shown` are habits.
    """
    room = max(most - len(lessons), most // 3)
    return [*shown[:room], *lessons][:most]

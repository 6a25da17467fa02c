"""Did a pattern help: the decisions that were told it, beside the others in its situation."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.decisions import read_rows
from afterword.pipeline.domain.decisions.lesson_sets import ToldLessons, sets_of
from afterword.pipeline.domain.patterns import form_rows, rows
from afterword.pipeline.domain.patterns.cells import base_of
from afterword.pipeline.domain.patterns.family import window_of
from afterword.pipeline.domain.patterns.model import Pattern, PatternKey
from afterword.pipeline.domain.patterns.rows import OutcomeRow
from afterword.pipeline.domain.skills import Role
from afterword.pipeline.rules.evidence.holdout import MILLION
from afterword.pipeline.rules.evidence.lesson_effect import (
    LessonArm,
    LessonEffect,
    LessonTrial,
    lesson_effect,
)


def name_of(asset_class: str, direction: str, trend: str, side: str) -> str:
    """Return what a pattern of a role is called in the sets of lessons that prompts held."""
    return f"{asset_class} {direction} {trend} {side}"


def effects(
    conn: Connection, role: Role, patterns: Sequence[Pattern], as_of: datetime | None = None
) -> dict[PatternKey, LessonEffect]:
    """Return whether patterns of a role helped, of those that prompts ever told.

    Args:
        patterns: of the role.
        as_of: by what was known at this moment.
    """
    window_hours = window_of(role)
    if window_hours is None or not patterns:
        return {}
    cited = read_rows.cited_sets(conn, role.id)
    sets = sets_of(conn, cited.values())
    told = {row_id: sets[digest] for row_id, digest in cited.items()}
    moment = None if as_of is None else to_micros(as_of)
    outcomes = rows.votes(conn, role.id, window_hours, moment)
    return {
        pattern.key: lesson_effect(
            _trial(pattern, row, since, told.get(row.subject_id))
            for row in outcomes
            if _is_in_situation(pattern, row)
        )
        for pattern in patterns
        if (since := _confirmed_since(conn, pattern)) is not None
    }


def _confirmed_since(conn: Connection, pattern: Pattern) -> int | None:
    """Return when a pattern was first known as confirmed; microseconds, None if it never was."""
    forms = (one for one in form_rows.history(conn, pattern.key) if one.state == "confirmed")
    first = next(forms, None)
    return None if first is None else to_micros(first.known_at)


def _is_in_situation(pattern: Pattern, row: OutcomeRow) -> bool:
    return (
        row.asset_class == pattern.asset_class
        and row.trend == pattern.trend
        and pattern.is_told_of(row.asset_key)
    )


def _trial(pattern: Pattern, row: OutcomeRow, since: int, told: ToldLessons | None) -> LessonTrial:
    verdict = row.window_verdict
    return LessonTrial(
        row.entry_at,
        row.exit_at,
        _arm(pattern, row, since, told),
        None if verdict == "noise" else verdict == "right",
        base_of(row),
        row.direction == pattern.direction,
        0.0 if told is None else told.share_ppm / MILLION,
    )


def _arm(pattern: Pattern, row: OutcomeRow, since: int, told: ToldLessons | None) -> LessonArm:
    name = name_of(pattern.asset_class, pattern.direction, pattern.trend, pattern.side)
    if told is not None and name in {one.name for one in told.shown}:
        return "read"
    if told is not None and name in {one.name for one in told.left_out}:
        return "left out"
    return "before" if row.entry_at < since else "not read"

"""Read runs: the ladder of each, and what was said of it; nothing here writes."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.institution import reflection_rows, rows
from afterword.pipeline.domain.institution.ladder import LADDER_QUESTIONS
from afterword.pipeline.domain.institution.model import (
    InstitutionRun,
    RunStory,
    WindowAnswer,
    WindowState,
)
from afterword.pipeline.domain.memory.checks import short_repr
from afterword.pipeline.errors import NotFoundError
from afterword.pipeline.rules.market.symbols import normalise_symbol

MAX_RUNS: Final = 1_000
"""Runs of one answer."""


def list_runs(
    conn: Connection, asset: str | None, limit: int, now: datetime, as_of: datetime | None = None
) -> list[InstitutionRun]:
    """Return runs with their ladders, the latest decision first.

    Args:
        asset: in any written form; None for all.
        as_of: as they were known at this moment.
    """
    key = None if asset is None else normalise_symbol(asset)
    at = None if as_of is None else to_micros(as_of)
    return _with_windows(conn, rows.listed(conn, key, limit, at), as_of or now, at)


def find_run(
    conn: Connection, key: str, now: datetime, as_of: datetime | None = None
) -> InstitutionRun:
    """Return a run by its id, or its number in the list.

    Raises:
        NotFoundError: there is no such run, or was none then.
    """
    at = None if as_of is None else to_micros(as_of)
    run = rows.find(conn, key, at)
    if run is None:
        listed = "see `afterword institution run ls`"
        raise NotFoundError(f"there is no run {short_repr(key)}; {listed}")
    return _with_windows(conn, [run], as_of or now, at)[0]


def run_story(conn: Connection, key: str, now: datetime, as_of: datetime | None = None) -> RunStory:
    """Return a run with what its roles handed in, its snapshots and its citations; see `find_run`.

    Raises:
        NotFoundError: there is no such run, or was none then.
    """
    run, at = find_run(conn, key, now, as_of), None if as_of is None else to_micros(as_of)
    return RunStory(
        run,
        tuple(rows.outputs_of(conn, run.id)),
        tuple(reflection_rows.notes_of(conn, run.id, at)),
        tuple(rows.citations_of(conn, run, at)),
    )


def _with_windows(
    conn: Connection, runs: Sequence[InstitutionRun], now: datetime, at: int | None
) -> list[InstitutionRun]:
    answers = reflection_rows.answers_of(conn, [run.id for run in runs], at)
    return [replace(run, windows=_windows(run, answers[run.id], now)) for run in runs]


def _windows(
    run: InstitutionRun, answers: dict[int, reflection_rows.AnsweredRow], now: datetime
) -> tuple[WindowAnswer, ...]:
    windows = []
    for hours, question in LADDER_QUESTIONS.items():
        due_at, row = run.decided_at + timedelta(hours=hours), answers.get(hours)
        if row is None:
            state: WindowState = "waits" if due_at > now else "unmeasured"
            windows.append(WindowAnswer(hours, question, state, due_at))
            continue
        windows.append(
            WindowAnswer(
                *(hours, question, "answered", due_at),
                *(row.answer, row.text, row.exit_at, row.known_at),
            )
        )
    return tuple(windows)

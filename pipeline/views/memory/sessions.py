"""Sessions of agents: what each wrote, and how its turns went."""

from collections.abc import Sequence
from dataclasses import fields
from datetime import datetime
from typing import Final

from afterword.pipeline.domain.sessions.model import Limits, NewSession, Session, Turn
from afterword.pipeline.domain.sessions.read import SessionDetails
from afterword.pipeline.views.blocks import Fields, Paragraph, Table, View
from afterword.pipeline.views.cells import Cell
from afterword.pipeline.views.words import duration, moment, shorten

_MAX_MESSAGE: Final = 120
"""Characters of a message in a table; JSON has all of it."""

_COUNTS: Final = tuple(limit.name for limit in fields(Limits))
"""What a session counts."""

_TURNS: Final = ("turn", "began", "took", "how", "tools", "message")


def session_begun(begun: NewSession) -> View:
    """Return the key that an agent writes with, alone, so that a program can take it."""
    return View([Paragraph(begun.handle)])


def session_ended(session: Session) -> View:
    """Return that nothing more is written in a session."""
    return View([Paragraph(f"session {session.uid} has ended")])


def session_list(sessions: Sequence[Session]) -> View:
    """Return sessions, with what was written in each."""
    columns = ("session", "origin", "label", "began", "ended", *_COUNTS)
    return View([Table(columns, list(map(_row, sessions)), "no sessions")])


def session_story(story: SessionDetails, now: datetime) -> View:
    """Return one session and its last turns.

    Args:
        now: by it a turn that was not finished is busy or abandoned.
    """
    session = story.session
    about: dict[str, str | int] = {
        "session": session.uid,
        "origin": session.origin,
        "label": session.label or "",
        "began": moment(session.started_at),
        "ended": _ended(session),
        **_counts(session),
    }
    rows = [_turn(turn, now) for turn in story.turns]
    return View([Fields(about), Table(_TURNS, rows, "no turns")])


def _row(session: Session) -> list[Cell]:
    label = shorten(session.label or "", _MAX_MESSAGE)
    began, counts = moment(session.started_at), _counts(session).values()
    return [session.uid, session.origin, label, began, _ended(session), *counts]


def _counts(session: Session) -> dict[str, int]:
    return {name: getattr(session, name) for name in _COUNTS}


def _ended(session: Session) -> str:
    return moment(session.ended_at) if session.ended_at else ""


def _turn(turn: Turn, now: datetime) -> list[Cell]:
    return [
        *(turn.uid, moment(turn.started_at), _took(turn), turn.state(now), len(turn.tool_calls)),
        shorten(turn.message, _MAX_MESSAGE),
    ]


def _took(turn: Turn) -> str:
    if turn.finished_at is None:
        return ""
    return duration((turn.finished_at - turn.started_at).total_seconds())

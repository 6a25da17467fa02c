"""Browsers that look at the pages, and what was done there."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from afterword.pipeline.gateway.access.model import PageAction, PageSession
from afterword.pipeline.views.blocks import Paragraph, Table, View
from afterword.pipeline.views.words import ago

_BROWSERS: Final = ("id", "role", "token", "let in", "last seen", "ended")
_ACTIONS: Final = ("when", "who", "group", "action", "outcome", "what it said")


def browser_list(sessions: Sequence[PageSession], now: datetime) -> View:
    """Return browsers below each other, and links that wait for one."""
    rows = [
        (
            str(session.id),
            session.role,
            "" if session.token_id is None else str(session.token_id),
            "not yet" if session.opened_at is None else ago(session.opened_at, now),
            "" if session.seen_at is None else ago(session.seen_at, now),
            "" if session.ended_at is None else ago(session.ended_at, now),
        )
        for session in sessions
    ]
    return View([Table(_BROWSERS, rows, "no browser was let in; `afterword open` does it")])


def browser_ended(session: PageSession) -> View:
    """Return that a browser sees nothing any more."""
    return View([Paragraph(f"browser {session.id} ({session.role}) sees nothing from now on")])


def action_list(actions: Sequence[PageAction], now: datetime) -> View:
    """Return what was done on pages, the newest first."""
    rows = [
        (
            ago(action.began_at, now),
            action.by,
            action.group,
            action.action,
            action.outcome or "cut off, or still running",
            action.words,
        )
        for action in actions
    ]
    return View([Table(_ACTIONS, rows, "nothing was done on a page yet")])

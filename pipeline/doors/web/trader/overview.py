"""The first page of a trader."""

from datetime import datetime

from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.model import PageContent
from afterword.pipeline.operations.learn.overview import NEWS_TIME, read_overview
from afterword.pipeline.views.trades.overview import overview_view


def overview(by: PageCaller) -> PageContent:
    """Return what trades came to, what is named, what is open, and what is new."""
    now = by.now()
    since = _last_visit(by) or now - NEWS_TIME
    return PageContent([overview_view(read_overview(by.store(), now, since))])


def _last_visit(by: PageCaller) -> datetime | None:
    """Return when another browser of this role was last seen before this one was let in."""
    mine = by.session
    before = [
        session.seen_at
        for session in by.sessions.all()
        if session.role == mine.role and session.id != mine.id and session.seen_at is not None
    ]
    return max((at for at in before if mine.opened_at and at < mine.opened_at), default=None)

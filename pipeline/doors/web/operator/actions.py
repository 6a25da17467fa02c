"""What was done on pages, and by whom."""

from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.model import PageContent
from afterword.pipeline.views.operator.browsers import action_list, browser_list


def actions(by: PageCaller, limit: int = 100) -> PageContent:
    """Return the last actions, and the browsers that were let in."""
    listed, browsers = by.sessions.actions(limit), by.sessions.all()
    return PageContent([action_list(listed, by.now()), browser_list(browsers, by.now())])

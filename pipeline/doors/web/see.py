"""A page is asked for: as a whole, or its views alone while it is open."""

from collections.abc import Callable
from functools import partial
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from afterword.pipeline.core.area import AreaPage
from afterword.pipeline.doors.web.addresses import DONE, own_address, query_of
from afterword.pipeline.doors.web.answers import (
    answer_html,
    answer_text,
    empty_content,
    problem_content,
)
from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.frame import PageFrame, live_parts
from afterword.pipeline.doors.web.live import LivePages
from afterword.pipeline.doors.web.model import PageContent
from afterword.pipeline.doors.web.site import Site, call_handler

LIVE_HEADER: Final = "afterword-live"
"""A request with it is of the script: it wants the views of the page alone."""

_OF_THE_FRAME: Final = frozenset({"group", DONE})
"""What an address may say beside the arguments of its page."""


def see_page(
    site: Site,
    live: LivePages,
    page: AreaPage,
    handler: Callable[..., PageContent],
    request: Request,
) -> Response:
    """Return a page to a browser that was let in."""
    is_live = LIVE_HEADER in request.headers
    session = site.entry.session(request)
    if session is None:
        return answer_text("log in", 401) if is_live else site.entry.to_login(request)
    address = own_address(request)
    frame = partial(PageFrame, page.title, page.path, address, site.entry.form_token(request))

    def answer(by: PageCaller) -> Response:
        if session.role not in page.callers.split():
            return site.page(
                by, frame(), problem_content(403, f"{page.title}: {page.callers}", "/")
            )
        query = query_of(request)
        show = partial(call_handler, handler, by, request.path_params, query, _OF_THE_FRAME)
        if page.needs_group and not by.has_group():
            show = partial(empty_content, by.group)
        if is_live:
            return _views(site, live, by, address, request.headers.get("if-none-match"), show)
        notice, is_refusal = _notice(by, query.get(DONE))
        return site.page(by, frame(notice=notice, is_refusal=is_refusal), show())

    # A refused page leads back to itself without what it was asked for, or to the first page.
    back = request.url.path if request.url.query else "/"
    refusal = PageFrame(page.title, page.path, back, site.entry.form_token(request))
    return site.guarded(request, session, refusal, answer)


def _views(
    site: Site,
    live: LivePages,
    by: PageCaller,
    address: str,
    tag: str | None,
    show: Callable[[], PageContent],
) -> Response:
    answer = live.answer(
        f"{by.session.role} {by.group} {address}", by.group, lambda: live_parts(by, show())
    )
    if tag == answer.tag:
        return Response(status_code=304, headers={"etag": answer.tag})
    return answer_html(answer.html, 200, site.entry.home, etag=answer.tag)


def _notice(by: PageCaller, number: object) -> tuple[str, bool]:
    """Return what an action of this browser did, and whether it was refused."""
    text = str(number)
    if not text.isascii() or not text.isdigit() or len(text) > 18:
        return "", False
    action = by.sessions.action(int(text))
    if action is None or action.session_id != by.session.id:
        return "", False
    return action.words, action.outcome != "done"

"""A form is sent: the action runs once, and who did it is kept with what came of it."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from afterword.pipeline.core.area import AreaAction
from afterword.pipeline.doors.http.problems import UNEXPECTED_PROBLEM
from afterword.pipeline.doors.render.screen import Screen
from afterword.pipeline.doors.render.text import text
from afterword.pipeline.doors.web.addresses import DONE, fields_of, inside
from afterword.pipeline.doors.web.answers import problem_content
from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.entry import FORM_TOKEN
from afterword.pipeline.doors.web.frame import PageFrame
from afterword.pipeline.doors.web.model import ActionAnswer
from afterword.pipeline.doors.web.site import Site, call_handler
from afterword.pipeline.errors import PipelineError

BACK: Final = "back"
"""The field with the address of the page that a form stands on."""

_OF_THE_FRAME: Final = frozenset({FORM_TOKEN, BACK})
"""Fields of every form that its handler does not see."""

_FORGED: Final = "this form was not made for this browser; load the page again, and send it anew"


def act(
    site: Site,
    action: AreaAction,
    handler: Callable[..., ActionAnswer],
    request: Request,
    body: bytes,
) -> Response:
    """Do what a form says, and lead the browser to the page that shows it."""
    session, fields = site.entry.session(request), fields_of(body)
    if session is None:
        return site.entry.to_login(request)
    back = inside(fields.get(BACK))
    frame = PageFrame("Not done", back.partition("?")[0], back, site.entry.form_token(request))

    def answer(by: PageCaller) -> Response:
        refusal = ""
        if session.role not in action.callers.split():
            refusal = f"this is for: {action.callers}"
        elif not site.entry.is_own_form(request, fields):
            refusal = _FORGED
        if refusal:
            return site.page(by, frame, problem_content(403, refusal, back))
        call = partial(call_handler, handler, by, request.path_params, fields, _OF_THE_FRAME)
        target = _recorded(by, request.url.path, call)
        return RedirectResponse(target, 303, {"cache-control": "no-store"})

    return site.guarded(request, session, frame, answer)


def _recorded(by: PageCaller, path: str, call: Callable[[], ActionAnswer]) -> str:
    """Run an action between its two records; return the address to go to."""
    number = by.sessions.begin_action(by.session, by.group, path)
    end = partial(by.sessions.end_action, number)
    try:
        done = call()
    except PipelineError as error:
        end("refused", str(error))
        raise
    except Exception:
        end("failed", UNEXPECTED_PROBLEM)
        raise
    end("done", text(done.view, Screen()))
    target, _, asked = done.to.partition("?")
    query: Mapping[str, Any] = {name: values[0] for name, values in parse_qs(asked).items()}
    return by.address(target, **query, **{DONE: str(number)})

"""What every answer of the site needs: who asks, the frame around a content, and refusals."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from afterword.pipeline.core.store.names import checked_group
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.doors.agent.arguments import as_meant, check, masking_refusals
from afterword.pipeline.doors.http.caller import ServerParts
from afterword.pipeline.doors.http.problems import UNEXPECTED_PROBLEM, problem_from
from afterword.pipeline.doors.web.addresses import query_of
from afterword.pipeline.doors.web.answers import answer_html, problem_content
from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.declared import DeclaredPages
from afterword.pipeline.doors.web.entry import Entry
from afterword.pipeline.doors.web.frame import PageFrame, whole_page
from afterword.pipeline.doors.web.model import PageContent
from afterword.pipeline.errors import InvalidInputError, PipelineError
from afterword.pipeline.gateway.access.model import PageSession
from afterword.pipeline.rules.masking import trace


@dataclass(frozen=True, slots=True)
class Site:
    """The site of an installation, and one of its answers at a time."""

    parts: ServerParts
    declared: DeclaredPages
    entry: Entry

    def caller(self, request: Request, session: PageSession) -> PageCaller:
        """Return who asks, about the group that the address names.

        Raises:
            InvalidInputError: such a group could not exist.
        """
        group = checked_group(str(query_of(request).get("group", self.parts.settings.group)))
        return self._caller(request, session, group)

    def page(self, by: PageCaller, frame: PageFrame, content: PageContent) -> Response:
        """Return a content inside the frame."""
        html = whole_page(by, frame, content, self.declared)
        return answer_html(html, content.status, self.entry.home)

    def guarded(
        self,
        request: Request,
        session: PageSession,
        frame: PageFrame,
        answer: Callable[[PageCaller], Response],
    ) -> Response:
        """Return an answer, or the page that says why there is none.

        Args:
            frame: of that page.
            answer: computes the answer for who asks.
        """
        problem = partial(self._problem, request, session, frame)
        try:
            return answer(self.caller(request, session))
        except PipelineError as error:
            if isinstance(error, InvalidInputError) and error.field == "group":
                frame = PageFrame(frame.title, frame.path, "/", frame.form_token)
                problem = partial(self._problem, request, session, frame)
            refusal = problem_from(error, self.parts.clock())
            words = refusal.detail.replace(str(self.parts.settings.home), "<home>")
            return problem(refusal.status, words)
        except Exception as error:
            emit("http.failed", request=request.scope["afterword.request"], trace=trace(error))
            return problem(500, UNEXPECTED_PROBLEM)

    def _problem(
        self, request: Request, session: PageSession, frame: PageFrame, status: int, words: str
    ) -> Response:
        emit("http.refused", status=status, request=request.scope["afterword.request"])
        by = self._caller(request, session, self.parts.settings.group)
        return self.page(by, frame, problem_content(status, words, frame.back))

    def _caller(self, request: Request, session: PageSession, group: str) -> PageCaller:
        uid, sessions = request.scope["afterword.request"], self.entry.sessions
        return PageCaller(self.parts, uid, group, session, sessions, self.declared.page_of)


def call_handler(
    handler: Callable[..., Any],
    by: PageCaller,
    path: Mapping[str, Any],
    given: Mapping[str, Any],
    of_the_frame: frozenset[str],
) -> Any:
    """Run a handler with the parts of its path and what was sent, checked by its types.

    Args:
        of_the_frame: names among those given that the handler does not see.

    Raises:
        InvalidInputError: an argument that it does not know, or of a wrong type.
    """
    sent = {name: value for name, value in given.items() if name not in of_the_frame}
    arguments = as_meant(handler, {**sent, **path})
    with masking_refusals(*arguments.values()):
        check(handler, arguments)
        return handler(by, **arguments)

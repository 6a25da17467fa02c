"""The site: which browser asks, which page or action it asks for, and the answer."""

import hmac
from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import partial
from typing import Any, Final
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route, Router
from starlette.types import Receive, Scope, Send

from afterword.pipeline.areas import all_areas
from afterword.pipeline.clock import monotonic
from afterword.pipeline.core.area import AreaAction, AreaPage, load
from afterword.pipeline.core.store.names import checked_group
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.doors.agent.arguments import as_meant, check, masking_refusals
from afterword.pipeline.doors.http.caller import ServerParts
from afterword.pipeline.doors.http.problems import UNEXPECTED_PROBLEM, problem_from
from afterword.pipeline.doors.render.screen import Screen
from afterword.pipeline.doors.render.text import text
from afterword.pipeline.doors.web.answers import (
    answer_html,
    answer_text,
    empty_content,
    problem_content,
)
from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.declared import declared_pages
from afterword.pipeline.doors.web.frame import (
    PageFrame,
    live_parts,
    login_page,
    static_files,
    whole_page,
)
from afterword.pipeline.doors.web.live import LivePages
from afterword.pipeline.doors.web.model import Done, PageContent
from afterword.pipeline.errors import PipelineError
from afterword.pipeline.gateway.access.model import PageSession
from afterword.pipeline.gateway.access.pages import (
    OpenedSession,
    PageSessions,
    form_token,
    home_digest,
)
from afterword.pipeline.gateway.access.tokens import AccessTokens
from afterword.pipeline.rules.masking import trace

FIELDS_OF_THE_FRAME: Final = frozenset({"form_token", "back"})
"""Fields of every form that its handler does not see."""

QUERY_OF_THE_FRAME: Final = frozenset({"group", "done"})
"""What an address may say beside the arguments of its page."""

LIVE_HEADER: Final = "afterword-live"
"""A request with it is of the script: it wants the views of the page alone."""

MOST_FIELDS: Final = 500
"""Fields of one form, and arguments of one address; count."""

_NO_LINK: Final = (
    "This link opens nothing: it was used already, or is older than two minutes. "
    "Run `afterword open` again."
)
_NO_TOKEN: Final = "This token opens no pages."
_FORGED: Final = "this form was not made for this browser; load the page again, and send it anew"


class Pages:
    """The site of an installation, beside the routes of programs.

    Args:
        parts: what it shares with them.
    """

    def __init__(self, parts: ServerParts) -> None:
        self._parts = parts
        self._declared = declared_pages(all_areas())
        settings, instance = parts.settings, parts.stores.instance
        self._sessions = PageSessions(
            instance,
            parts.clock,
            parts.ids,
            timedelta(seconds=settings.page_idle_s),
            timedelta(seconds=settings.page_life_s),
        )
        self._tokens = AccessTokens(instance, parts.clock, parts.ids)
        self._live = LivePages(parts.stores, parts.clock, monotonic, parts.ids())
        self._home = home_digest(parts.stores.instance_id)
        self._static = static_files()
        self._router = Router(
            [
                Route("/login", self._see_login, methods=["GET"]),
                Route("/login", self._log_in, methods=["POST"]),
                Route("/logout", self._log_out, methods=["POST"]),
                Route("/static/{name}", self._file, methods=["GET"]),
                Route("/", self._first_page, methods=["GET"]),
                *(self._page_route(page) for page in self._declared.pages),
                *(self._action_route(action) for action in self._declared.actions),
                Route("/{rest:path}", self._no_page, methods=["GET", "POST"]),
            ],
            redirect_slashes=False,
        )

    def is_own(self, path: str) -> bool:
        """Return whether a path is one of the site."""
        return self._declared.is_own(path)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        await self._router(scope, receive, send)

    def _page_route(self, page: AreaPage) -> Route:
        handler = load(page.handler)

        async def see(request: Request) -> Response:
            return await run_in_threadpool(self._see, page, handler, request)

        return Route(page.path, see, methods=["GET"], name=page.path)

    def _action_route(self, action: AreaAction) -> Route:
        handler = load(action.handler)

        async def act(request: Request) -> Response:
            fields = _fields(await request.body())
            return await run_in_threadpool(self._act, action, handler, request, fields)

        return Route(action.path, act, methods=["POST"], name=action.path)

    def _see(self, page: AreaPage, handler: Callable[..., PageContent], request: Request) -> Any:
        is_live = LIVE_HEADER in request.headers
        session = self._session(request)
        if session is None:
            return answer_text("log in", 401) if is_live else self._to_login(request)
        query = _fields(request.url.query.encode())
        frame = partial(
            PageFrame, page.title, page.path, _own_address(request), self._form_token(request)
        )
        try:
            by = self._caller(request, session, query)
            if session.role not in page.callers.split():
                content = problem_content(403, f"{page.title} is for: {page.callers}", "/")
                return answer_html(whole_page(by, frame(), content, self._declared), 403)
            show = partial(_called, handler, by, request.path_params, query, QUERY_OF_THE_FRAME)
            if not by.has_group():
                show = partial(empty_content, by.group)
            if is_live:
                return self._live_answer(request, by, show)
            content = show()
            notice, is_refusal = self._notice(by, query.get("done", ""))
            html = whole_page(
                by, frame(notice=notice, is_refusal=is_refusal), content, self._declared
            )
            return answer_html(html, content.status, self._home)
        except PipelineError as error:
            return self._refused(request, session, error, frame, page.path)
        except Exception as error:
            return self._failed(request, session, error, frame)

    def _live_answer(
        self, request: Request, by: PageCaller, show: Callable[[], PageContent]
    ) -> Response:
        page = f"{by.session.role} {by.group} {_own_address(request)}"
        answer = self._live.answer(page, by.group, lambda: live_parts(by, show()))
        if request.headers.get("if-none-match") == answer.tag:
            return Response(status_code=304, headers={"etag": answer.tag})
        return answer_html(answer.html, 200, self._home, etag=answer.tag)

    def _act(
        self,
        action: AreaAction,
        handler: Callable[..., Done],
        request: Request,
        fields: Mapping[str, Any],
    ) -> Response:
        session = self._session(request)
        if session is None:
            return self._to_login(request)
        back = _inside(str(fields.get("back", "/")))
        frame = partial(PageFrame, "Not done", back, back, self._form_token(request))
        query = _fields(request.url.query.encode())
        try:
            by = self._caller(request, session, query)
            refusal = self._refusal(action, request, session, fields)
            if refusal:
                content = problem_content(403, refusal, back)
                return answer_html(whole_page(by, frame(), content, self._declared), 403)
            done = self._run(action, handler, by, request, fields)
        except PipelineError as error:
            return self._refused(request, session, error, frame, back)
        except Exception as error:
            return self._failed(request, session, error, frame)
        return RedirectResponse(done, 303, {"cache-control": "no-store"})

    def _refusal(
        self,
        action: AreaAction,
        request: Request,
        session: PageSession,
        fields: Mapping[str, Any],
    ) -> str:
        if session.role not in action.callers.split():
            return f"this is for: {action.callers}"
        sent = str(fields.get("form_token", ""))
        is_own = hmac.compare_digest(sent.encode(), self._form_token(request).encode())
        return "" if is_own else _FORGED

    def _run(
        self,
        action: AreaAction,
        handler: Callable[..., Done],
        by: PageCaller,
        request: Request,
        fields: Mapping[str, Any],
    ) -> str:
        """Run an action, keep who did it and what came of it; return the address to go to."""
        number = self._sessions.begin_action(by.session, by.group, request.url.path)
        end = partial(self._sessions.end_action, number)
        try:
            done: Done = _called(handler, by, request.path_params, fields, FIELDS_OF_THE_FRAME)
        except PipelineError as error:
            end("refused", str(error))
            raise
        except Exception:
            end("failed", UNEXPECTED_PROBLEM)
            raise
        end("done", text(done.view, Screen()))
        path, _, asked = done.to.partition("?")
        query = {name: value[0] for name, value in parse_qs(asked).items()}
        return by.address(path, **query | {"done": str(number)})

    def _notice(self, by: PageCaller, done: str) -> tuple[str, bool]:
        """Return what an action of this browser did, and whether it was refused."""
        if not done.isascii() or not done.isdigit() or len(done) > 18:
            return "", False
        action = self._sessions.action(int(done))
        if action is None or action.session_id != by.session.id:
            return "", False
        return action.words, action.outcome != "done"

    def _refused(
        self,
        request: Request,
        session: PageSession,
        error: PipelineError,
        frame: Callable[..., PageFrame],
        back: str,
    ) -> Response:
        problem = problem_from(error, self._parts.clock())
        words = problem.detail.replace(str(self._parts.settings.home), "<home>")
        return self._problem(request, session, frame, problem_content(problem.status, words, back))

    def _failed(
        self,
        request: Request,
        session: PageSession,
        error: Exception,
        frame: Callable[..., PageFrame],
    ) -> Response:
        emit("http.failed", request=request.scope["afterword.request"], trace=trace(error))
        content = problem_content(500, UNEXPECTED_PROBLEM, "/")
        return self._problem(request, session, frame, content)

    def _problem(
        self,
        request: Request,
        session: PageSession,
        frame: Callable[..., PageFrame],
        content: PageContent,
    ) -> Response:
        uid = request.scope["afterword.request"]
        emit("http.refused", status=content.status, request=uid)
        if LIVE_HEADER in request.headers:
            return answer_text("not shown", content.status)
        by = self._caller(request, session, {})
        html = whole_page(by, frame(), content, self._declared)
        return answer_html(html, content.status, self._home)

    async def _first_page(self, request: Request) -> Response:
        first = next(page for page in self._declared.pages if page.section)
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(f"{first.path}{query}", 303, {"cache-control": "no-store"})

    async def _no_page(self, request: Request) -> Response:
        return await run_in_threadpool(self._missing, request)

    def _missing(self, request: Request) -> Response:
        session = self._session(request)
        if session is None:
            return self._to_login(request)
        frame = partial(PageFrame, "No page", "", "/", self._form_token(request))
        content = problem_content(404, "there is no page of this address", "/")
        return self._problem(request, session, frame, content)

    async def _see_login(self, request: Request) -> Response:
        link = request.query_params.get("link")
        if link is None:
            following = _inside(request.query_params.get("following", "/"))
            return answer_html(login_page("", following), 200, self._home)
        opened = await run_in_threadpool(self._sessions.open_link, link)
        return self._entered(request, opened, "/", _NO_LINK)

    async def _log_in(self, request: Request) -> Response:
        fields = _fields(await request.body())

        def log_in() -> OpenedSession | None:
            token = self._tokens.find(str(fields.get("token", "")).strip())
            return None if token is None else self._sessions.open_token(token)

        opened = await run_in_threadpool(log_in)
        return self._entered(request, opened, _inside(str(fields.get("following", "/"))), _NO_TOKEN)

    def _entered(
        self, request: Request, opened: OpenedSession | None, following: str, refusal: str
    ) -> Response:
        if opened is None:
            return answer_html(login_page(refusal.replace("`", ""), following), 403, self._home)
        answer = RedirectResponse(following, 303, {"cache-control": "no-store"})
        answer.set_cookie(
            _cookie_name(request),
            opened.cookie,
            max_age=self._parts.settings.page_life_s,
            path="/",
            httponly=True,
            samesite="strict",
            # A named host is a reverse proxy with TLS; this machine speaks none.
            secure=request.headers["host"] in self._parts.settings.http_hosts.split(),
        )
        return answer

    async def _log_out(self, request: Request) -> Response:
        fields = _fields(await request.body())
        session = await run_in_threadpool(self._session, request)
        sent = str(fields.get("form_token", "")).encode()
        if session is not None and hmac.compare_digest(sent, self._form_token(request).encode()):
            await run_in_threadpool(self._sessions.end, session.id)
        answer = RedirectResponse("/login", 303, {"cache-control": "no-store"})
        answer.delete_cookie(_cookie_name(request), path="/", httponly=True, samesite="strict")
        return answer

    async def _file(self, request: Request) -> Response:
        if request.path_params["name"] not in self._static:
            return answer_text("no such file", 404)
        media_type, content = self._static[request.path_params["name"]]
        return Response(
            content, 200, {"cache-control": "public, max-age=31536000, immutable"}, media_type
        )

    def _session(self, request: Request) -> PageSession | None:
        return self._sessions.find(request.cookies.get(_cookie_name(request), ""))

    def _form_token(self, request: Request) -> str:
        return form_token(request.cookies.get(_cookie_name(request), ""))

    def _to_login(self, request: Request) -> Response:
        following = _own_address(request) if request.method == "GET" else "/"
        target = "/login" if following == "/" else f"/login?following={quote(following, safe='')}"
        return RedirectResponse(target, 303, {"cache-control": "no-store"})

    def _caller(
        self, request: Request, session: PageSession, query: Mapping[str, Any]
    ) -> PageCaller:
        group = checked_group(str(query.get("group", self._parts.settings.group)))
        uid = request.scope["afterword.request"]
        return PageCaller(self._parts, uid, group, session, self._sessions, self._declared.page_of)


def _called(
    handler: Callable[..., Any],
    by: PageCaller,
    path: Mapping[str, Any],
    given: Mapping[str, Any],
    of_the_frame: frozenset[str],
) -> Any:
    """Run a handler with the parts of its path and what was asked for, checked by its types."""
    asked = {name: value for name, value in given.items() if name not in of_the_frame}
    arguments = as_meant(handler, {**asked, **path})
    with masking_refusals(*arguments.values()):
        check(handler, arguments)
        return handler(by, **arguments)


def _fields(encoded: bytes) -> dict[str, Any]:
    """Return the fields of a form or of an address; an empty one is left out.

    Of more than `MOST_FIELDS`, which no page sends, none is read.
    """
    try:
        several = parse_qs(encoded.decode(errors="replace"), max_num_fields=MOST_FIELDS)
    except ValueError:
        return {}
    return {name: values[0] if len(values) == 1 else values for name, values in several.items()}


def _own_address(request: Request) -> str:
    query = {k: v for k, v in _fields(request.url.query.encode()).items() if k != "done"}
    encoded = urlencode(query, doseq=True)
    return f"{request.url.path}?{encoded}" if encoded else request.url.path


def _inside(address: str) -> str:
    """Return an address of this site, or its first page: a form must lead nowhere else."""
    split = urlsplit(address)
    is_inside = address.startswith("/") and not address.startswith(("//", "/\\"))
    return address if is_inside and not split.scheme and not split.netloc else "/"


def _cookie_name(request: Request) -> str:
    """Return a name of its own for each port: browsers share cookies between the ports of a host."""
    return f"afterword_{request.headers['host'].rpartition(':')[2]}"

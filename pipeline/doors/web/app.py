"""The site beside the routes of programs: which path is answered by what."""

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route, Router
from starlette.types import Receive, Scope, Send

from afterword.pipeline.areas import all_areas
from afterword.pipeline.clock import monotonic
from afterword.pipeline.core.area import AreaAction, AreaPage, load
from afterword.pipeline.doors.http.caller import ServerParts
from afterword.pipeline.doors.web.act import act
from afterword.pipeline.doors.web.answers import answer_text, problem_content
from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.declared import declared_pages
from afterword.pipeline.doors.web.entry import Entry
from afterword.pipeline.doors.web.frame import PageFrame, static_files
from afterword.pipeline.doors.web.live import LivePages
from afterword.pipeline.doors.web.see import see_page
from afterword.pipeline.doors.web.site import Site


class WebPages:
    """The pages and actions that areas declare, as one application.

    Args:
        parts: what it shares with the routes of programs.
    """

    def __init__(self, parts: ServerParts) -> None:
        self._site = Site(parts, declared_pages(all_areas()), Entry(parts))
        self._live = LivePages(parts.stores, parts.clock, monotonic, parts.ids())
        self._static = static_files()
        declared = self._site.declared
        self._router = Router(
            [
                *self._site.entry.routes(),
                Route("/static/{name}", self._file, methods=["GET"]),
                Route("/", self._first_page, methods=["GET"]),
                *map(self._page_route, declared.pages),
                *map(self._action_route, declared.actions),
                Route("/{rest:path}", self._no_page, methods=["GET", "POST"]),
            ],
            redirect_slashes=False,
        )

    def is_own(self, path: str) -> bool:
        """Return whether a path is one of the site."""
        return self._site.declared.is_own(path)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        await self._router(scope, receive, send)

    def _page_route(self, page: AreaPage) -> Route:
        handler = load(page.handler)

        async def see(request: Request) -> Response:
            return await run_in_threadpool(see_page, self._site, self._live, page, handler, request)

        return Route(page.path, see, methods=["GET"])

    def _action_route(self, action: AreaAction) -> Route:
        handler = load(action.handler)

        async def do(request: Request) -> Response:
            body = await request.body()
            return await run_in_threadpool(act, self._site, action, handler, request, body)

        return Route(action.path, do, methods=["POST"])

    async def _first_page(self, request: Request) -> Response:
        first = next(page for page in self._site.declared.pages if page.section)
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(f"{first.path}{query}", 303, {"cache-control": "no-store"})

    async def _no_page(self, request: Request) -> Response:
        return await run_in_threadpool(self._missing, request)

    def _missing(self, request: Request) -> Response:
        session = self._site.entry.session(request)
        if session is None:
            return self._site.entry.to_login(request)
        frame = PageFrame("No page", "", "/", self._site.entry.form_token(request))
        content = problem_content(404, "there is no page of this address", "/")

        def answer(by: PageCaller) -> Response:
            return self._site.page(by, frame, content)

        return self._site.guarded(request, session, frame, answer)

    async def _file(self, request: Request) -> Response:
        if request.path_params["name"] not in self._static:
            return answer_text("no such file", 404)
        media_type, content = self._static[request.path_params["name"]]
        headers = {"cache-control": "public, max-age=31536000, immutable"}
        return Response(content, 200, headers, media_type)

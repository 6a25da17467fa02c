"""How a browser is let in and out: links, tokens, and the cookie that stands for it."""

import hmac
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from afterword.pipeline.doors.http.caller import ServerParts
from afterword.pipeline.doors.web.addresses import fields_of, inside, own_address
from afterword.pipeline.doors.web.answers import answer_html
from afterword.pipeline.doors.web.frame import login_page
from afterword.pipeline.gateway.access.model import PageSession
from afterword.pipeline.gateway.access.pages import (
    OpenedSession,
    PageSessions,
    form_token,
    home_digest,
)
from afterword.pipeline.gateway.access.tokens import AccessTokens

FORM_TOKEN: Final = "form_token"
"""The field by which a form proves that it was made for its browser."""

_NO_LINK: Final = (
    "This link opens nothing: it was used already, or is older than two minutes. "
    "Run afterword open again."
)
_UNDONE: Final = "undone"
_LOGGED_OUT: Final = "You were logged out before you sent this, so nothing was done."
_NO_TOKEN: Final = "This token opens no pages."


class Entry:
    """Lets browsers in and out, and knows them again.

    Args:
        parts: of the process.
    """

    def __init__(self, parts: ServerParts) -> None:
        settings, instance = parts.settings, parts.stores.instance
        idle, life = (timedelta(seconds=s) for s in (settings.page_idle_s, settings.page_life_s))
        self._settings = settings
        self._tokens = AccessTokens(instance, parts.clock, parts.ids)
        self.sessions = PageSessions(instance, parts.clock, parts.ids, idle, life)
        self.home = home_digest(parts.stores.instance_id)

    def routes(self) -> list[Route]:
        """Return the paths at which browsers come and go."""
        return [
            Route("/login", self._see_login, methods=["GET"]),
            Route("/login", self._log_in, methods=["POST"]),
            Route("/logout", self._log_out, methods=["POST"]),
        ]

    def session(self, request: Request) -> PageSession | None:
        """Return the live session of a browser; None if it must be let in first."""
        return self.sessions.find(request.cookies.get(_cookie_name(request), ""))

    def form_token(self, request: Request) -> str:
        """Return what the forms of a browser carry."""
        return form_token(request.cookies.get(_cookie_name(request), ""))

    def is_own_form(self, request: Request, fields: Mapping[str, Any]) -> bool:
        """Return whether a form was made for the browser that sends it."""
        sent = str(fields.get(FORM_TOKEN, "")).encode()
        return hmac.compare_digest(sent, self.form_token(request).encode())

    def to_login(self, request: Request) -> Response:
        """Return the way to the login, and back to the page that was asked for.

        Who sent a form is told that nothing was done.
        """
        if request.method == "POST":
            return _redirect(f"/login?{_UNDONE}=1")
        following = own_address(request)
        target = "/login" if following == "/" else f"/login?following={quote(following, safe='')}"
        return _redirect(target)

    async def _see_login(self, request: Request) -> Response:
        link = request.query_params.get("link")
        if link is None:
            following = inside(request.query_params.get("following"))
            refusal = _LOGGED_OUT if _UNDONE in request.query_params else ""
            return answer_html(login_page(refusal, following), 200, self.home)
        opened = await run_in_threadpool(self.sessions.open_link, link)
        return self._entered(request, opened, "/", _NO_LINK)

    async def _log_in(self, request: Request) -> Response:
        fields = fields_of(await request.body())
        opened = await run_in_threadpool(self._open_token, str(fields.get("token", "")).strip())
        return self._entered(request, opened, inside(fields.get("following")), _NO_TOKEN)

    def _open_token(self, told: str) -> OpenedSession | None:
        token = self._tokens.find(told)
        return None if token is None else self.sessions.open_token(token)

    def _entered(
        self, request: Request, opened: OpenedSession | None, following: str, refusal: str
    ) -> Response:
        if opened is None:
            return answer_html(login_page(refusal, following), 403, self.home)
        answer = _redirect(following)
        answer.set_cookie(
            _cookie_name(request),
            opened.cookie,
            max_age=self._settings.page_life_s,
            path="/",
            httponly=True,
            samesite="strict",
            # A named host is a reverse proxy, which speaks TLS; this server speaks none.
            secure=request.headers["host"].lower() in self._settings.http_hosts.lower().split(),
        )
        return answer

    async def _log_out(self, request: Request) -> Response:
        fields = fields_of(await request.body())
        session = await run_in_threadpool(self.session, request)
        if session is None or not self.is_own_form(request, fields):
            return _redirect("/")
        await run_in_threadpool(self.sessions.end, session.id)
        answer = _redirect("/login")
        answer.delete_cookie(_cookie_name(request), path="/", httponly=True, samesite="strict")
        return answer


def _redirect(target: str) -> Response:
    return RedirectResponse(target, 303, {"cache-control": "no-store"})


def _cookie_name(request: Request) -> str:
    """Return the name of the cookie; browsers share cookies between the ports of a host."""
    return f"afterword_{request.headers['host'].rpartition(':')[2]}"

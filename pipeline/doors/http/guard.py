"""What is refused before any route sees it: one check for every path of the network door.

In this order: size of the headers (431), Host (421), Origin (403), framing (400), room (503),
token (401), media type (415), size (413), time (408), shape (400). So whoever has no token learns
nothing, and sends no body. The paths of pages bring a cookie instead, which they check themselves,
and the fields of a form.
"""

import asyncio
import re
from collections.abc import Callable, Iterable
from typing import Final

from afterword.pipeline.clock import Monotonic
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.doors.http.answer import Answer
from afterword.pipeline.doors.http.asgi import AsgiApp, Message, Receive, Scope, Send
from afterword.pipeline.doors.http.body import (
    BODY_S,
    MAX_BODY_BYTES,
    MAX_HEAD_BYTES,
    problem_of,
)
from afterword.pipeline.doors.http.problems import UNEXPECTED_PROBLEM, Problem
from afterword.pipeline.doors.http.protocol import MOST_AT_ONCE, is_over
from afterword.pipeline.gateway.access.known import KnownTokens
from afterword.pipeline.gateway.access.model import AccessToken
from afterword.pipeline.ids import IdSource
from afterword.pipeline.rules.masking import trace

OPEN_PATHS: Final = frozenset({"/health"})
"""Paths without a token: they say that the process answers, and nothing else."""

FORM_TYPE: Final = "application/x-www-form-urlencoded"
"""The media type of the forms of pages."""

_BEARER: Final = re.compile(rb"Bearer ([!-~]{1,200})", re.IGNORECASE)
_JSON: Final = re.compile(rb"application/json(?:\s*;\s*charset=\"?utf-8\"?)?", re.IGNORECASE)
_FORM: Final = re.compile(
    rb"application/x-www-form-urlencoded(?:\s*;\s*charset=\"?utf-8\"?)?", re.IGNORECASE
)
_WITH_BODY: Final = frozenset({"POST", "PATCH", "PUT"})
_ONCE: Final = (b"host", b"origin", b"authorization", b"content-type", b"content-length")
"""Headers that two readers would read differently if they came twice."""


class Guard:
    """Checks each request; what passes has its token in `scope["afterword.token"]`.

    Args:
        app: the routes.
        hosts: the accepted values of `Host`.
        origins: the accepted values of `Origin`, where a browser sends one.
        tokens: those that open the door.
        ids: names each request, for the log.
        monotonic: measures how long an answer takes.
        is_page: whether a path is one of the pages.
    """

    def __init__(
        self,
        app: AsgiApp,
        hosts: Iterable[str],
        origins: Iterable[str],
        tokens: KnownTokens,
        ids: IdSource,
        monotonic: Monotonic,
        is_page: Callable[[str], bool],
    ) -> None:
        self._app, self._tokens, self._ids, self._monotonic = app, tokens, ids, monotonic
        self._is_page = is_page
        self._hosts = frozenset(host.lower().encode() for host in hosts)
        self._origins = frozenset(origin.lower().encode() for origin in origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # WebSockets are not offered
            await send({"type": "websocket.close", "code": 1008})
            return
        scope["afterword.request"] = uid = self._ids()
        answer = Answer(send, self._monotonic())
        try:
            refused, whole = await self._checked(scope, receive)
            if refused is None:
                refused = await self._serve(scope, replayed(whole, receive), answer)
            if refused is not None:
                path = scope["path"][:100]
                emit(
                    "http.refused",
                    status=refused.status,
                    code=refused.name,
                    request=uid,
                    path=path,
                )
                await answer_problem(refused, uid, answer.send)
        except ClientLeftError:
            return
        finally:
            if answer.status:
                emit("http.answered", **answer.facts(scope, self._monotonic()))

    async def _serve(self, scope: Scope, receive: Receive, answer: Answer) -> Problem | None:
        """Run the routes; return the answer for an error that no route turned into one."""
        try:
            await self._app(scope, receive, answer.send)
        except Exception as error:
            emit("http.failed", request=scope["afterword.request"], trace=trace(error))
            if answer.status:
                raise
            return Problem(500, UNEXPECTED_PROBLEM)
        return None

    async def _checked(self, scope: Scope, receive: Receive) -> tuple[Problem | None, bytes]:
        headers: dict[bytes, bytes] = {}
        for name, value in scope["headers"]:
            if name in headers and name in _ONCE:
                return Problem(400, f"the header {name.decode()} came twice"), b""
            headers[name] = value
        # The parser holds a head to this size only while it is incomplete.
        if sum(len(name) + len(value) for name, value in scope["headers"]) > MAX_HEAD_BYTES:
            return Problem(431, f"the headers have more than {MAX_HEAD_BYTES} bytes"), b""
        refused = self._refused_head(headers)
        is_page = self._is_page(scope["path"])
        if refused is None and scope["path"] not in OPEN_PATHS and is_over(scope):
            full = f"{MOST_AT_ONCE} connections are open; close one that is idle"
            refused = Problem(503, full, retry_after_s=1)
        if refused is None and not is_page and scope["path"] not in OPEN_PATHS:
            token = await self._token(headers.get(b"authorization", b""))
            if token is None:
                return Problem(401, "send a live token as `Authorization: Bearer TOKEN`"), b""
            scope["afterword.token"] = token
        if refused is None:
            refused = _refused_type(scope["method"], headers, is_page=is_page)
        if refused is not None:
            return refused, b""
        try:
            async with asyncio.timeout(BODY_S):
                body = await _read(receive)
        except TimeoutError:
            return Problem(408, f"the body did not arrive within {BODY_S:.0f} s"), b""
        if body is None:
            return Problem(413, f"the body has more than {MAX_BODY_BYTES} bytes"), b""
        problem = None if is_page else problem_of(body)
        return (None if problem is None else Problem(400, problem)), body

    def _refused_head(self, headers: dict[bytes, bytes]) -> Problem | None:
        if headers.get(b"host", b"").lower() not in self._hosts:
            return Problem(421, "call the server by its own name; AFTERWORD_HTTP_HOSTS adds others")
        origin = headers.get(b"origin")
        if origin is not None and origin.lower() not in self._origins:
            return Problem(403, "pages of this origin may not call; see AFTERWORD_HTTP_ORIGINS")
        if b"transfer-encoding" in headers and b"content-length" in headers:
            return Problem(400, "the body has two lengths: Content-Length and Transfer-Encoding")
        return None

    async def _token(self, header: bytes) -> AccessToken | None:
        match = _BEARER.fullmatch(header)
        if match is None:
            return None
        told = match[1].decode("ascii")
        token = self._tokens.find(told)
        emit("http.identified", known="no" if token is None else "yes")
        if token is None:
            version = self._tokens.version()
            token = await asyncio.to_thread(self._tokens.look_up, told)
            if token is not None:
                self._tokens.keep(told, token, version)
        return token


class ClientLeftError(Exception):
    """The client closed the connection before its request was whole."""


async def answer_problem(problem: Problem, uid: str, send: Send) -> None:
    """Send a problem as the whole answer, and close the connection: its body may be unread."""
    body = problem.body(uid)
    headers = problem.headers() | {
        "content-type": "application/problem+json",
        "content-length": str(len(body)),
        "connection": "close",
    }
    encoded = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": problem.status, "headers": encoded})
    await send({"type": "http.response.body", "body": body})


def _refused_type(method: str, headers: dict[bytes, bytes], *, is_page: bool) -> Problem | None:
    length = headers.get(b"content-length", b"0")
    if not length.isdigit():
        return Problem(400, "Content-Length must be a number of bytes")
    if int(length) > MAX_BODY_BYTES:
        return Problem(413, f"the body has more than {MAX_BODY_BYTES} bytes")
    has_body = int(length) > 0 or b"transfer-encoding" in headers
    if not has_body:
        return None
    if method not in _WITH_BODY:
        return Problem(400, f"{method} takes no body")
    media_type, accepted = (_FORM, FORM_TYPE) if is_page else (_JSON, "application/json")
    if media_type.fullmatch(headers.get(b"content-type", b"").strip()) is None:
        return Problem(415, f"send the body as {accepted} in UTF-8")
    return None


async def _read(receive: Receive) -> bytes | None:
    """Return the whole body; None if it is too large."""
    parts, size = [], 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientLeftError
        part = message.get("body", b"")
        size += len(part)
        if size > MAX_BODY_BYTES:
            return None
        parts.append(part)
        if not message.get("more_body", False):
            return b"".join(parts)


def replayed(body: bytes, receive: Receive) -> Receive:
    """Return what tells an app of a body that was read already."""
    told = False

    async def replay() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay

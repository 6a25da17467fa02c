"""Serve the network door until the process is told to end; a composition root."""

import sys
from collections.abc import Awaitable, Callable
from contextlib import ExitStack, closing
from functools import cache
from ipaddress import ip_address
from socket import socket
from typing import Final, Protocol

import uvicorn

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.store import Stores, options_of
from afterword.pipeline.core.telemetry.log import log_events
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.doors.agent.door import (
    Door,
    build_door,
    due_work_of,
    query_embedder,
    turn_model_of,
)
from afterword.pipeline.doors.agent.due_work import DueWork, DueWorkElsewhere
from afterword.pipeline.doors.http.agents import Agents
from afterword.pipeline.doors.http.caller import ServerParts
from afterword.pipeline.doors.http.guard import AsgiApp, Guard, Receive, Scope, Send
from afterword.pipeline.doors.http.mcp_mount import with_mcp
from afterword.pipeline.doors.http.protocol import TimedProtocol
from afterword.pipeline.errors import UnavailableError
from afterword.pipeline.gateway.access.tokens import AccessTokens
from afterword.pipeline.ids import random_uid
from afterword.pipeline.recall.search.options import SearchOptions
from afterword.pipeline.recall.search.vectors import VectorIndex
from afterword.pipeline.settings import Settings

MOST_AT_ONCE: Final = 200
"""Connections that are served at once; more are answered 503."""

MAX_HEAD_BYTES: Final = 16 << 10
"""Bytes of the first line and the headers of a request."""

ENDING_S: Final = 10
"""How long requests that are under way may take once the process is told to end; seconds."""


class PathsBeside(Protocol):
    """What is served beside the routes and MCP, under paths of its own."""

    def is_own(self, path: str) -> bool:
        """Return whether it serves a path; it checks its callers itself."""
        ...

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Serve one request."""
        ...


def serve(
    settings: Settings,
    began: Callable[[str], None],
    beside: Callable[[ServerParts], PathsBeside],
    *,
    needs_token: bool = True,
) -> None:
    """Serve until SIGTERM or SIGINT; requests that are under way are finished.

    Args:
        began: is told the address once it listens.
        beside: builds the pages.
        needs_token: whether it refuses to start while nobody has a token; a link to the pages is
            enough for who looks at them on this machine.

    Raises:
        InvalidInputError: a setting is wrong, or nobody has a token.
        UnavailableError: the address is taken, or the files cannot be opened.
    """
    stop_logging = log_events(sys.stderr, settings.log_format, settings.log_level, system_clock)
    try:
        with ExitStack() as opened:
            parts, tokens = _parts(settings, opened)
            if needs_token:
                tokens.check_any()
            pages = beside(parts)
            config = _config(settings)
            with closing(_listening(config)) as listening:
                host, port = listening.getsockname()[:2]
                config.app = Guard(
                    _Beside(with_mcp(parts), pages),
                    accepted_hosts(host, port, settings),
                    accepted_origins(host, port, settings),
                    tokens.find,
                    random_uid,
                    pages.is_own,
                )
                _Server(config, lambda: began(f"http://{_shown(host)}:{port}")).run([listening])
    finally:
        stop_logging()


class _Beside:
    """Sends the requests of some paths elsewhere."""

    def __init__(self, routes: AsgiApp, pages: PathsBeside) -> None:
        self._routes, self._pages = routes, pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        is_page = scope["type"] == "http" and self._pages.is_own(scope["path"])
        await (self._pages if is_page else self._routes)(scope, receive, send)


class _Server(uvicorn.Server):
    """A server that tells when it listens."""

    def __init__(self, config: uvicorn.Config, began: Callable[[], None]) -> None:
        super().__init__(config)
        self._began = began

    async def startup(self, sockets: list[socket] | None = None) -> None:
        """Listen, and tell it."""
        await super().startup(sockets)
        self._began()


def _listening(config: uvicorn.Config) -> socket:
    """Return the socket of the configured address."""
    try:
        return config.bind_socket()
    except SystemExit:  # uvicorn ends the process
        raise UnavailableError(
            f"{config.host}:{config.port} cannot be listened on; AFTERWORD_HTTP_PORT chooses "
            "another port"
        ) from None


def accepted_hosts(host: str, port: int, settings: Settings) -> set[str]:
    """Return the values of `Host` under which a server is called.

    Args:
        host: the address it listens on.
    """
    names = {_shown(host)}
    if ip_address(host).is_loopback or ip_address(host).is_unspecified:
        names |= {"127.0.0.1", "localhost", "[::1]"}
    return {f"{name}:{port}" for name in names} | set(settings.http_hosts.lower().split())


def accepted_origins(host: str, port: int, settings: Settings) -> set[str]:
    """Return the values of `Origin` that its own pages send, and those of the settings."""
    own = {f"http://{name}" for name in accepted_hosts(host, port, settings)}
    return (
        own
        | {f"https://{name}" for name in settings.http_hosts.lower().split()}
        | set(settings.http_origins.split())
    )


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _config(settings: Settings) -> uvicorn.Config:
    return uvicorn.Config(
        _unbuilt,
        host=settings.http_host,
        port=settings.http_port,
        http=TimedProtocol,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=MOST_AT_ONCE,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=ENDING_S,
        h11_max_incomplete_event_size=MAX_HEAD_BYTES,
    )


async def _unbuilt(*_asked: object) -> None:
    """Stand for the application until its port is known."""


def _parts(settings: Settings, opened: ExitStack) -> tuple[ServerParts, AccessTokens]:
    """Return the parts of the process, closed with `opened`, and who may call."""
    stores = Stores(settings.home, options_of(settings), system_clock, random_uid)
    opened.callback(stores.close)
    embedder = query_embedder(settings, stores)
    if embedder is not None:
        opened.callback(embedder.close)
    find_turn_model, roles = turn_model_of(opened, settings, stores), load_roles(settings.home)

    @cache
    def index(_group: str) -> VectorIndex:
        return VectorIndex(settings.recall_index_mb << 20)

    @cache
    def due_work(group: str) -> DueWork | None:
        watching = due_work_of(settings, stores.group(group))
        if watching is not None:
            watching.begin()
            opened.callback(watching.close)
        return watching

    def search_options(group: str) -> SearchOptions:
        return SearchOptions(
            embedder=embedder,
            index=index(group),
            fusion=settings.recall_fusion,
            embed_timeout_s=settings.recall_embed_timeout_s,
        )

    def make_door(by: Writer, handle: str) -> Door:
        group = by.store.name
        configured, watching = settings.model_copy(update={"group": group}), due_work(group)
        elsewhere = None if watching is None else DueWorkElsewhere(watching)
        return build_door(
            configured,
            by,
            handle,
            embedder,
            roles,
            elsewhere,
            index(group),
            find_turn_model=find_turn_model,
        )

    def after_write(group: str) -> None:
        watching = due_work(group)
        if watching is not None:
            watching.look()

    embeds = embedder is not None
    agents = Agents(stores, system_clock, random_uid, make_door, embeds=embeds)
    parts = ServerParts(
        settings, stores, system_clock, random_uid, agents, roles, search_options, after_write
    )
    return parts, AccessTokens(stores.instance, system_clock, random_uid)

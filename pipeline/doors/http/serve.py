"""Serve the network door until the process is told to end; a composition root."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from functools import cache
from ipaddress import ip_address
from socket import socket
from types import FrameType
from typing import Final, Protocol

import uvicorn

from afterword.pipeline.clock import monotonic, system_clock
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
from afterword.pipeline.doors.http.asgi import AsgiApp, Receive, Scope, Send
from afterword.pipeline.doors.http.body import MAX_HEAD_BYTES
from afterword.pipeline.doors.http.caller import ServerParts
from afterword.pipeline.doors.http.guard import Guard
from afterword.pipeline.doors.http.mcp_mount import with_mcp
from afterword.pipeline.doors.http.protocol import TimedProtocol
from afterword.pipeline.doors.http.team import Team
from afterword.pipeline.errors import UnavailableError
from afterword.pipeline.gateway.access.known import KnownTokens
from afterword.pipeline.gateway.access.tokens import AccessTokens
from afterword.pipeline.ids import random_uid
from afterword.pipeline.recall.search.options import SearchOptions
from afterword.pipeline.recall.search.vectors import VectorIndex
from afterword.pipeline.settings import Settings

ENDING_S: Final = 10
"""How long requests that are under way may take once the process is told to end; seconds."""


Watch = Callable[[Callable[[], int]], None]
"""Is told, once a process serves, what returns the number of its open connections."""


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
    observing: Callable[[], AbstractContextManager[Watch]],
    beside: Callable[[ServerParts], PathsBeside],
    *,
    needs_token: bool = True,
) -> None:
    """Serve until SIGTERM or SIGINT; requests that are under way are finished.

    Args:
        began: is told the address once clients can connect.
        observing: logs and counts in a process, for as long as its block runs.
        beside: builds the pages.
        needs_token: whether it refuses to start while nobody has a token; a link to the pages is
            enough for who looks at them on this machine.

    Raises:
        InvalidInputError: a setting is wrong, or nobody has a token.
        UnavailableError: the address is taken, the files cannot be opened, or a process failed.
    """
    if needs_token:  # before anything else is begun
        _check_tokens(settings)
    config = _config(settings)
    with closing(_listening(config)) as listening:
        host, port = listening.getsockname()[:2]
        address = f"http://{_shown(host)}:{port}"

        def run(told: Callable[[], None], parent: int | None = None) -> None:
            with ExitStack() as opened:
                watch = opened.enter_context(observing())
                parts, tokens = _parts(settings, opened)
                pages = beside(parts)
                known = KnownTokens(tokens)
                opened.callback(known.close)
                config.app = Guard(
                    _Beside(with_mcp(parts), pages),
                    accepted_hosts(host, port, settings),
                    accepted_origins(host, port, settings),
                    known,
                    random_uid,
                    monotonic,
                    pages.is_own,
                )
                server = _Server(config, parent)

                def started() -> None:
                    watch(lambda: len(server.server_state.connections))
                    told()

                server.on_start = started
                server.run([listening])

        if settings.http_processes == 1:
            run(lambda: began(address))
            return
        listening.listen(config.backlog)
        began(address)
        Team(lambda parent: run(lambda: None, parent)).work(settings.http_processes)


def _check_tokens(settings: Settings) -> None:
    with closing(Stores(settings.home, options_of(settings), system_clock, random_uid)) as stores:
        AccessTokens(stores.instance, system_clock, random_uid).check_any()


@contextmanager
def logged(settings: Settings) -> Iterator[Watch]:
    """Log in this process, and count nothing."""
    stop_logging = log_events(sys.stderr, settings.log_format, settings.log_level, system_clock)
    try:
        yield lambda _connections: None
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
    """A server that tells when it serves, and ends as other commands do.

    Args:
        parent: a descriptor that is readable once the process that started this one is gone.
    """

    def __init__(self, config: uvicorn.Config, parent: int | None) -> None:
        super().__init__(config)
        self._parent = parent
        self.on_start: Callable[[], object] = lambda: None

    async def startup(self, sockets: list[socket] | None = None) -> None:
        """Begin to serve, and tell it."""
        await super().startup(sockets)
        if self._parent is not None:
            loop = asyncio.get_running_loop()
            loop.add_reader(self._parent, self._end_alone, loop)
        self.on_start()

    def _end_alone(self, loop: asyncio.AbstractEventLoop) -> None:
        assert self._parent is not None
        loop.remove_reader(self._parent)
        self.should_exit = True

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End once the requests under way are answered; told again, at once.

        uvicorn would then die of the signal, before any file is closed.
        """
        del sig, frame
        self.force_exit = self.should_exit
        self.should_exit = True


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

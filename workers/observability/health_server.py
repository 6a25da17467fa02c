"""An HTTP server on loopback for /metrics, /healthz and /readyz."""

import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder

from afterword.pipeline.core.telemetry import emit
from afterword.workers.observability.health import Health

ADDRESS: Final = "127.0.0.1"

PORTS_TRIED: Final = 100
"""Ports that are tried, from the first one on (count): the processes of a host share this range."""

REQUESTS_AT_ONCE: Final = 8
"""Requests answered at the same time (count); any further connection is closed at once."""

SILENCE_S: Final = 5.0
"""How long the server waits for a silent client; seconds."""

STOP_WITHIN_S: Final = 0.1
"""How soon the server notices that it must stop; seconds."""

# A web page can make its own host name point to loopback; only these names are accepted.
_HOST = re.compile(r"(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?", re.IGNORECASE)
_STATUS: Final = {HTTPStatus.NOT_IMPLEMENTED: HTTPStatus.METHOD_NOT_ALLOWED}
_JSON: Final = "application/json"


@dataclass(frozen=True, slots=True)
class Page:
    """One HTTP answer."""

    status: int
    content_type: str
    body: bytes


Render = Callable[[str], Page]
"""Makes the page for the `Accept` header of a request."""


class HealthServer(ThreadingHTTPServer):
    """Answers on the first free port from `first_port` on, in threads of its own.

    Raises:
        OSError: none of the ports is free.
    """

    daemon_threads = True

    def __init__(self, first_port: int, health: Health, registry: CollectorRegistry) -> None:
        self.pages: Mapping[str, Render] = {
            "/metrics": lambda accept: _metrics(registry, accept),
            "/healthz": lambda _accept: _alive(health),
            "/readyz": lambda _accept: _ready(health),
        }
        self._places = threading.BoundedSemaphore(REQUESTS_AT_ONCE)
        self._bind_first_free(first_port)
        self._thread = threading.Thread(
            target=lambda: self.serve_forever(STOP_WITHIN_S), name="metrics", daemon=True
        )

    @property
    def port(self) -> int:
        """The port it listens on."""
        return self.server_port

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()
        emit("metrics.served", url=f"http://{ADDRESS}:{self.port}/metrics", port=self.port)

    def stop(self) -> None:
        """Stop answering and free the port; safe if `start` failed."""
        if self._thread.is_alive():  # `shutdown` would wait for ever if the loop never ran
            self.shutdown()
            self._thread.join()
        self.server_close()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a thread, unless `REQUESTS_AT_ONCE` threads are answering already."""
        if self._places.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer, and free the place of this request."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._places.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print nothing: the client has gone, and the standard library would print a traceback."""

    def _bind_first_free(self, first_port: int) -> None:
        ports = range(first_port, min(first_port + PORTS_TRIED, 65536))
        for port in ports:
            try:
                super().__init__((ADDRESS, port), _Handler)
                return
            except OSError as error:
                refused = error
        raise OSError(f"no free port in {ports[0]}..{ports[-1]} for /metrics") from refused


class _Handler(BaseHTTPRequestHandler):
    server: HealthServer
    timeout = SILENCE_S

    def do_GET(self) -> None:
        hosts = self.headers.get_all("Host", [])
        if len(hosts) != 1 or not _HOST.fullmatch(hosts[0]):
            self.send_error(HTTPStatus.MISDIRECTED_REQUEST)
            return
        render = self.server.pages.get(self.path)
        if render is None:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        try:
            page = render(self.headers.get("Accept", ""))
        except Exception as error:  # a broken source must not make the process look dead
            emit("metrics.failed", error=type(error).__name__)
            self.send_error(HTTPStatus.INTERNAL_SERVER_ERROR)
            return
        self._answer(page)

    def send_error(
        self,
        code: int,
        message: str | None = None,  # noqa: ARG002  the standard library's names
        explain: str | None = None,  # noqa: ARG002
    ) -> None:
        """Answer with the status only: the standard library would repeat the request."""
        status = HTTPStatus(_STATUS.get(HTTPStatus(code), code))
        self.close_connection = True
        self._answer(Page(status, "text/plain", f"{status.value} {status.phrase}\n".encode()))

    def version_string(self) -> str:
        return "afterword"

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing: a scrape is not worth a line."""

    def _answer(self, page: Page) -> None:
        self.send_response(page.status)
        self.send_header("Content-Type", page.content_type)
        self.send_header("Content-Length", str(len(page.body)))
        self.send_header("Cache-Control", "no-store")
        if page.status == HTTPStatus.METHOD_NOT_ALLOWED:
            self.send_header("Allow", "GET")
        self.end_headers()
        self.wfile.write(page.body)


@contextmanager
def serving(first_port: int, health: Health, registry: CollectorRegistry) -> Iterator[int]:
    """Answer while the block runs, and yield the port; with `first_port` 0 there is no server.

    A process that finds no free port warns and goes on without a server.
    """
    if first_port == 0:
        yield 0
        return
    try:
        server = HealthServer(first_port, health, registry)
    except OSError as error:
        emit("metrics.unserved", error=str(error))
        yield 0
        return
    try:
        server.start()
        yield server.port
    finally:
        server.stop()


def _metrics(registry: CollectorRegistry, accept: str) -> Page:
    encode, content_type = choose_encoder(accept)
    return Page(HTTPStatus.OK, content_type, encode(registry))


def _alive(health: Health) -> Page:
    stuck = health.stuck()
    status = HTTPStatus.SERVICE_UNAVAILABLE if stuck else HTTPStatus.OK
    ages = {loop: round(age, 3) for loop, age in health.ages_s().items()}
    return _json(status, {"alive": not stuck, "stuck": stuck, "loop_age_seconds": ages})


def _ready(health: Health) -> Page:
    reasons = health.reasons()
    status = HTTPStatus.SERVICE_UNAVAILABLE if reasons else HTTPStatus.OK
    return _json(status, {"ready": not reasons, "reasons": reasons})


def _json(status: int, content: Mapping[str, Any]) -> Page:
    return Page(status, _JSON, (json.dumps(content) + "\n").encode())

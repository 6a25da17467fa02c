"""A service on loopback that follows a script, with the faults of real services."""

import json
import socket
import struct
import sys
import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Generic, Self, TypeVar

Asked = TypeVar("Asked")

Reply = dict[str, Any]

Behaviour = Callable[["RequestTurn[Any]"], None]
"""Handles one request; `answer` is plain success."""


class FaultyServer(ABC, Generic[Asked]):
    """A service with a script; use it as a context manager.

    Args:
        path: the path it serves; any other path is 404.
        port: 0 for any free port.
    """

    def __init__(self, path: str, port: int = 0) -> None:
        self.path = path
        self.asked: list[Asked] = []
        self.closing = threading.Event()
        self.lock = threading.Lock()
        self._script: deque[Behaviour] = deque()
        self._http = _Server(("127.0.0.1", port), partial(_Handler, self))
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)

    @abstractmethod
    def read(self, headers: Mapping[str, str], sent: Reply) -> Asked:
        """Return a request as received; header names are lower-case."""

    @abstractmethod
    def work(self, asked: Asked) -> Reply:
        """Do the work of a request, bill it, and return the correct reply."""

    def serves(self, path: str) -> bool:
        """Return whether there is something at a path; anywhere else is 404."""
        return path == self.path

    def decode(self, method: str, path: str, body: bytes) -> Reply:  # noqa: ARG002
        """Return what a request sends."""
        sent: Reply = json.loads(body)
        return sent

    @property
    def origin(self) -> str:
        """The address of the service."""
        return f"http://127.0.0.1:{self._http.server_port}"

    @property
    def requests(self) -> int:
        """Number of received requests."""
        return len(self.asked)

    def script(self, *behaviours: Behaviour) -> None:
        """Set the behaviour for the next requests, in order; all later ones are answered."""
        self._script.extend(behaviours)

    def recover(self) -> None:
        """Forget the rest of the script: every later request is answered."""
        self._script.clear()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()  # ends the behaviours that hang or drip
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def admit(self, asked: Asked) -> Behaviour:
        """Record a request, and return its scripted behaviour."""
        with self.lock:
            self.asked.append(asked)
            return self._script.popleft() if self._script else self.unscripted()

    def unscripted(self) -> Behaviour:
        """Return the behaviour for a request beyond the script."""
        return answer


class RequestTurn(Generic[Asked]):
    """One request, as a behaviour sees it."""

    def __init__(self, server: FaultyServer[Asked], asked: Asked, handler: "_Handler") -> None:
        self.server, self.asked, self.handler = server, asked, handler

    def work(self) -> Reply:
        """Do the work of the request, bill it, and return the correct reply."""
        return self.server.work(self.asked)

    def send(self, status: int, body: bytes, **headers: str) -> None:
        """Send one complete reply."""
        self.head(status, len(body), **headers)
        self.handler.wfile.write(body)

    def head(self, status: int, length: int, **headers: str) -> None:
        """Send the head of a reply that announces `length` bytes."""
        self.handler.send_response(status)
        self.handler.send_header("Content-Length", str(length))
        self.handler.send_header("Request-Id", f"req_{self.server.requests}")
        for name, value in headers.items():
            self.handler.send_header(name.replace("_", "-"), value)
        self.handler.end_headers()

    def pause(self, seconds: float) -> None:
        """Wait, at most until the server is closed."""
        self.server.closing.wait(seconds)


def answer(turn: RequestTurn[Any]) -> None:
    """Send the correct reply."""
    turn.send(200, json.dumps(turn.work()).encode())


def changed(change: Callable[[Reply], object]) -> Behaviour:
    """Send the reply after `change` has modified it."""

    def act(turn: RequestTurn[Any]) -> None:
        reply = turn.work()
        change(reply)
        turn.send(200, json.dumps(reply).encode())  # writes NaN and Infinity unchanged

    return act


def says(body: bytes, *, status: int = 200, **headers: str) -> Behaviour:
    """Do the work, then send these bytes instead of the reply: HTML, nothing, half a reply."""

    def act(turn: RequestTurn[Any]) -> None:
        turn.work()
        turn.send(status, body, **headers)

    return act


def refuses(status: int, code: str = "some_error", **headers: str) -> Behaviour:
    """Send an error; a gateway's error (502, 504) comes after the work, which is billed.

    Args:
        code: the `error.code` and `error.type` of the body, with a message that repeats the
            request.
        headers: further headers, such as `Retry_After="7"`.
    """

    def act(turn: RequestTurn[Any]) -> None:
        if status in (502, 504):
            turn.work()
        error = {"message": f"you sent {turn.asked}", "code": code, "type": code}
        turn.send(status, json.dumps({"type": "error", "error": error}).encode(), **headers)

    return act


def slow(seconds: float) -> Behaviour:
    """Answer late."""

    def act(turn: RequestTurn[Any]) -> None:
        turn.pause(seconds)
        answer(turn)

    return act


def hang(turn: RequestTurn[Any]) -> None:
    """Do the work and never answer."""
    turn.work()
    turn.handler.close_connection = True
    turn.server.closing.wait()


def drip(turn: RequestTurn[Any]) -> None:
    """Send an endless head, one byte at a time with short gaps."""
    turn.work()
    _trickle(turn, b"HTTP/1.1 200 OK\r\nX-Endless: ")


def drip_body(turn: RequestTurn[Any]) -> None:
    """Send an endless body, one byte at a time."""
    turn.work()
    turn.head(200, 1_000_000)
    _trickle(turn, b"")


def flood(turn: RequestTurn[Any]) -> None:
    """Send far more than any reply needs, as fast as possible."""
    turn.work()
    turn.handler.close_connection = True
    turn.head(200, 2**40)
    while not turn.server.closing.is_set():
        turn.handler.wfile.write(b" " * 65536)


def cut(turn: RequestTurn[Any]) -> None:
    """Send half of the reply, then disconnect."""
    body = json.dumps(turn.work()).encode()
    turn.head(200, len(body))
    turn.handler.wfile.write(body[: len(body) // 2])
    turn.handler.close_connection = True


def reset(turn: RequestTurn[Any]) -> None:
    """Do the work, then reset the connection."""
    turn.work()
    turn.handler.close_connection = True
    # Lingering for 0 seconds makes the kernel send RST instead of an orderly end.
    linger = struct.pack("ii", 1, 0)
    turn.handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    turn.handler.connection.close()


def _trickle(turn: RequestTurn[Any], first: bytes) -> None:
    turn.handler.close_connection = True
    turn.handler.wfile.write(first)
    while not turn.server.closing.is_set():
        turn.handler.wfile.write(b" ")
        turn.handler.wfile.flush()
        turn.pause(0.01)


class _Server(ThreadingHTTPServer):
    daemon_threads = False  # closing waits for them
    request_queue_size = 128  # a fleet may connect all at once

    def __init__(self, *args: Any) -> None:
        self._connections: set[socket.socket] = set()
        super().__init__(*args)

    def process_request(self, request: Any, client_address: Any) -> None:
        self._connections.add(request)
        super().process_request(request, client_address)

    def close_request(self, request: Any) -> None:
        self._connections.discard(request)
        super().close_request(request)

    def server_close(self) -> None:
        for connection in self._connections.copy():  # a client may keep its own open
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        super().server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        # A client that gave up is expected with half of these faults; print no traceback.
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body are two writes: 40 ms apart otherwise

    def __init__(self, server: FaultyServer[Any], *args: Any) -> None:
        self.faulty_server = server
        super().__init__(*args)

    def do_GET(self) -> None:
        self.do_POST()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        server = self.faulty_server
        sent = server.decode(self.command, self.path, body)
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = server.read(headers, sent)
        turn = RequestTurn(server, asked, self)
        if server.serves(self.path):
            server.admit(asked)(turn)
        else:
            turn.send(404, b"")

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""

"""An embedding service on loopback that speaks OpenAI's API and fails on request."""

import json
import socket
import struct
import sys
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from pipeline.testing.embedding import HashedEmbedder

Behaviour = Callable[["Turn"], None]
"""What the service does with one request; plain success is `answer`."""

Reply = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as it arrived.

    Args:
        headers: by lower-case name.
    """

    headers: Mapping[str, str]
    model: str
    dimensions: int | None
    texts: tuple[str, ...]


def utf8_bytes(text: str) -> int:
    """Count a token a byte."""
    return len(text.encode("utf-8", "replace"))


class EmbeddingServer:
    """A service with a meter of its own; use it as a context manager.

    `requests` counts what arrived and `tokens` what was worked on, whatever became of the
    reply: that is what a provider may bill.

    Args:
        dimensions: length of the vectors when the request names none.
        count_tokens: the tokenizer; bytes of UTF-8 are the most that one over bytes can count.
    """

    def __init__(
        self, dimensions: int = 8, count_tokens: Callable[[str], int] = utf8_bytes
    ) -> None:
        self.dimensions = dimensions
        self.count_tokens = count_tokens
        self.asked: list[Asked] = []
        self.tokens = 0
        self.closing = threading.Event()
        self._script: deque[Behaviour] = deque()
        self._lock = threading.Lock()
        self._http = _Server(("127.0.0.1", 0), partial(_Handler, self))
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)

    @property
    def base_url(self) -> str:
        """What to set as the base URL of the embedding service."""
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    @property
    def requests(self) -> int:
        """How many requests arrived."""
        return len(self.asked)

    def script(self, *behaviours: Behaviour) -> None:
        """Say how the next requests are treated, in order; after them all are answered."""
        self._script.extend(behaviours)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()  # ends what hangs or drips
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def admit(self, asked: Asked) -> Behaviour:
        """Note an arrival and return what the script says about it."""
        with self._lock:
            self.asked.append(asked)
            return self._script.popleft() if self._script else answer

    def bill(self, tokens: int) -> None:
        """Run the meter."""
        with self._lock:
            self.tokens += tokens


class Turn:
    """One request in the hands of a behaviour."""

    def __init__(self, server: EmbeddingServer, asked: Asked, handler: "_Handler") -> None:
        self.server, self.asked, self.handler = server, asked, handler

    def work(self) -> Reply:
        """Embed the texts, bill them, and return the honest reply."""
        tokens = sum(map(self.server.count_tokens, self.asked.texts))
        self.server.bill(tokens)
        size = self.asked.dimensions or self.server.dimensions
        blobs = HashedEmbedder(size).embed(self.asked.texts, "", "")
        return {
            "object": "list",
            "data": [
                {"object": "embedding", "index": index, "embedding": _numbers(blob)}
                for index, blob in enumerate(blobs)
            ],
            "model": self.asked.model,
            "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
        }

    def send(self, status: int, body: bytes, **headers: str) -> None:
        """Send one whole reply."""
        self.head(status, len(body), **headers)
        self.handler.wfile.write(body)

    def head(self, status: int, length: int, **headers: str) -> None:
        """Send the head of a reply that promises `length` bytes."""
        self.handler.send_response(status)
        self.handler.send_header("Content-Length", str(length))
        for name, value in headers.items():
            self.handler.send_header(name.replace("_", "-"), value)
        self.handler.end_headers()

    def pause(self, seconds: float) -> None:
        """Wait, but never longer than the server lives."""
        self.server.closing.wait(seconds)


def answer(turn: Turn) -> None:
    """Do as asked."""
    turn.send(200, json.dumps(turn.work()).encode())


def changed(change: Callable[[Reply], object]) -> Behaviour:
    """Answer with a reply that `change` has been at."""

    def act(turn: Turn) -> None:
        reply = turn.work()
        change(reply)
        turn.send(200, json.dumps(reply).encode())  # writes NaN and Infinity as they are

    return act


def says(body: bytes, **headers: str) -> Behaviour:
    """Work, then send these bytes instead of the reply: HTML, nothing, half a reply."""

    def act(turn: Turn) -> None:
        turn.work()
        turn.send(200, body, **headers)

    return act


def refuses(status: int, code: str = "some_error", **headers: str) -> Behaviour:
    """Send an error; one of the 500s comes after the work and is on the meter.

    Args:
        code: the `error.code` of the body, whose message repeats what the client sent.
        headers: further headers, such as `Retry_After="7"`.
    """

    def act(turn: Turn) -> None:
        if status >= 500:
            turn.work()
        message = f"{turn.asked.headers} sent {turn.asked.texts}"
        body = json.dumps({"error": {"message": message, "code": code}})
        turn.send(status, body.encode(), **headers)

    return act


def slow(seconds: float) -> Behaviour:
    """Answer late."""

    def act(turn: Turn) -> None:
        turn.pause(seconds)
        answer(turn)

    return act


def hang(turn: Turn) -> None:
    """Work and never answer."""
    turn.work()
    turn.handler.close_connection = True
    turn.server.closing.wait()


def drip(turn: Turn) -> None:
    """Send an endless head, a byte at a time: no gap is ever long."""
    turn.work()
    _trickle(turn, b"HTTP/1.1 200 OK\r\nX-Endless: ")


def drip_body(turn: Turn) -> None:
    """Send an endless body, a byte at a time."""
    turn.work()
    turn.head(200, 1_000_000)
    _trickle(turn, b"")


def flood(turn: Turn) -> None:
    """Send far more than any reply can need, as fast as it is taken."""
    turn.work()
    turn.handler.close_connection = True
    turn.head(200, 2**40)
    while not turn.server.closing.is_set():
        turn.handler.wfile.write(b" " * 65536)


def cut(turn: Turn) -> None:
    """Send half of the reply and hang up."""
    body = json.dumps(turn.work()).encode()
    turn.head(200, len(body))
    turn.handler.wfile.write(body[: len(body) // 2])
    turn.handler.close_connection = True


def reset(turn: Turn) -> None:
    """Work, then break the connection."""
    turn.work()
    turn.handler.close_connection = True
    # Lingering for 0 seconds makes the kernel send RST instead of an orderly end.
    linger = struct.pack("ii", 1, 0)
    turn.handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    turn.handler.connection.close()


def _trickle(turn: Turn, first: bytes) -> None:
    turn.handler.close_connection = True
    turn.handler.wfile.write(first)
    while not turn.server.closing.is_set():
        turn.handler.wfile.write(b" ")
        turn.handler.wfile.flush()
        turn.pause(0.01)


def _numbers(blob: bytes) -> list[float]:
    return list(struct.unpack(f"<{len(blob) // 4}f", blob))


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        # A client that gave up is what half of these faults are for; no traceback for that.
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body are two writes: 40 ms between them otherwise

    def __init__(self, server: EmbeddingServer, *args: Any) -> None:
        self.embedding_server = server
        super().__init__(*args)

    def do_POST(self) -> None:
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        asked = Asked(
            headers={name.lower(): value for name, value in self.headers.items()},
            model=sent["model"],
            dimensions=sent.get("dimensions"),
            texts=tuple(sent["input"]),
        )
        turn = Turn(self.embedding_server, asked, self)
        if self.path == "/v1/embeddings":
            self.embedding_server.admit(asked)(turn)
        else:
            turn.send(404, b"")

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

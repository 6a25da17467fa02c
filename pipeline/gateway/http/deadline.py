"""Sockets with one deadline for a whole call: name look-up, connection, every read and write.

An HTTP library limits each wait separately, so a server that sends one byte at a time can block a
caller for ever. Here each wait gets only the time that is left of its call.
"""

# ruff: noqa: ARG002  httpcore2 passes time-outs of its own; the deadline of the call replaces them

import select
import socket
import ssl
import threading
from collections.abc import Iterable
from queue import Empty, SimpleQueue
from typing import Any, Final

import httpcore2

from afterword.pipeline.clock import Monotonic

_SEND_BYTES: Final = 256 * 1024
"""Bytes given to the kernel at once."""


class CallDeadline(threading.local):
    """The deadline of the call that a thread makes.

    Args:
        deadline: end of the call, on the monotonic clock; seconds.
        has_sent: whether a byte of the request was sent; the TLS handshake does not count.
    """

    deadline = 0.0
    has_sent = False

    def __init__(self, monotonic: Monotonic) -> None:
        self._monotonic = monotonic

    def begin(self, longest_s: float) -> None:
        """Start a new call that may take so long; seconds."""
        self.deadline = self._monotonic() + longest_s
        self.has_sent = False

    @property
    def left_s(self) -> float:
        """Time left of the call; seconds.

        Raises:
            TimeoutError: no time is left.
        """
        left = self.deadline - self._monotonic()
        if left <= 0:
            raise TimeoutError
        return left


class DeadlineBackend(httpcore2.NetworkBackend):
    """Opens connections for httpcore2's pool, and ignores the pool's own time-outs."""

    def __init__(self, call: CallDeadline) -> None:
        self._call = call

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        """Connect to the first address that answers; each gets an equal share of the time left.

        Raises:
            ConnectTimeout: no address answered in time.
            ConnectError: every address failed.
        """
        try:
            return _Stream(self._connect(host, port), self._call)
        except TimeoutError as error:
            raise httpcore2.ConnectTimeout from error
        except (OSError, UnicodeError) as error:
            raise httpcore2.ConnectError from error

    def _connect(self, host: str, port: int) -> socket.socket:
        addresses = _look_up(host, port, self._call.left_s)
        refused: OSError = OSError(f"{host} has no address")
        for tried, (family, kind, protocol, _name, address) in enumerate(addresses):
            sock = socket.socket(family, kind, protocol)
            try:
                sock.settimeout(self._call.left_s / (len(addresses) - tried))
                sock.connect(address)
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return sock
            except OSError as error:
                sock.close()
                refused = error
        raise refused


class _Stream(httpcore2.NetworkStream):
    """One open connection."""

    def __init__(self, sock: socket.socket, call: CallDeadline) -> None:
        self._sock, self._call = sock, call

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        try:
            self._sock.settimeout(self._call.left_s)
            return self._sock.recv(max_bytes)
        except TimeoutError as error:
            raise httpcore2.ReadTimeout from error
        except OSError as error:
            raise httpcore2.ReadError from error

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._call.has_sent = True
        rest = memoryview(buffer)
        try:
            while rest:
                self._sock.settimeout(self._call.left_s)
                rest = rest[self._sock.send(rest[:_SEND_BYTES]) :]
        except TimeoutError as error:
            raise httpcore2.WriteTimeout from error
        except OSError as error:
            raise httpcore2.WriteError from error

    def close(self) -> None:
        self._sock.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore2.NetworkStream:
        try:
            self._sock.settimeout(self._call.left_s)  # for the handshake as a whole
            return _Stream(
                ssl_context.wrap_socket(self._sock, server_hostname=server_hostname), self._call
            )
        except TimeoutError as error:
            self.close()
            raise httpcore2.ConnectTimeout from error
        except OSError as error:
            self.close()
            raise httpcore2.ConnectError from error

    def get_extra_info(self, info: str) -> Any:
        """Answer the pool: the TLS object, and whether the peer has disconnected."""
        if info == "ssl_object":
            return self._sock if isinstance(self._sock, ssl.SSLSocket) else None
        return _has_more(self._sock) if info == "is_readable" else None


def _has_more(sock: socket.socket) -> bool:
    if sock.fileno() < 0:
        return True  # closed: the next read finds the end
    ready = select.poll()
    ready.register(sock, select.POLLIN)
    return bool(ready.poll(0))


def _look_up(host: str, port: int, longest_s: float) -> list[Any]:
    """Return a host's addresses; in a thread, since a resolver accepts no deadline."""
    found: SimpleQueue[Any] = SimpleQueue()

    def ask() -> None:
        try:
            found.put(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError) as error:
            found.put(error)

    threading.Thread(target=ask, name="name look-up", daemon=True).start()
    try:
        addresses = found.get(timeout=longest_s)
    except Empty:
        raise TimeoutError from None
    if isinstance(addresses, Exception):
        raise addresses
    return list(addresses)

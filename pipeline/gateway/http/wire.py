"""One POST, cut off at one deadline and one size, told apart by whether it ever left."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import httpcore2

from afterword.pipeline import descriptors
from afterword.pipeline.clock import Monotonic, monotonic
from afterword.pipeline.errors import UnavailableError
from afterword.pipeline.gateway.budget import NotSentError
from afterword.pipeline.gateway.http.deadline import CallDeadline, DeadlineBackend
from afterword.pipeline.gateway.http.model import AskFailedError, Service

# Compressed, a small reply could unfold into more than memory holds.
_ALWAYS = {
    "Accept": "*/*",
    "Accept-Encoding": "identity",
    "Content-Type": "application/json",
    "User-Agent": "afterword",
}

_KEPT_OPEN_S = 5.0
"""How long an idle connection waits for the next call; servers hang up after some more; seconds."""


@dataclass(frozen=True, slots=True)
class HttpReply:
    """A reply as it came off the wire.

    Args:
        headers: by lower-case name.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes


class Wire:
    """Connections to one address, kept open between calls; safe to share between threads.

    No redirect is followed, since it would carry the key elsewhere, and no proxy of the environment
    is used, since that is no setting. Servers are trusted as the system trusts them.

    Args:
        service: whom it leads to, for what it says.
        url: where to post.
        headers: sent with every request.
        timeout_s: longest one call may take from start to last byte; seconds.
    """

    def __init__(
        self,
        service: Service,
        url: str,
        headers: Mapping[str, str],
        timeout_s: float,
        monotonic: Monotonic = monotonic,
    ) -> None:
        self._service, self._url, self._timeout_s = service, httpcore2.URL(url), timeout_s
        self._headers = _ALWAYS | dict(headers)
        self._call = CallDeadline(monotonic)
        self._pool = httpcore2.ConnectionPool(
            # Read once: a context of its own for each connection costs 10 ms.
            ssl_context=httpcore2.default_ssl_context() if self._url.scheme == b"https" else None,
            max_connections=None,  # one for each thread that asks
            keepalive_expiry=_KEPT_OPEN_S,
            network_backend=DeadlineBackend(self._call),
        )
        self._ended = threading.Condition()
        self._under_way = 0

    def post(
        self, body: bytes, largest_reply: int, headers: Mapping[str, str] | None = None
    ) -> HttpReply:
        """Send one request and return its reply, whatever its status; never a second one.

        Args:
            body: JSON.
            largest_reply: bytes beyond which the reply is not read.
            headers: sent with this request too.

        Raises:
            AskFailedError: no whole reply in time.
            NotSentError: not reached, so certainly not asked.
        """
        with self._counted():
            self._call.begin(self._timeout_s)
            try:
                return self._exchange(body, largest_reply, self._headers | dict(headers or {}))
            except httpcore2.TimeoutException:
                raise self._failed(f"gave no whole reply within {self._timeout_s:g} s") from None
            except (httpcore2.NetworkError, httpcore2.ProtocolError) as error:
                if descriptors.is_want_of(error):
                    raise NotSentError(str(descriptors.none_left(self._service.name))) from None
                raise self._failed(f"broke the connection ({type(error).__name__})") from None

    def close(self) -> None:
        """Wait for calls on their way (their deadline ends them), then hang up; twice is fine."""
        with self._ended:
            self._ended.wait_for(lambda: not self._under_way)
        self._pool.close()

    def _exchange(self, body: bytes, largest: int, headers: Mapping[str, str]) -> HttpReply:
        sent = list(headers.items())
        with self._pool.stream("POST", self._url, headers=sent, content=body) as reply:
            read = bytearray()
            for part in reply.iter_stream():
                read += part
                if len(read) > largest:
                    raise self._failed(f"sent more than {largest:,} bytes")
        told = {name.decode("latin-1").lower(): value for name, value in reply.headers}
        kept = {name: value.decode("latin-1") for name, value in told.items()}
        return HttpReply(reply.status, kept, bytes(read))

    @contextmanager
    def _counted(self) -> Iterator[None]:
        with self._ended:
            self._under_way += 1
        try:
            yield
        finally:
            with self._ended:
                self._under_way -= 1
                self._ended.notify_all()

    def _failed(self, what: str) -> UnavailableError:
        if self._call.has_sent:
            return AskFailedError(f"{self._service.name} {what}; try again later")
        return NotSentError(
            f"{self._service.name} could not be reached; check {self._service.base_url} and the "
            "network, or try again later"
        )

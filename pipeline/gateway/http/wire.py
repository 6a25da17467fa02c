"""Send one request with a deadline and a size limit; its error says whether it was sent."""

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

# No compression: a small compressed reply could unfold into more than memory holds.
_ALWAYS = {
    "Accept": "*/*",
    "Accept-Encoding": "identity",
    "Content-Type": "application/json",
    "User-Agent": "afterword",
}

_KEPT_OPEN_S = 5.0
"""How long an idle connection stays open, shorter than servers keep it; seconds."""


@dataclass(frozen=True, slots=True)
class HttpReply:
    """A reply as it arrived.

    Args:
        headers: by lower-case name.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes


class Wire:
    """Connections to one address, reused between calls; threads may share it.

    It follows no redirect, which would send the key elsewhere, and uses no proxy of the
    environment, which is not a setting. It trusts the certificates that the system trusts.

    Args:
        service: for error messages.
        url: address of the POST.
        headers: sent with every request.
        timeout_s: limit of one call, from its start to the last byte; seconds.
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
            # One context for all connections: each new context costs 10 ms.
            ssl_context=httpcore2.default_ssl_context() if self._url.scheme == b"https" else None,
            max_connections=None,  # each calling thread needs one
            keepalive_expiry=_KEPT_OPEN_S,
            network_backend=DeadlineBackend(self._call),
        )
        self._changed = threading.Condition()
        self._running = 0

    def post(
        self, body: bytes, largest_reply: int, headers: Mapping[str, str] | None = None
    ) -> HttpReply:
        """Send exactly one request and return its reply, whatever its status.

        Args:
            body: JSON.
            largest_reply: size limit of the reply; bytes.
            headers: sent with this request, beside those of every request.

        Raises:
            AskFailedError: no complete reply in time.
            NotSentError: nothing of the request was sent.
        """
        return self.send("POST", self._url, body, largest_reply, headers)

    def send(
        self,
        method: str,
        url: httpcore2.URL | str,
        body: bytes,
        largest_reply: int,
        headers: Mapping[str, str] | None = None,
    ) -> HttpReply:
        """Send exactly one request to an address of the service; see `post`."""
        with self._counted():
            self._call.begin(self._timeout_s)
            try:
                all_headers = self._headers | dict(headers or {})
                return self._exchange(method, url, body, largest_reply, all_headers)
            except httpcore2.TimeoutException:
                problem = f"gave no complete reply within {self._timeout_s:g} s"
                raise self._failed(problem) from None
            except (httpcore2.NetworkError, httpcore2.ProtocolError) as error:
                if descriptors.is_want_of(error):
                    raise NotSentError(str(descriptors.none_left(self._service.name))) from None
                raise self._failed(f"broke the connection ({type(error).__name__})") from None

    def close(self) -> None:
        """Wait until running calls end (at their deadline), then disconnect; may be repeated."""
        with self._changed:
            self._changed.wait_for(lambda: not self._running)
        self._pool.close()

    def _exchange(
        self,
        method: str,
        url: httpcore2.URL | str,
        body: bytes,
        largest: int,
        headers: Mapping[str, str],
    ) -> HttpReply:
        sent = list(headers.items())
        with self._pool.stream(method, url, headers=sent, content=body) as reply:
            read = bytearray()
            for part in reply.iter_stream():
                read += part
                if len(read) > largest:
                    raise self._failed(f"sent more than {largest:,} bytes")
        received = {
            name.decode("latin-1").lower(): value.decode("latin-1") for name, value in reply.headers
        }
        return HttpReply(reply.status, received, bytes(read))

    @contextmanager
    def _counted(self) -> Iterator[None]:
        with self._changed:
            self._running += 1
        try:
            yield
        finally:
            with self._changed:
                self._running -= 1
                self._changed.notify_all()

    def _failed(self, problem: str) -> UnavailableError:
        if self._call.has_sent:
            return AskFailedError(f"{self._service.name} {problem}; try again later")
        return NotSentError(
            f"{self._service.name} could not be reached; check {self._service.base_url} and the "
            "network, or try again later"
        )

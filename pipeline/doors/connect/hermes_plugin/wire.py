"""One request to `afterword serve`, with a deadline; a server that keeps failing is left alone."""

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final
from urllib.parse import urlsplit

DEADLINE_S: Final = 2.0
"""The longest that a request takes, whatever the server does; seconds."""

FAILED_REQUESTS: Final = 3
"""Failed requests in a row after which the server is left alone."""

PAUSE_S: Final = 60.0
"""How long it is left alone; seconds."""

_MOST_BYTES: Final = 4 << 20


class WireError(Exception):
    """The server did not answer, or refused.

    Args:
        message: in words for a model or a log.
        status: of the refusal; None where no answer came.
    """

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status

    @property
    def is_final(self) -> bool:
        """Whether the same request would be refused again; a limit lasts as long as its session."""
        return self.status is not None and self.status < 500 and self.status != 408


class ServerWire:
    """The way to one server; threads may share it.

    Args:
        url: such as `http://127.0.0.1:8765`.
        token: of an agent; empty asks without one.
        deadline_s: of each request; seconds.
        now: returns seconds that never go back.
    """

    def __init__(
        self,
        url: str,
        token: str,
        deadline_s: float = DEADLINE_S,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.deadline_s = deadline_s
        self._url, self._token, self._now = urlsplit(url), token, now
        self._lock = threading.Lock()
        self._failures, self._closed_until = 0, 0.0

    def ask(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        session: str = "",
        key: str = "",
        wanted: str = "",
        in_background: bool = False,
    ) -> Any:
        """Return the JSON of an answer, or its text.

        Args:
            body: sent as JSON; None for no body.
            session: the handle of a session.
            key: repeating a write with its key has no second effect.
            wanted: the field that the answer must have, and which is returned.
            in_background: whether nobody waits: only such a request tries a server that failed.

        Raises:
            WireError: no answer in time, a refusal, or the server is left alone.
        """
        self._check_circuit(in_background)
        headers = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        headers |= {"Afterword-Session": session} if session else {}
        headers |= {"Idempotency-Key": key} if key else {}
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        exchange = _Exchange(self._connection(), method, self._url.path + path, data, headers)
        try:
            status, value = exchange.result(self.deadline_s)
        except WireError:
            self._count(failed=True)
            raise
        self._count(failed=status >= 500)
        if status >= 400:
            raise WireError(_refusal(status, value), status)
        if not wanted:
            return value
        if not isinstance(value, dict) or wanted not in value:
            raise WireError("another program answers at the address of the memory server")
        return value[wanted]

    def hurry(self) -> None:
        """Let the next request in the background try a server that is left alone."""
        with self._lock:
            self._closed_until = 0.0

    def _connection(self) -> http.client.HTTPConnection:
        kind = (
            http.client.HTTPSConnection
            if self._url.scheme == "https"
            else http.client.HTTPConnection
        )
        return kind(self._url.hostname or "", self._url.port, timeout=self.deadline_s)

    def _check_circuit(self, in_background: bool) -> None:
        with self._lock:
            if self._failures < FAILED_REQUESTS:
                return
            if in_background and self._now() >= self._closed_until:
                self._closed_until = self._now() + PAUSE_S  # one request tries, not all
                return
        raise WireError("the memory server does not answer; it is asked again later")

    def _count(self, *, failed: bool) -> None:
        with self._lock:
            self._failures = self._failures + 1 if failed else 0
            if self._failures >= FAILED_REQUESTS:
                self._closed_until = self._now() + PAUSE_S


class _Exchange:
    """One request in a thread of its own: a name that does not resolve, and a server that sends a
    byte now and then, keep that thread and not who asks."""

    def __init__(
        self,
        connection: http.client.HTTPConnection,
        method: str,
        path: str,
        data: bytes | None,
        headers: dict[str, str],
    ) -> None:
        self._connection = connection
        self._asked = (method, path, data, headers)
        self._result: tuple[int, Any] | None = None
        self._problem = "the memory server did not answer in time"
        self._thread = threading.Thread(target=self._run, name="afterword-ask", daemon=True)

    def result(self, deadline_s: float) -> tuple[int, Any]:
        """Return the status, and the JSON or the text.

        Raises:
            WireError: there is no answer, or not in time.
        """
        self._thread.start()
        self._thread.join(deadline_s)
        result = self._result
        if result is None:
            sock = self._connection.sock
            if sock is not None:
                with suppress(OSError):
                    sock.shutdown(socket.SHUT_RDWR)
            raise WireError(self._problem)
        return result

    def _run(self) -> None:
        method, path, data, headers = self._asked
        try:
            self._connection.request(method, path, data, headers)
            answer = self._connection.getresponse()
            raw = answer.read(_MOST_BYTES)
            if answer.length:  # broken off, or longer than any answer
                raise ValueError("not whole")
            text = raw.decode()
            is_json = "json" in (answer.getheader("Content-Type") or "")
            self._result = (answer.status, json.loads(text) if is_json else text)
        except TimeoutError:
            pass
        except (OSError, http.client.HTTPException, ValueError) as error:
            self._problem = f"the memory server cannot be reached ({type(error).__name__})"
        finally:
            with suppress(OSError):
                self._connection.close()


def _refusal(status: int, problem: Any) -> str:
    """Return the words of a refusal, such as `limit: is 0; accepted: 1 to 100`."""
    with suppress(AttributeError, KeyError):
        return str(problem.get("detail") or problem["title"])
    return f"the memory server refused with status {status}"

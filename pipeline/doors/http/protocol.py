"""A connection of the network door, which a client that sends nothing cannot hold."""

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

from afterword.pipeline.doors.http.asgi import Scope

MOST_AT_ONCE: Final = 200
"""Connections that are served at once; the next ones are answered 503, but for their health."""

MOST_OPEN: Final = 400
"""Connections beyond this number are closed unanswered, before the process has no file left."""

_OVER: Final = "afterword.over"

HEAD_S: Final = 10.0
"""How long the first line and the headers of a request may take; seconds."""


class TimedProtocol(H11Protocol):
    """Closes a connection whose request has not begun in time; uvicorn waits for ever."""

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for the first request, unless too many others do."""
        super().connection_made(transport)
        if len(self.connections) > MOST_AT_ONCE:
            self.app_state = self.app_state | {_OVER: True}
        self._head_timer: asyncio.TimerHandle | None = self.loop.call_later(HEAD_S, self._late)
        if len(self.connections) > MOST_OPEN:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop_timer()
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Read what has arrived; a request that has begun is timed by the guard."""
        before = self.cycle
        super().handle_events()
        if self.cycle is not before:
            self._stop_timer()

    def on_response_complete(self) -> None:
        """Begin to wait for the next request; uvicorn's own time-out ends at its first byte."""
        super().on_response_complete()
        if not self.transport.is_closing() and self._head_timer is None:
            self._head_timer = self.loop.call_later(HEAD_S + self.timeout_keep_alive, self._late)

    def _late(self) -> None:
        self._head_timer = None
        if not self.transport.is_closing():
            self.transport.close()

    def _stop_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None


def is_over(scope: Scope) -> bool:
    """Say whether a request came by a connection for which there is no room."""
    return _OVER in scope.get("state", {})

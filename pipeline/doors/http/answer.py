"""One answer on its way out: the headers that every answer has, and what is counted of it."""

from typing import Any, Final

from afterword.pipeline.core.telemetry.numbers import OTHER
from afterword.pipeline.doors.http.asgi import Message, Scope, Send

_SAFE: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
)
"""Headers of every answer that does not state them itself."""


class Answer:
    """Passes an answer on, and keeps its status.

    Args:
        started_at: when its request began; monotonic seconds.
    """

    def __init__(self, send: Send, started_at: float) -> None:
        self._send, self._started_at = send, started_at
        self.status = 0
        """Its status; 0 until it begins."""

    async def send(self, message: Message) -> None:
        """Send a part of it."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            present = {name for name, _value in message["headers"]}
            safe = [header for header in _SAFE if header[0] not in present]
            message["headers"] = [*message["headers"], *safe]
        await self._send(message)

    def facts(self, scope: Scope, now: float) -> dict[str, Any]:
        """Return the facts that are counted; none can have more values than the program has words.

        Args:
            now: monotonic seconds.
        """
        token = scope.get("afterword.token")
        return {
            "route": route_of(scope),
            "status": f"{self.status // 100}xx",
            "role": OTHER if token is None else token.role,
            "seconds": now - self._started_at,
        }


def route_of(scope: Scope) -> str:
    """Return the path of the route that served a request, with the names of its parts in braces."""
    route = scope.get("route")  # the framework's, once it has found one
    return str(scope.get("afterword.route") or getattr(route, "path", OTHER))

"""A session of the memory for a session of Hermes, begun while Hermes starts."""

import threading
from contextlib import suppress
from hashlib import sha256

from .wire import ServerWire, WireError


class MemorySession:
    """The session of one conversation; threads may share it.

    Args:
        name: of the session of Hermes. Asked again within a day, its key finds the same session,
            so a Hermes that starts anew goes on in it.
    """

    def __init__(self, wire: ServerWire, name: str) -> None:
        self.name = name
        self._wire = wire
        self._lock = threading.Lock()
        self._handle = ""
        self._remembered = ""
        self._block: str | None = None
        self._ready = threading.Event()
        threading.Thread(target=self._start, name="afterword-start", daemon=True).start()

    @property
    def handle(self) -> str:
        """The handle of the session; empty before it is begun, and then the token's day counts."""
        return self._handle

    def begin(self) -> str:
        """Return the handle of the session, which begins now if the server was away before.

        Nobody may wait for it: whoever does uses `handle`.

        Raises:
            WireError: the server does not answer.
        """
        with self._lock:
            if not self._handle:
                self._handle = self._wire.ask(
                    "POST",
                    "/v1/sessions",
                    {"label": f"Hermes {self.name}"[:200]},
                    key=f"hermes-session-{sha256(self.name.encode()).hexdigest()}",
                    wanted="handle",
                    in_background=True,
                )
            return self._handle

    def block(self, instructions: str) -> str:
        """Return the text of the system prompt: the same bytes through the whole session.

        Args:
            instructions: how the memory is used; without the server they are all there is.
        """
        if self._block is None:
            self._ready.wait(self._wire.deadline_s)
            parts = (instructions.strip(), self._remembered.strip())
            self._block = "\n\n".join(part for part in parts if part)
        return self._block

    def _start(self) -> None:
        with suppress(WireError):
            handle = self.begin()
            texts = [
                self._wire.ask("GET", f"/v1/{name}", session=handle, wanted="text")
                for name in ("personalization", "snapshot")
            ]
            self._remembered = "\n\n".join(text.strip() for text in texts if text.strip())
        self._ready.set()

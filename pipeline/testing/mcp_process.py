"""`afterword mcp` as a process of its own, asked in lines of JSON-RPC without any SDK."""

import json
import os
import select
import signal
import subprocess
import tempfile
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Literal, Self

from afterword.pipeline.testing.process import command_of, environment_of

Revision = Literal["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]

PATIENT_S: Final = 60
"""How long an answer is waited for; seconds."""

_META: Final = "io.modelcontextprotocol"


class McpProcess:
    """A client without an SDK, and the server it started; `with` closes both.

    Args:
        home: the server's home.
        revision: the protocol revision that the client speaks; the newer one has no handshake.
        settings: of the server, such as `mcp_tools="all"`.
    """

    def __init__(
        self, home: Path, *line: str, revision: Revision = "2025-11-25", **settings: object
    ) -> None:
        self.revision = revision
        self._log = tempfile.TemporaryFile()  # noqa: SIM115  # closed with the client
        self.server = subprocess.Popen(
            command_of("mcp", *line, home=home),
            env=environment_of(**settings),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
        )
        self._asked = 0
        self._held = b""
        self._lines: deque[bytes] = deque()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self.leave()
        self._log.close()

    @property
    def log(self) -> str:
        """What the server has written to stderr."""
        return os.pread(self._log.fileno(), 1 << 20, 0).decode()

    @property
    def peak_mb(self) -> int:
        """The most memory that the server has held at once; MB."""
        lines = Path(f"/proc/{self.server.pid}/status").read_text().splitlines()
        (peak,) = (line.split()[1] for line in lines if line.startswith("VmHWM"))
        return int(peak) // 1_000

    def begin(self) -> Any:
        """Shake hands, and return what the server says of itself."""
        if self.revision == "2026-07-28":
            return self.ask("server/discover")
        who = {"name": "test", "version": "1"}
        hello = {"protocolVersion": self.revision, "capabilities": {}, "clientInfo": who}
        told = self.ask("initialize", hello)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return told

    def call(self, tool: str, arguments: Mapping[str, Any] | None = None) -> Any:
        """Call a tool and return its result."""
        return self.ask("tools/call", {"name": tool, "arguments": dict(arguments or {})})

    def told(self, tool: str, arguments: Mapping[str, Any] | None = None) -> Any:
        """Call a tool and return its structured answer; one that refuses is an error.

        Raises:
            ValueError: it refused.
        """
        result = self.call(tool, arguments)
        if result.get("isError"):
            raise ValueError(result["content"][0]["text"])
        return result["structuredContent"]

    def refused(self, tool: str, arguments: Mapping[str, Any] | None = None) -> str:
        """Call a tool that must refuse, and return its reason.

        Raises:
            ValueError: it did not refuse.
        """
        result = self.call(tool, arguments)
        if not result.get("isError"):
            raise ValueError(f"{tool} did not refuse")
        return str(result["content"][0]["text"])

    def ask(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        """Send a request and return its result, or its error."""
        reply = self.reply_to(self.request(method, params))
        return reply["result"] if "result" in reply else reply["error"]

    def request(self, method: str, params: Mapping[str, Any] | None = None) -> int:
        """Send a request and return its id, without waiting for the answer."""
        self._asked += 1
        line = {"jsonrpc": "2.0", "id": self._asked, "method": method, "params": {**(params or {})}}
        if self.revision == "2026-07-28":
            line["params"] = {**(params or {}), "_meta": self._envelope()}
        self.send(line)
        return self._asked

    def reply_to(self, asked: int | None) -> Any:
        """Wait for the reply to a request; None is the id of a line that was no request."""
        while True:
            reply = json.loads(self.line())
            if reply.get("id") == asked:
                return reply

    def send(self, message: object) -> None:
        """Send one line; bytes are sent as they are."""
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        assert self.server.stdin is not None
        self.server.stdin.write(line + b"\n")
        self.server.stdin.flush()

    def line(self) -> bytes:
        """Wait for the next line of the server.

        Raises:
            TimeoutError: none came.
            EOFError: the server has closed its stdout.
        """
        assert self.server.stdout is not None
        out = self.server.stdout.fileno()
        while not self._lines:
            if not select.select([out], [], [], PATIENT_S)[0]:
                raise TimeoutError(f"no answer within {PATIENT_S} s; stderr: {self.log}")
            chunk = os.read(out, 1 << 16)
            if not chunk:
                raise EOFError(f"the server is gone; stderr: {self.log}")
            *whole, self._held = (self._held + chunk).split(b"\n")
            self._lines.extend(whole)
        return self._lines.popleft()

    def leave(self) -> int:
        """Close the streams, as a client that leaves or dies; return the server's exit status."""
        for stream in (self.server.stdin, self.server.stdout):
            if stream is not None and not stream.closed:
                stream.close()
        return self.ended()

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Send the server a signal while the streams stay open; return its exit status."""
        self.server.send_signal(number)
        return self.ended()

    def ended(self) -> int:
        """Wait for the server's end and return its exit status.

        Raises:
            subprocess.TimeoutExpired: it did not end.
        """
        return self.server.wait(PATIENT_S)

    def _envelope(self) -> dict[str, Any]:
        return {
            f"{_META}/protocolVersion": self.revision,
            f"{_META}/clientInfo": {"name": "test", "version": "1"},
            f"{_META}/clientCapabilities": {},
        }

"""A real `afterword serve` in a process of its own, and a client of it."""

import http.client
import json
import os
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from afterword.pipeline.testing.process import command_of, environment_of, run_afterword


class DoorAnswer(NamedTuple):
    """An answer of the door; `body` is JSON, or text where it is none."""

    status: int
    headers: Mapping[str, str]
    body: Any


class NetworkDoor:
    """Serves a home as long as the `with` block runs.

    Args:
        home: its group `main` gets the token `agent`; `owner` and `observer` get one, too.
        settings: of the process, such as `token_daily_writes=3`.
    """

    def __init__(self, home: Path, **settings: object) -> None:
        self.home, self._settings = home, settings
        self.tokens = {role: self.issue(role) for role in ("agent", "owner", "observer")}
        self.port = 0
        self._process: subprocess.Popen[str] | None = None

    @property
    def pid(self) -> int:
        """The number of its process."""
        assert self._process is not None
        return self._process.pid

    def issue(self, role: str, group: str = "main") -> str:
        """Return the text of a new token."""
        done = run_afterword("--group", group, "token", "issue", role, "--json", home=self.home)
        told: str = json.loads(done.stdout)["token"]
        return told

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Start the process on the port that it had before, or a free one."""
        given = {"http_port": self.port, "log_level": "ERROR"} | self._settings
        self._process = subprocess.Popen(
            command_of("serve", home=self.home),
            env=environment_of(**given),
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line.startswith("afterword: serving http://"), line
        self.port = int(line.rsplit(":", 1)[1])

    def pids(self) -> list[int]:
        """Return the process, and those that it started; on Linux."""
        assert self._process is not None
        pid = self._process.pid
        started = Path(f"/proc/{pid}/task/{pid}/children").read_text()
        return [pid, *map(int, started.split())]

    def send_signal(self, number: signal.Signals) -> None:
        """Send the process a signal, and go on."""
        assert self._process is not None
        os.kill(self._process.pid, number)

    def stop(self, ending: signal.Signals = signal.SIGTERM) -> int:
        """End the process; return its exit status."""
        assert self._process is not None
        if self._process.poll() is None:
            os.kill(self._process.pid, ending)
        assert self._process.stdout is not None
        self._process.stdout.close()
        return self._process.wait(60)

    def ask(
        self,
        method: str,
        path: str,
        body: object = None,
        token: str | None = "agent",
        **headers: str,
    ) -> DoorAnswer:
        """Send one request, and return its answer.

        Args:
            body: sent as JSON; None for no body.
            token: the name of one of `tokens`, or a token; None for none.
            headers: with `_` for `-`.
        """
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if token is not None:
            named.setdefault("Authorization", f"Bearer {self.tokens.get(token, token)}")
        data = None if body is None else json.dumps(body).encode()
        if data is not None:
            named.setdefault("Content-Type", "application/json")
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, data, named)
            answer = connection.getresponse()
            text = answer.read().decode()
        finally:
            connection.close()
        lowered = {name.lower(): value for name, value in answer.getheaders()}
        is_json = "json" in lowered.get("content-type", "")
        return DoorAnswer(answer.status, lowered, json.loads(text) if is_json else text)

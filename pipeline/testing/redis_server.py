"""A private redis-server on its own port, which a test kills, freezes and restarts empty."""

import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

from afterword.pipeline.testing.ports import free_port

REDIS_PROGRAM = shutil.which("redis-server")


class RedisServer:
    """One redis-server process that stores nothing on disk.

    Args:
        folder: its working folder.
        settings: extra configuration lines such as `{"maxmemory-policy": "allkeys-lru"}`.
    """

    def __init__(self, folder: Path, settings: dict[str, str] | None = None) -> None:
        self._folder, self._settings = folder, settings or {}
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server, empty, and wait until it answers."""
        if REDIS_PROGRAM is None:
            raise FileNotFoundError("redis-server is not on the PATH")
        options = {"save": "", "appendonly": "no", "bind": "127.0.0.1", **self._settings}
        command = [REDIS_PROGRAM, "--port", str(self.port), "--dir", str(self._folder)]
        for name, value in options.items():
            command += [f"--{name}", value]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 10
        while not self._answers():
            if time.monotonic() > deadline:
                raise TimeoutError("redis-server did not start within 10 s")
            time.sleep(0.02)

    def kill(self) -> None:
        """Kill the server; its data is lost."""
        self._signal(signal.SIGKILL)
        assert self._process is not None
        self._process.wait()

    def freeze(self) -> None:
        """Stop it from answering while its connections stay open."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it answer again."""
        self._signal(signal.SIGCONT)

    def stop(self) -> None:
        """End the server in any state."""
        if self._process is not None and self._process.poll() is None:
            self.thaw()
            self.kill()

    def _signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        os.kill(self._process.pid, number)

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=0.2) as conn:
                conn.sendall(b"PING\r\n")
                return conn.recv(16).startswith(b"+PONG")
        except OSError:
            return False

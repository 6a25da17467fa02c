"""Start worker processes, and restart each one that dies."""

import signal
import subprocess
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from afterword.pipeline.clock import Monotonic
from afterword.pipeline.core.telemetry import emit

_LONGEST_PAUSE_S = 10.0
"""Longest pause before a process that dies repeatedly is restarted; seconds."""

_STEADY_S = 30.0
"""After a process has run for so long, its next pause is the shortest one again; seconds."""


@dataclass(slots=True)
class _Child:
    command: Sequence[str]
    process: "subprocess.Popen[bytes]"
    started_at: float
    deaths: int = 0
    restart_at: float | None = None


@dataclass(slots=True)
class Supervisor:
    """Starts one process per command and keeps each of them running.

    Args:
        commands: one per process.
        spawn: starts a process.
        on_death: receives the process id and the exit status of each process that died; a signal is
            a negative status.
    """

    commands: Sequence[Sequence[str]]
    monotonic: Monotonic
    spawn: Callable[[Sequence[str]], "subprocess.Popen[bytes]"]
    on_death: Callable[[int, int], None]
    _children: list[_Child] = field(default_factory=list)
    _stop: threading.Event = field(default_factory=threading.Event)
    _signals: int = 0

    def run(self) -> int:
        """Supervise until TERM or INT, then return an exit status."""
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, self._on_signal)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)  # closing the terminal must not stop it
        for command in self.commands:
            self._children.append(_Child(command, self.spawn(command), self.monotonic()))
        while not self._stop.wait(0.1):
            self.restart_dead()
        for child in self._children:
            child.process.wait()
        return 0

    def restart_dead(self) -> None:
        """Restart each process that died, after a pause that grows with each death."""
        now = self.monotonic()
        for child in self._children:
            status = child.process.poll()
            if status is None:
                continue
            if child.restart_at is None:
                if now - child.started_at >= _STEADY_S:
                    child.deaths = 0
                child.deaths += 1
                # The first restart is immediate: a single bad job may have killed the process.
                pause = 0.0 if child.deaths == 1 else min(_LONGEST_PAUSE_S, 0.1 * 2**child.deaths)
                child.restart_at = now + pause
                emit("supervisor.died", pid=child.process.pid, status=status, pause_s=pause)
                self.on_death(child.process.pid, status)
            if now >= child.restart_at:
                child.process = self.spawn(child.command)
                child.started_at, child.restart_at = now, None

    def _on_signal(self, number: int, _frame: object) -> None:
        """Pass the signal on; a second one makes the children stop at once."""
        self._signals += 1
        self._stop.set()
        for child in self._children:
            if child.process.poll() is None:
                child.process.send_signal(number)

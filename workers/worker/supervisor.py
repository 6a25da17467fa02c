"""N worker processes, each restarted alone when it dies."""

import signal
import subprocess
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from afterword.pipeline.clock import Monotonic
from afterword.pipeline.core.telemetry import emit

LONGEST_PAUSE_S = 10.0
"""Longest wait before a process that keeps dying is started again; seconds."""

STEADY_S = 30.0
"""A process that lived this long starts the pauses from the beginning."""


@dataclass(slots=True)
class _Child:
    command: Sequence[str]
    process: "subprocess.Popen[bytes]"
    started_at: float
    falls: int = 0
    restart_at: float | None = None


@dataclass(slots=True)
class Supervisor:
    """Starts one process per command and keeps each of them running.

    Args:
        commands: one per process.
        spawn: starts a process.
    """

    commands: Sequence[Sequence[str]]
    monotonic: Monotonic
    spawn: Callable[[Sequence[str]], "subprocess.Popen[bytes]"]
    _children: list[_Child] = field(default_factory=list)
    _stop: threading.Event = field(default_factory=threading.Event)
    _signals: int = 0

    def run(self) -> int:
        """Work until TERM or INT, then return an exit status."""
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, self._on_signal)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)  # a closed terminal is no reason to stop
        for command in self.commands:
            self._children.append(_Child(command, self.spawn(command), self.monotonic()))
        while not self._stop.wait(0.1):
            self.revive()
        for child in self._children:
            child.process.wait()
        return 0

    def revive(self) -> None:
        """Start again, after a growing pause, each process that died."""
        now = self.monotonic()
        for child in self._children:
            status = child.process.poll()
            if status is None:
                continue
            if child.restart_at is None:
                if now - child.started_at >= STEADY_S:
                    child.falls = 0
                child.falls += 1
                # The first restart is immediate: what died may have been killed by one bad job.
                pause = 0.0 if child.falls == 1 else min(LONGEST_PAUSE_S, 0.1 * 2**child.falls)
                child.restart_at = now + pause
                emit("supervisor.died", pid=child.process.pid, status=status, pause_s=pause)
            if now >= child.restart_at:
                child.process = self.spawn(child.command)
                child.started_at, child.restart_at = now, None

    def _on_signal(self, number: int, _frame: object) -> None:
        """Pass it on; a second one tells the children to leave at once."""
        self._signals += 1
        self._stop.set()
        for child in self._children:
            if child.process.poll() is None:
                child.process.send_signal(number)

"""The worker that agents' processes start for a home, as a test sees and kills it."""

import os
import signal
from contextlib import suppress
from pathlib import Path

from afterword.pipeline.core.jobs.autostart import LastStart, StartLock, last_start, log_path
from afterword.pipeline.core.jobs.registrations import registrations_folder
from afterword.pipeline.testing.wait import wait_until


class StartedWorker:
    """The worker of one home; there may be none."""

    def __init__(self, home: Path) -> None:
        self.home = home

    @property
    def is_alive(self) -> bool:
        """Whether a process holds the lock: it begins, serves or ends."""
        if not self.home.exists():
            return False
        lock = StartLock.take(self.home)
        if lock is not None:
            lock.release()
        return lock is None

    @property
    def starts(self) -> int:
        """How many processes have begun to serve, as the log tells."""
        with suppress(FileNotFoundError):
            return log_path(self.home).read_text().count(" worker.started ")
        return 0

    def pid(self) -> int:
        """Wait until it serves, and return its pid."""
        wait_until(lambda: last_start(self.home).pid > 0)
        return last_start(self.home).pid

    def end_pause(self) -> None:
        """Let the next worker be started at once, as if the last one had been started long ago."""
        last = last_start(self.home)
        # Without the lock, which the living one holds.
        path = registrations_folder(self.home) / "autostart"
        file = StartLock(self.home, os.open(path, os.O_RDWR))
        file.write(LastStart(0.0, last.failed, last.pid))
        file.release()

    def kill(self) -> None:
        """Kill it, if there is one, and wait until it is gone."""
        wait_until(lambda: not self.is_alive or last_start(self.home).pid)
        if self.is_alive:
            with suppress(ProcessLookupError):
                os.kill(self.pid(), signal.SIGKILL)
            wait_until(lambda: not self.is_alive)

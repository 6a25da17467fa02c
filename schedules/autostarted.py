"""The process that serves a home for agents while nobody else does, and ends by itself.

An agent's process starts it (`pipeline/core/jobs/autostart.py`) with
`python -m afterword.schedules.autostarted HOME LOCK`; LOCK is the descriptor of its lock.
"""

import os
import sys
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Final, NoReturn

from afterword.pipeline.clock import monotonic, system_clock, to_micros
from afterword.pipeline.core.jobs.autostart import (
    LOG_BYTES,
    LastStart,
    StartLock,
    last_start,
    open_log,
    start,
    write_needed,
)
from afterword.pipeline.core.jobs.claim import agenda
from afterword.pipeline.core.jobs.fleet import is_served, processes
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.doors.cli.root import report
from afterword.pipeline.errors import PipelineError
from afterword.pipeline.settings import load
from afterword.schedules.needed import next_need
from afterword.schedules.process import serve
from afterword.schedules.up import Up
from afterword.workers.routes import ROUTES
from afterword.workers.worker.context import Context
from afterword.workers.worker.process import Signals

LOOK_S: Final = 1.0
"""How often it looks whether it must end; seconds."""

_STEADY_S: Final = 30.0
"""After it has served for so long, its start was no failure, however it ends; seconds."""


def main(home: Path, descriptor: int) -> NoReturn:
    """Serve a home until nothing is due soon, another worker is alive, the home is gone, or TERM.

    The schedule alone does not keep it up: it notes when the schedule next has work.

    Raises:
        PipelineError: it cannot serve; its next start waits longer.
    """
    os.set_inheritable(descriptor, False)  # no process of ours may hold the lock after our end
    lock, signals = StartLock(home, descriptor), Signals()
    settings = load(home=home, metrics_port=0)
    end = _End(home, lock, settings.autostart_idle_s)
    context = serve(settings, signals, end.is_reached)
    has_ended_well = signals.leave.is_set() or bool(end.reason)
    if has_ended_well:
        end.note(failed=0)
    lock.release()
    if end.reason == "idle":
        _start_if_due(context)
    # A thread inside a blocking call would keep the interpreter alive; its jobs were handed back.
    os._exit(0 if has_ended_well else 1)


class _End:
    """Decides when a process that was started for agents ends.

    Args:
        idle_s: it ends when nothing was due for so long and nothing comes due for so long; seconds.
    """

    def __init__(self, home: Path, lock: StartLock, idle_s: float) -> None:
        self.reason = ""
        self._home, self._lock, self._idle_s = home, lock, idle_s
        self._quiet_since: float | None = None
        self._look_at = float("-inf")
        self._begun_at: float | None = None
        self._is_steady = False

    def is_reached(self, up: Up) -> bool:
        """Say whether the process must end; `reason` then says why."""
        if monotonic() < self._look_at:
            return False
        self._look_at = monotonic() + LOOK_S
        if not self._lock.is_current():
            self.reason = "the home is gone"
            return True
        self._note_life()
        self._turn_log()
        found = processes(self._home, system_clock(), monotonic)
        if is_served(found, but=up.context.runtime.worker_uid):
            self.reason = "another worker is alive"
        elif self._is_idle(up):
            self.reason = "idle"
            self._note_need(up)
        if self.reason:
            emit("autostart.ended", reason=self.reason)
        return bool(self.reason)

    def note(self, failed: int) -> None:
        """Note how many starts in a row have failed."""
        self._lock.write(LastStart(last_start(self._home).at, failed, os.getpid()))

    def _note_life(self) -> None:
        """Note that it serves; once it has for long, that its start was no failure."""
        if self._begun_at is None:
            self._begun_at = monotonic()
            self.note(last_start(self._home).failed)
        elif not self._is_steady and monotonic() - self._begun_at >= _STEADY_S:
            self._is_steady = True
            self.note(failed=0)

    def _is_idle(self, up: Up) -> bool:
        soon = to_micros(system_clock() + timedelta(seconds=self._idle_s))
        if not up.dispatcher.groups.is_quiet(soon):
            self._quiet_since = None
            return False
        if self._quiet_since is None:
            self._quiet_since = monotonic()
        return monotonic() - self._quiet_since >= self._idle_s

    def _note_need(self, up: Up) -> None:
        try:
            write_needed(self._home, next_need(up.context, up.dispatcher.table, system_clock()))
        except PipelineError as error:  # without a note, an agent has the schedule looked at
            emit("autostart.failed", error=str(error))

    def _turn_log(self) -> None:
        if os.fstat(2).st_size > LOG_BYTES:
            with suppress(PipelineError):  # on a full disk it goes on with the old one
                log = open_log(self._home)
                os.dup2(log, 1)
                os.dup2(log, 2)
                os.close(log)


def _start_if_due(context: Context) -> None:
    """Start another process if work came while this one left.

    An agent that wrote before the lock was free has started none. So this looks after that, as the
    agent looks after its write: one of the two sees what the other did.
    """
    now = system_clock()
    for group in context.stores.groups():
        try:
            due_at = context.stores.look(group, lambda conn: agenda(conn, ROUTES)).due_at(
                to_micros(now)
            )
            if due_at is not None and due_at <= to_micros(now):
                start(context.settings.home, os.environ, now)
                return
        except PipelineError as error:  # a damaged group must not hide the work of the others
            report(error)


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]), int(sys.argv[2]))
    except PipelineError as error:  # any other error is a defect: its traceback is printed
        sys.exit(report(error))

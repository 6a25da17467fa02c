"""See to it that the due work of an agent's group is done: start a worker where none is alive.

It looks when an agent opens, after each call of a tool, and when work comes due meanwhile.
"""

import logging
import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from afterword.pipeline.areas import AREAS
from afterword.pipeline.clock import Clock, Monotonic, from_micros, to_micros
from afterword.pipeline.core.jobs.autostart import START_PAUSE_S, needed_at
from afterword.pipeline.core.jobs.claim import Agenda, agenda
from afterword.pipeline.core.jobs.fleet import is_served, processes
from afterword.pipeline.core.jobs.inspect import totals
from afterword.pipeline.core.store import Store, reading, state_of

_KINDS: Final = tuple(job.kind.name for area in AREAS for job in area.jobs)

_LONGEST_SLEEP_S: Final = 900.0
"""It looks this often if nothing is due: a sleep stands still while a machine does; seconds."""

_SERVED_SLEEP_S: Final = 60.0
"""It looks again so long after work was due and a worker was alive, which may die; seconds."""

_log = logging.getLogger(__name__)


class DueWorkElsewhere:
    """The due work of a group that the server around an agent looks after.

    Args:
        looked_after: what looks, once a call and its transaction are over.
    """

    def __init__(self, looked_after: "DueWork") -> None:
        self._looked_after = looked_after

    @property
    def problem(self) -> str:
        """Why the last worker could not be started; empty if it could."""
        return self._looked_after.problem

    def look(self) -> None:
        """Do nothing: the server looks."""


class DueWork:
    """The due work of one agent's group; threads may share it.

    Args:
        home: the installation's folder.
        clock: the clock of this machine.
        start: starts a worker process for the home; None if one was started already.
    """

    def __init__(
        self,
        store: Store,
        home: Path,
        clock: Clock,
        monotonic: Monotonic,
        start: Callable[[datetime], "subprocess.Popen[bytes] | None"],
    ) -> None:
        self._store, self._home, self._clock, self._monotonic = store, home, clock, monotonic
        self._start = start
        self.problem = ""
        """Why the last worker could not be started; empty if it could."""
        self._lock = threading.Lock()
        self._closed, self._wake = threading.Event(), threading.Event()
        self._wakes_at = float("-inf")
        self._state: tuple[object, int, int] | None = None
        self._agenda, self._was_served = Agenda([], None, in_flight=False), False
        self._thread = threading.Thread(target=self._watch, name="due work", daemon=True)

    def begin(self) -> None:
        """Look now, and from now on when work comes due."""
        self._wakes_at = self._monotonic() + self._check()
        with suppress(RuntimeError):  # without another thread it looks after calls alone
            self._thread.start()

    def look(self) -> None:
        """Start a worker if work is due and none is alive; it never raises."""
        if self._monotonic() + self._check() < self._wakes_at:
            self._wake.set()  # work comes due before the thread would look

    def close(self) -> None:
        """Look no more; a started worker goes on."""
        self._closed.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join()

    def _check(self) -> float:
        """Look, and return in how many seconds to look again."""
        # Not skipped while another thread looks: it may have looked before this thread's write.
        with self._lock:
            try:
                sleep_s, self.problem = self._look(), ""
            except Exception as error:  # whatever it is, the agent's own answer does not need it
                sleep_s = _SERVED_SLEEP_S
                if str(error) != self.problem:
                    self.problem = str(error)
                    _log.warning("no worker was started for the agent: %s", error)
        return sleep_s

    def _look(self) -> float:
        now = self._clock()
        due_at = self._due_at(now)
        if due_at is None or due_at > now:
            left_s = _LONGEST_SLEEP_S if due_at is None else (due_at - now).total_seconds()
            return min(_LONGEST_SLEEP_S, left_s)
        if is_served(processes(self._home, now, self._monotonic)):
            return _SERVED_SLEEP_S
        process = self._start(now)
        if process is not None:
            threading.Thread(target=self._reap, args=(process,), daemon=True).start()
        return START_PAUSE_S

    def _due_at(self, now: datetime) -> datetime | None:
        """Return since or from when on a worker is needed; None if nothing is foreseen."""
        with reading(self._store) as conn:
            state = state_of(conn)
            if state != self._state:  # most calls change nothing
                self._agenda, self._was_served = agenda(conn, _KINDS), bool(totals(conn))
                self._state = state
        moments = []
        if (due_at := self._agenda.due_at(to_micros(now))) is not None:
            moments.append(from_micros(due_at))
        # In a new group the schedule has no work before its first job has ended.
        if self._was_served and (needed := needed_at(self._home)) is not None:
            moments.append(needed)
        return min(moments, default=None)

    def _watch(self) -> None:
        while not self._closed.is_set():
            self._wake.wait(self._wakes_at - self._monotonic())
            self._wake.clear()
            if not self._closed.is_set():
                self._wakes_at = self._monotonic() + self._check()

    def _reap(self, process: "subprocess.Popen[bytes]") -> None:
        """Wait for the end of a started worker, and look again a little later.

        When a machine shuts down, both processes are told to end: none must be started then.
        """
        process.wait()
        if not self._closed.wait(START_PAUSE_S):
            self._wake.set()

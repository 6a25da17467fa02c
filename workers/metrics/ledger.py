"""What the ledgers of all groups say together, read only where something has changed."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from itertools import product
from pathlib import Path
from typing import Final, Protocol

from sqlalchemy import Connection

from pipeline.clock import Clock, Monotonic
from pipeline.errors import NotFoundError, PipelineError
from pipeline.jobs.inspect import STATES, Standing, Total, ages_s, overdue, pauses, standing, totals
from pipeline.store import Shelf, reading
from pipeline.telemetry import tell
from workers.metrics.cached import Tally, Values
from workers.metrics.decisions import Decisions, DecisionSums

OUTCOMES: Final = ("done", "retried", "postponed", "dead", "crashed", "hung", "handed_back")
"""How a run can end. Source: the CHECK of `job_runs.outcome`."""

LOOK_S = 3.0
"""Longest that one look may take, whatever the number of groups; the next one goes on; seconds."""

IDLE_CLOSE_S = 60.0
"""Handles of a group unused for so long are closed again; seconds."""


class Fired(Protocol):
    """What a group's file says of one cron entry; the schedules know how to read it."""

    @property
    def entry(self) -> str: ...
    @property
    def missed(self) -> int: ...
    @property
    def fired_at(self) -> datetime | None: ...


CronRows = Callable[[Connection], Iterable[Fired]]


@dataclass(frozen=True, slots=True)
class Found:
    """What one group's file said."""

    standing: list[Standing]
    totals: list[Total]
    paused: set[str]
    overdue: int
    fired: list[Fired]
    decisions: Decisions


@dataclass(slots=True)
class _Group:
    """What is remembered of one group between looks."""

    signature: tuple[int, ...] = ()
    quiet: bool = False
    found: Found | None = None
    readable: bool = True
    looked_at: float = float("-inf")


@dataclass(slots=True)
class LedgerSource:
    """Sums every group's ledger. A group label would make as many series as there are groups.

    Args:
        kinds: known kinds, shown with 0 too: a series that comes and goes cannot be alerted on.
        known: returns the label of a kind.
        decisions: reads and sums what became of decisions.
        cron: reads a file's cron entries; None in a process without a schedule.
    """

    shelf: Shelf
    kinds: Iterable[str]
    known: Callable[[str], str]
    decisions: DecisionSums
    clock: Clock
    monotonic: Monotonic
    cron: CronRows | None = None
    _groups: dict[str, _Group] = field(default_factory=dict)
    _gone: list[Found] = field(default_factory=list)

    def __call__(self) -> dict[str, Values]:
        """Look at the groups, and return the numbers by metric."""
        self._look_around()
        unread = sum(one.found is None and one.readable for one in self._groups.values())
        numbers: dict[str, Values] = {
            "afterword_groups": {(): len(self._groups)},
            "afterword_groups_unread": {(): unread},
            "afterword_groups_unreadable": {
                (): sum(not one.readable for one in self._groups.values())
            },
        }
        # A total over some of the groups would jump when the others are read, and look like work.
        return numbers if unread else numbers | self._sums()

    def _look_around(self) -> None:
        names = self.shelf.groups()
        for gone in self._groups.keys() - set(names):
            found = self._groups.pop(gone).found
            if found is not None:  # what ended there has ended: a counter never goes down
                self._gone.append(found)
        for name in names:
            self._groups.setdefault(name, _Group())
        give_up_at = self.monotonic() + LOOK_S
        for name in sorted(names, key=lambda name: self._groups[name].looked_at):
            if self.monotonic() >= give_up_at:
                break
            self._look(name, self._groups[name])
        self.shelf.close_idle(IDLE_CLOSE_S, self.monotonic())

    def _look(self, name: str, group: _Group) -> None:
        group.looked_at = self.monotonic()
        signature = _signature(self.shelf.wal_path(name))
        if group.quiet and signature == group.signature:
            return
        try:
            group.found, group.readable = self._read(name), True
        except NotFoundError:
            return  # removed in this very moment
        except PipelineError as error:
            if group.readable:
                tell("metrics.skipped", source="ledger", group=name, error=str(error))
            group.readable = False
            return
        # Read once more after it stopped moving: time stamps have a grain, and a commit may hide
        # in it. A lease passes its end without a write, so a group with leases is never quiet.
        running = any(one.state == "running" for one in group.found.standing)
        group.quiet = signature == group.signature and not running
        group.signature = signature

    def _read(self, name: str) -> Found:
        with reading(self.shelf.group(name)) as conn:
            return Found(
                standing(conn),
                totals(conn),
                {pause.kind for pause in pauses(conn)},
                overdue(conn, self.clock()),
                [] if self.cron is None else list(self.cron(conn)),
                self.decisions.read(conn),
            )

    def _sums(self) -> dict[str, Values]:
        present = [one.found for one in self._groups.values() if one.found is not None]
        return {
            **self._jobs(present),
            "afterword_jobs_ended_total": self._ended(present + self._gone),
            **_cron(present, self._gone),
            **self.decisions.sums(
                [found.decisions for found in present],
                [found.decisions for found in self._gone],
                self.clock(),
            ),
        }

    def _jobs(self, present: list[Found]) -> dict[str, Values]:
        jobs: Tally = Counter(dict.fromkeys(product(self.kinds, STATES), 0))
        ages: dict[tuple[str, ...], float] = {(kind,): 0.0 for kind in self.kinds}
        paused: Tally = Counter(dict.fromkeys(ages, 0))
        now = self.clock()
        for found in present:
            for one in found.standing:
                jobs[self.known(one.kind), one.state] += one.jobs
            for kind, age in ages_s(found.standing, now).items():
                label = (self.known(kind),)
                ages[label] = max(age, ages.get(label, 0.0))
            paused.update((self.known(kind),) for kind in found.paused)
        held = sum(number for (_kind, state), number in jobs.items() if state == "running")
        return {
            "afterword_jobs": jobs,
            "afterword_jobs_oldest_ready_age_seconds": ages,
            "afterword_jobs_paused_groups": paused,
            "afterword_leases": {
                ("held",): held,
                ("expired",): sum(found.overdue for found in present),
            },
        }

    def _ended(self, ever: list[Found]) -> Values:
        ended: Tally = Counter(dict.fromkeys(product(self.kinds, OUTCOMES), 0))
        for found in ever:
            for one in found.totals:
                ended[self.known(one.kind), one.outcome] += one.jobs
        return ended


def _cron(present: list[Found], gone: list[Found]) -> dict[str, Values]:
    missed: Tally = Counter()
    last: dict[tuple[str, ...], float] = {}
    for found in present + gone:
        for one in found.fired:
            missed[one.entry,] += one.missed
            if one.fired_at is not None:
                last[one.entry,] = max(one.fired_at.timestamp(), last.get((one.entry,), 0.0))
    return {
        "afterword_cron_missed_ticks_total": missed,
        "afterword_cron_last_fired_timestamp_seconds": last,
    }


def _signature(wal: Path) -> tuple[int, ...]:
    """Return numbers that change with every commit, but not when an idle file is opened.

    Opening makes an empty log and closing removes it; so only one with content counts.
    """
    stamps = []
    for file in (wal.with_name(wal.name.removesuffix("-wal")), wal):
        try:
            stat = file.stat()
            stamps += [stat.st_mtime_ns, stat.st_size] if stat.st_size else [0, 0]
        except FileNotFoundError:
            stamps += [0, 0]
    return tuple(stamps)

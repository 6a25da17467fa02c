"""What the ledgers of all groups say together, read only where something has changed."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import product
from typing import Final, Protocol

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock, Monotonic
from afterword.pipeline.core.jobs.inspect import (
    STATES,
    StateCount,
    Total,
    ages_s,
    overdue,
    pauses,
    running_since_before,
    standing,
    totals,
)
from afterword.pipeline.core.store import Stores
from afterword.pipeline.core.store.changes import ChangeWatch
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import NotFoundError, PipelineError
from afterword.workers.observability.cached import Tally, Values
from afterword.workers.observability.decisions import Decisions, DecisionSums

OUTCOMES: Final = ("done", "retried", "postponed", "dead", "crashed", "hung", "handed_back")
"""How a run can end. Source: the CHECK of `job_runs.outcome`."""

LONG_S: Final = 120.0
"""Leases longer than this are compared with what the processes report; most runs are shorter;
seconds."""

MOST_GROUPS: Final = 20
"""Groups shown with a series of their own, those with the most open jobs (count)."""

LOOK_S = 0.5
"""Longest that one look may take, whatever the number of groups; the next one goes on; seconds."""

IDLE_CLOSE_S = 60.0
"""Handles of a group unused for so long are closed again; seconds."""


class CronState(Protocol):
    """What a group's file says of one cron entry; the schedules know how to read it."""

    @property
    def entry(self) -> str: ...
    @property
    def missed(self) -> int: ...
    @property
    def fired_at(self) -> datetime | None: ...


CronRows = Callable[[Connection], Iterable[CronState]]


@dataclass(frozen=True, slots=True)
class GroupNumbers:
    """What one group's file said."""

    standing: list[StateCount]
    totals: list[Total]
    paused: set[str]
    overdue: int
    long: int
    fired: list[CronState]
    decisions: Decisions


@dataclass(slots=True)
class _Group:
    """What is remembered of one group between looks."""

    found: GroupNumbers | None = None
    readable: bool = True


@dataclass(slots=True)
class LedgerSource:
    """Sums every group's ledger. A group label would make as many series as there are groups.

    Args:
        kinds: known kinds, shown with 0 too: a series that comes and goes cannot be alerted on.
        known: returns the label of a kind.
        decisions: reads and sums what became of decisions.
        cron: reads a file's cron entries; None in a process without a schedule.
    """

    stores: Stores
    kinds: Iterable[str]
    known: Callable[[str], str]
    decisions: DecisionSums
    clock: Clock
    monotonic: Monotonic
    cron: CronRows | None = None
    _groups: dict[str, _Group] = field(default_factory=dict)
    _gone: list[GroupNumbers] = field(default_factory=list)
    _stale: dict[str, None] = field(default_factory=dict)
    _watch: ChangeWatch = field(init=False)

    def __post_init__(self) -> None:
        self._watch = ChangeWatch(self.stores.folder, self.monotonic)

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
        """Read groups that changed, for `LOOK_S` at most; those left over come first next time."""
        changes = self._watch.scan(at_once=True)
        for name in changes.gone:
            self._stale.pop(name, None)
            found = self._groups.pop(name).found
            if found is not None:  # what ended there has ended: a counter never goes down
                self._gone.append(found)
        for name in changes.changed:
            self._groups.setdefault(name, _Group())
            self._stale[name] = None
        give_up_at = self.monotonic() + LOOK_S
        for name in list(self._stale):
            del self._stale[name]
            if not self._look(name, self._groups[name]):
                self._stale[name] = None
            if self.monotonic() >= give_up_at:
                break
        self.stores.close_idle(IDLE_CLOSE_S, self.monotonic())

    def _look(self, name: str, group: _Group) -> bool:
        """Read one group; False if it must be read again even if its file does not change."""
        # A commit within the grain of a time stamp does not change the stamp.
        is_settled = self.monotonic() >= self._watch.settles_at(name)
        try:
            group.found, group.readable = self._read(name), True
        except NotFoundError:
            return True  # removed in this very moment
        except PipelineError as error:
            if group.readable:
                emit("metrics.skipped", source="ledger", group=name, error=str(error))
            group.readable = False
            return False
        # A lease passes its end without a write to the file.
        return is_settled and not any(one.state == "running" for one in group.found.standing)

    def _read(self, name: str) -> GroupNumbers:
        return self.stores.look(
            name,
            lambda conn: GroupNumbers(
                standing(conn),
                totals(conn),
                {pause.kind for pause in pauses(conn)},
                overdue(conn, self.clock()),
                running_since_before(conn, self.clock() - timedelta(seconds=LONG_S)),
                [] if self.cron is None else list(self.cron(conn)),
                self.decisions.read(conn),
            ),
        )

    def _sums(self) -> dict[str, Values]:
        present = [one.found for one in self._groups.values() if one.found is not None]
        return {
            **self._jobs(present),
            "afterword_store_open_jobs": self._largest(),
            "afterword_jobs_ended_total": self._ended(present + self._gone),
            **_cron(present, self._gone),
            **self.decisions.sums(
                [found.decisions for found in present],
                [found.decisions for found in self._gone],
                self.clock(),
            ),
        }

    def _jobs(self, present: list[GroupNumbers]) -> dict[str, Values]:
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
                ("long",): sum(found.long for found in present),
            },
        }

    def _largest(self) -> Values:
        jobs = {
            (name,): sum(row.jobs for row in one.found.standing if row.state != "dead")
            for name, one in self._groups.items()
            if one.found is not None
        }
        return dict(sorted(jobs.items(), key=lambda row: -row[1])[:MOST_GROUPS])

    def _ended(self, ever: list[GroupNumbers]) -> Values:
        ended: Tally = Counter(dict.fromkeys(product(self.kinds, OUTCOMES), 0))
        for found in ever:
            for one in found.totals:
                ended[self.known(one.kind), one.outcome] += one.jobs
        return ended


def _cron(present: list[GroupNumbers], gone: list[GroupNumbers]) -> dict[str, Values]:
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

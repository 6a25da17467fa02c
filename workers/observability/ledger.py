"""Metrics of the ledgers of all groups; a group is read only after its file changed."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import product
from typing import Any, Final, Protocol

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock, Monotonic
from afterword.pipeline.core.jobs.inspect import (
    JOB_STATES,
    StateCount,
    Total,
    ages_s,
    overdue,
    pauses,
    running_since_before,
    state_counts,
    totals,
)
from afterword.pipeline.core.store import Stores
from afterword.pipeline.core.store.changes import ChangeWatch
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.core.telemetry.numbers import GroupNumbers, Tally, Values
from afterword.pipeline.errors import NotFoundError, PipelineError

RUN_OUTCOMES: Final = ("done", "retried", "postponed", "dead", "crashed", "hung", "handed_back")
"""The outcomes of a run. Source: the CHECK of `job_runs.outcome`."""

LONG_S: Final = 120.0
"""Leases older than this are compared with the jobs that processes report; seconds. Most runs are
shorter."""

_MOST_GROUPS: Final = 20
"""Groups shown with a series of their own: those with the most open jobs (count)."""

READ_S = 0.5
"""Longest time that one scrape may read groups; seconds. The next scrape reads the rest."""

_IDLE_CLOSE_S = 60.0
"""Handles of a group that was unused for so long are closed; seconds."""


class CronState(Protocol):
    """The state of a cron entry in a group's file; `schedules` reads it."""

    @property
    def entry(self) -> str:
        """Return the name of the entry."""
        ...

    @property
    def missed(self) -> int:
        """Return how many slots never fired; count."""
        ...

    @property
    def fired_at(self) -> datetime | None:
        """Return when the entry last fired; None if it never did."""
        ...


CronRows = Callable[[Connection], Iterable[CronState]]


@dataclass(frozen=True, slots=True)
class GroupRead:
    """The numbers of one group.

    Args:
        declared: those that areas declare, in their order.
    """

    state_counts: list[StateCount]
    totals: list[Total]
    paused: set[str]
    overdue: int
    long: int
    fired: list[CronState]
    declared: list[Any]


@dataclass(slots=True)
class _Group:
    """The last read of one group."""

    numbers: GroupRead | None = None
    readable: bool = True


@dataclass(slots=True)
class LedgerSource:
    """Sums the ledgers of all groups. A label for the group would make one series per group.

    Args:
        kinds: known kinds; they are shown with 0 too, because alerts need a steady series.
        known: returns the label of a kind.
        declared: reads and sums the numbers that areas declare.
        cron: reads a file's cron entries; None in a process without a schedule.
    """

    stores: Stores
    kinds: Iterable[str]
    known: Callable[[str], str]
    declared: Sequence[GroupNumbers[Any]]
    clock: Clock
    monotonic: Monotonic
    cron: CronRows | None = None
    _groups: dict[str, _Group] = field(default_factory=dict)
    _gone: list[GroupRead] = field(default_factory=list)
    _stale: dict[str, None] = field(default_factory=dict)
    _watch: ChangeWatch = field(init=False)

    def __post_init__(self) -> None:
        self._watch = ChangeWatch(self.stores.folder, self.monotonic)

    def __call__(self) -> dict[str, Values]:
        """Read the groups that changed, and return the numbers by metric."""
        self._read_changed()
        unread = sum(group.numbers is None and group.readable for group in self._groups.values())
        numbers: dict[str, Values] = {
            "afterword_groups": {(): len(self._groups)},
            "afterword_groups_unread": {(): unread},
            "afterword_groups_unreadable": {
                (): sum(not group.readable for group in self._groups.values())
            },
        }
        # A total of some groups would jump when the other groups are read, and look like work.
        return numbers if unread else numbers | self._sums()

    def _read_changed(self) -> None:
        """Read groups that changed, for `READ_S` at most; the rest come first in the next call."""
        changes = self._watch.scan(at_once=True)
        for name in changes.gone:
            self._stale.pop(name, None)
            numbers = self._groups.pop(name).numbers
            if numbers is not None:  # they stay in the totals: a counter never goes down
                self._gone.append(numbers)
        for name in changes.changed:
            self._groups.setdefault(name, _Group())
            self._stale[name] = None
        stop_at = self.monotonic() + READ_S
        for name in list(self._stale):
            del self._stale[name]
            if not self._refresh(name, self._groups[name]):
                self._stale[name] = None
            if self.monotonic() >= stop_at:
                break
        self.stores.close_idle(_IDLE_CLOSE_S, self.monotonic())

    def _refresh(self, name: str, group: _Group) -> bool:
        """Read one group; False if it must be read again even if its file does not change."""
        # Two commits within the resolution of a time stamp leave the same stamp.
        is_settled = self.monotonic() >= self._watch.settles_at(name)
        try:
            group.numbers, group.readable = self._read(name), True
        except NotFoundError:
            return True  # it has just been removed
        except PipelineError as error:
            if group.readable:
                emit("metrics.skipped", source="ledger", group=name, error=str(error))
            group.readable = False
            return False
        # A lease passes its deadline without a write to the file.
        return is_settled and not any(
            count.state == "running" for count in group.numbers.state_counts
        )

    def _read(self, name: str) -> GroupRead:
        return self.stores.look(
            name,
            lambda conn: GroupRead(
                state_counts(conn),
                totals(conn),
                {pause.kind for pause in pauses(conn)},
                overdue(conn, self.clock()),
                running_since_before(conn, self.clock() - timedelta(seconds=LONG_S)),
                [] if self.cron is None else list(self.cron(conn)),
                [numbers.read(conn) for numbers in self.declared],
            ),
        )

    def _sums(self) -> dict[str, Values]:
        present = [group.numbers for group in self._groups.values() if group.numbers is not None]
        sums = {
            **self._jobs(present),
            "afterword_store_open_jobs": self._largest(),
            "afterword_jobs_ended_total": self._ended(present + self._gone),
            **_cron(present, self._gone),
        }
        for place, numbers in enumerate(self.declared):
            here = [group.declared[place] for group in present]
            gone = [group.declared[place] for group in self._gone]
            sums |= numbers.sums(here, gone, self.clock())
        return sums

    def _jobs(self, present: list[GroupRead]) -> dict[str, Values]:
        jobs: Tally = Counter(dict.fromkeys(product(self.kinds, JOB_STATES), 0))
        ages: dict[tuple[str, ...], float] = {(kind,): 0.0 for kind in self.kinds}
        paused: Tally = Counter(dict.fromkeys(ages, 0))
        now = self.clock()
        for numbers in present:
            for count in numbers.state_counts:
                jobs[self.known(count.kind), count.state] += count.jobs
            for kind, age in ages_s(numbers.state_counts, now).items():
                label = (self.known(kind),)
                ages[label] = max(age, ages.get(label, 0.0))
            paused.update((self.known(kind),) for kind in numbers.paused)
        held = sum(number for (_kind, state), number in jobs.items() if state == "running")
        return {
            "afterword_jobs": jobs,
            "afterword_jobs_oldest_ready_age_seconds": ages,
            "afterword_jobs_paused_groups": paused,
            "afterword_leases": {
                ("held",): held,
                ("expired",): sum(numbers.overdue for numbers in present),
                ("long",): sum(numbers.long for numbers in present),
            },
        }

    def _largest(self) -> Values:
        jobs = {
            (name,): sum(row.jobs for row in group.numbers.state_counts if row.state != "dead")
            for name, group in self._groups.items()
            if group.numbers is not None
        }
        return dict(sorted(jobs.items(), key=lambda row: -row[1])[:_MOST_GROUPS])

    def _ended(self, ever: list[GroupRead]) -> Values:
        ended: Tally = Counter(dict.fromkeys(product(self.kinds, RUN_OUTCOMES), 0))
        for numbers in ever:
            for total in numbers.totals:
                ended[self.known(total.kind), total.outcome] += total.jobs
        return ended


def _cron(present: list[GroupRead], gone: list[GroupRead]) -> dict[str, Values]:
    missed: Tally = Counter()
    last: dict[tuple[str, ...], float] = {}
    for numbers in present + gone:
        for state in numbers.fired:
            missed[state.entry,] += state.missed
            if state.fired_at is not None:
                last[state.entry,] = max(state.fired_at.timestamp(), last.get((state.entry,), 0.0))
    return {
        "afterword_cron_missed_ticks_total": missed,
        "afterword_cron_last_fired_timestamp_seconds": last,
    }

"""One line of the cron table: what is to be done, at which instants, and what if one was missed."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import islice, pairwise
from typing import Any, Final, get_args
from zoneinfo import ZoneInfo

from croniter import HOUR_FIELD, croniter

from afterword.pipeline.clock import iso
from afterword.pipeline.core.area import Misfire, Overlap
from afterword.pipeline.errors import InvalidInputError

MOST_CATCH_UP: Final = 1_000
"""Slots one entry may make up for at once (count): each is a job row in one transaction."""

# A fixed day, so that an entry is refused on every day of the year or on none.
_ANY_DAY: Final = datetime(2024, 1, 1, tzinfo=UTC)
# Slots compared to find the shortest period (count): a day of half hours, two days of hours.
_SAMPLE: Final = 50


@dataclass(frozen=True, slots=True)
class CronEntry:
    """Say what to do and when.

    Args:
        name: `area.verb`, unique in the table; ticks are kept under it.
        cron: five fields, minute hour day month weekday; day and weekday both given mean either.
        job: `verb_noun`, the kind of the job each tick adds.
        misfire: after an outage fire the newest slot (`once`), nothing stale (`skip`), or the
            `catch_up` newest slots.
        catch_up: slots to make up for, count; 1..1000 with `misfire="catch_up"`, else 0.
        overlap: `skip` keeps at most one open job of the entry, `allow` one for each slot.
        jitter_s: seconds over which installations spread one slot; at most the shortest period.
        timezone: IANA zone whose clocks the fields are read on.
        payload: the arguments of its jobs.

    Raises:
        InvalidInputError: a field makes no sense, or the fields together never fire.
    """

    name: str
    cron: str
    _: KW_ONLY
    job: str
    misfire: Misfire = "once"
    catch_up: int = 0
    overlap: Overlap = "allow"
    jitter_s: int = 0
    timezone: str = "UTC"
    payload: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._check_names()
        self._check_zone()
        self._check_cron()
        self._check_policies()
        self._check_jitter()

    def job_key(self, slot: datetime) -> str:
        """Return the key under which a slot's job is unique among the open jobs.

        With `overlap="skip"` all slots share the entry's name: a tick while a job waits adds
        nothing, and a tick while it runs lets it run once more.
        """
        return self.name if self.overlap == "skip" else f"{self.name}@{iso(slot)}"

    def slots_after(self, moment: datetime) -> Iterator[datetime]:
        """Yield the slots later than the moment as UTC instants, without end, oldest first.

        An entry whose hour field is `*` fires in every real hour. One that names its hours fires
        once for each time it names: at the first instant after the gap when clocks skip that
        time, at the first of the two when clocks repeat it.
        """
        return self._walk(moment, backwards=False)

    def slots_until(self, moment: datetime) -> Iterator[datetime]:
        """Yield the same slots up to and including the moment, newest first."""
        # croniter looks strictly before its start, and slots lie on whole seconds.
        return self._walk(moment.replace(microsecond=0) + timedelta(seconds=1), backwards=True)

    def _walk(self, start: datetime, backwards: bool) -> Iterator[datetime]:
        zone = ZoneInfo(self.timezone)
        times = croniter(self.cron, start.astimezone(zone), ret_type=datetime, is_prev=backwards)
        every_hour = times.expanded[HOUR_FIELD] == ["*"]
        for time in times:
            slot: datetime = time.astimezone(UTC)
            # croniter fires in both passes of a repeated hour and sets `fold` on single ones too.
            # In Chatham, Lord Howe and Troll, which do not change by one hour on the hour, it may
            # lose a slot in the night of the change.
            if every_hour or slot.astimezone(zone).fold == 0:
                yield slot

    def _check_names(self) -> None:
        if not re.fullmatch(r"[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*", self.name):
            raise self._wrong("name", f"{self.name!r} is no entry name", "area.verb, lower case")
        if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)+", self.job):
            raise self._wrong("job", f"{self.job!r} is no job name", "verb_noun, lower case")

    def _check_zone(self) -> None:
        try:
            ZoneInfo(self.timezone)
        except (KeyError, ValueError, OSError) as error:  # unknown; malformed; a folder of zones
            problem = f"{self.timezone!r} is no time zone"
            raise self._wrong("timezone", problem, "an IANA name such as Europe/Berlin") from error

    def _check_cron(self) -> None:
        accepted = "five fields, minute hour day month weekday, naming a date that exists"
        fields = self.cron.split()
        # `R` is croniter's random value: every dispatcher would draw its own.
        if len(fields) != 5 or any(field[0] in "rR" for field in fields):
            raise self._wrong("cron", f"{self.cron!r} is not five fixed fields", accepted)
        try:
            next(self.slots_after(_ANY_DAY))
        except ValueError as error:
            raise self._wrong("cron", f"{self.cron!r} names no time", accepted) from error

    def _check_policies(self) -> None:
        if self.misfire not in get_args(Misfire):
            raise self._wrong("misfire", f"{self.misfire!r} is no policy", _listed(Misfire))
        if self.overlap not in get_args(Overlap):
            raise self._wrong("overlap", f"{self.overlap!r} is no policy", _listed(Overlap))
        if self.misfire != "catch_up" and self.catch_up != 0:
            raise self._wrong("catch_up", f"{self.catch_up} beside misfire={self.misfire!r}", "0")
        if self.misfire == "catch_up" and not 1 <= self.catch_up <= MOST_CATCH_UP:
            raise self._wrong("catch_up", f"{self.catch_up} slots", f"1..{MOST_CATCH_UP}")

    def _check_jitter(self) -> None:
        if self.jitter_s == 0:
            return
        slots = islice(self.slots_after(_ANY_DAY), _SAMPLE)
        period_s = int(min(later - slot for slot, later in pairwise(slots)).total_seconds())
        # A longer one could start a slot's job after the next slot's.
        if not 0 <= self.jitter_s <= period_s:
            raise self._wrong("jitter_s", f"{self.jitter_s} s", f"0..{period_s}, its period")

    def _wrong(self, field: str, problem: str, accepted: str) -> InvalidInputError:
        return InvalidInputError(f"entry[{self.name!r}].{field}", problem, accepted)


def _listed(choice: object) -> str:
    return ", ".join(get_args(choice))

"""One entry of the schedule: which job, at which instants, and what happens to missed instants."""

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
"""Slots that one entry may catch up at once (count): each is a job row in one transaction."""

# A fixed day, so that the check of an entry does not depend on the present day.
_ANY_DAY: Final = datetime(2024, 1, 1, tzinfo=UTC)
# Slots that are compared to find the shortest period (count): a day of half hours, two of hours.
_SAMPLE: Final = 50


@dataclass(frozen=True, slots=True)
class CronEntry:
    """An entry of the schedule.

    Args:
        name: `area.verb`, unique in the table; ticks are stored under it.
        cron: five fields: minute, hour, day, month, weekday. With both day and weekday, either
            one is enough.
        job: `verb_noun`, the kind of the jobs.
        misfire: which slots fire after an outage: the newest (`once`), the newest unless it is
            too old (`skip`), or the `catch_up` newest.
        catch_up: slots to catch up (count); 1..1000 with `misfire="catch_up"`, else 0.
        overlap: `skip` allows one open job of the entry, `allow` one for each slot.
        jitter_s: largest delay of a job after its slot; seconds, at most the shortest period.
        timezone: IANA time zone of the cron fields.
        payload: the arguments of its jobs.

    Raises:
        InvalidInputError: a field is invalid, or the entry never fires.
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
        """Return the key of a slot's job; only one open job has it.

        With `overlap="skip"` the key of every slot is the entry's name: a tick adds nothing while
        a job waits, and lets a running job run once more.
        """
        return self.name if self.overlap == "skip" else f"{self.name}@{iso(slot)}"

    def slots_after(self, moment: datetime) -> Iterator[datetime]:
        """Yield the slots later than the moment as UTC instants, without end, oldest first.

        An entry with the hour field `*` fires in every real hour. An entry with named hours fires
        once for each of them: if clocks skip that time, at the first instant after the gap; if
        clocks repeat it, at the first of the two.
        """
        return self._walk(moment, backwards=False)

    def slots_until(self, moment: datetime) -> Iterator[datetime]:
        """Yield the same slots up to and including the moment, newest first."""
        # croniter returns times strictly before its start, and slots lie on whole seconds.
        return self._walk(moment.replace(microsecond=0) + timedelta(seconds=1), backwards=True)

    def _walk(self, start: datetime, backwards: bool) -> Iterator[datetime]:
        zone = ZoneInfo(self.timezone)
        times = croniter(self.cron, start.astimezone(zone), ret_type=datetime, is_prev=backwards)
        every_hour = times.expanded[HOUR_FIELD] == ["*"]
        for time in times:
            slot: datetime = time.astimezone(UTC)
            # croniter yields a repeated hour twice, and also sets `fold` on hours that occur once.
            # In Chatham, Lord Howe and Troll clocks do not change by one hour on the hour: there it
            # may leave out a slot in the night of the change.
            if every_hour or slot.astimezone(zone).fold == 0:
                yield slot

    def _check_names(self) -> None:
        if not re.fullmatch(r"[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*", self.name):
            problem = f"{self.name!r} is not an entry name"
            raise self._wrong("name", problem, "area.verb, lower case")
        if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)+", self.job):
            raise self._wrong("job", f"{self.job!r} is not a job name", "verb_noun, lower case")

    def _check_zone(self) -> None:
        try:
            ZoneInfo(self.timezone)
        except (KeyError, ValueError, OSError) as error:  # unknown; malformed; a folder of zones
            problem = f"{self.timezone!r} is not a time zone"
            raise self._wrong("timezone", problem, "an IANA name such as Europe/Berlin") from error

    def _check_cron(self) -> None:
        accepted = "five fields, minute hour day month weekday, naming a date that exists"
        fields = self.cron.split()
        # `R` is a random value in croniter: each dispatcher would have another one.
        if len(fields) != 5 or any(field[0] in "rR" for field in fields):
            raise self._wrong("cron", f"{self.cron!r} is not five fixed fields", accepted)
        try:
            next(self.slots_after(_ANY_DAY))
        except ValueError as error:
            raise self._wrong("cron", f"{self.cron!r} never fires", accepted) from error

    def _check_policies(self) -> None:
        if self.misfire not in get_args(Misfire):
            raise self._wrong("misfire", f"unknown policy {self.misfire!r}", _listed(Misfire))
        if self.overlap not in get_args(Overlap):
            raise self._wrong("overlap", f"unknown policy {self.overlap!r}", _listed(Overlap))
        if self.misfire != "catch_up" and self.catch_up != 0:
            raise self._wrong("catch_up", f"{self.catch_up} beside misfire={self.misfire!r}", "0")
        if self.misfire == "catch_up" and not 1 <= self.catch_up <= MOST_CATCH_UP:
            raise self._wrong("catch_up", f"{self.catch_up} slots", f"1..{MOST_CATCH_UP}")

    def _check_jitter(self) -> None:
        if self.jitter_s == 0:
            return
        slots = islice(self.slots_after(_ANY_DAY), _SAMPLE)
        period_s = int(min(later - slot for slot, later in pairwise(slots)).total_seconds())
        # With a longer jitter, a slot's job could start after the job of the next slot.
        if not 0 <= self.jitter_s <= period_s:
            raise self._wrong("jitter_s", f"{self.jitter_s} s", f"0..{period_s}, its period")

    def _wrong(self, field: str, problem: str, accepted: str) -> InvalidInputError:
        return InvalidInputError(f"entry[{self.name!r}].{field}", problem, accepted)


def _listed(choice: object) -> str:
    return ", ".join(get_args(choice))

"""A look at the clock fires what the misfire policy says: nothing twice, nothing from before."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.schedules.due import MOST_MISSED, DueSlots, due_slots, grace, jitter, next_slot, plan
from afterword.schedules.entry import CronEntry

LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
NOON = datetime(2026, 6, 15, 12, tzinfo=UTC)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
ZONES = ("UTC", "Europe/Berlin", "America/New_York")
SCHEDULES = ("*/30 * * * *", "7,41 * * * *", "30 2 * * *", "*/20 1-3 * * *", "0 6 1,l * mon")


def entry(cron: str = "*/10 * * * *", **fields: Any) -> CronEntry:
    return CronEntry("facts.consolidate", cron, job="consolidate_facts", **fields)


def every_slot(cron: str, zone: str = "UTC") -> CronEntry:
    return entry(cron, misfire="catch_up", catch_up=1_000, timezone=zone)


def at(*instants: str) -> tuple[datetime, ...]:
    return tuple(datetime.fromisoformat(f"{instant}Z") for instant in instants)


def look_at(
    entry: CronEntry, *looks: datetime, last: datetime | None = None, since: datetime = LONG_AGO
) -> list[datetime]:
    """Look at each time in turn, as a dispatcher does; return all that fired."""
    fired: list[datetime] = []
    for now in looks:
        due = due_slots(entry, last, now, since)
        fired += due.fire
        last = due.last_slot
    return fired


# --- one look -----------------------------------------------------------------------------------


def test_a_slot_fires_at_its_instant_and_not_a_moment_before() -> None:
    eleven_fifty = NOON - 10 * MINUTE
    tick = timedelta(microseconds=1)

    assert due_slots(entry(), eleven_fifty, NOON - tick, LONG_AGO) == DueSlots((), 0, eleven_fifty)
    assert due_slots(entry(), eleven_fifty, NOON, LONG_AGO) == DueSlots((NOON,), 0, NOON)


def test_a_new_entry_never_fires_for_the_past() -> None:
    assert due_slots(entry(), None, NOON + MINUTE, since=NOON) == DueSlots((), 0, None)
    assert due_slots(entry(), None, NOON + 11 * MINUTE, since=NOON).fire == (NOON + 10 * MINUTE,)


def test_an_entry_rewritten_during_an_outage_owes_nothing_from_before() -> None:
    due = due_slots(
        entry(misfire="catch_up", catch_up=9), NOON - DAY, NOON, since=NOON - 15 * MINUTE
    )

    assert due == DueSlots((NOON - 10 * MINUTE, NOON), 0, NOON)


@pytest.mark.parametrize(
    ("back_at", "fields", "fire", "missed"),
    [
        ("2026-03-04T01:00", {"misfire": "once"}, ["2026-03-04T00:00"], 11),
        ("2026-03-04T01:00", {"misfire": "skip"}, [], 12),
        ("2026-03-04T00:09", {"misfire": "skip"}, ["2026-03-04T00:00"], 11),
        (
            "2026-03-04T01:00",
            {"misfire": "catch_up", "catch_up": 3},
            ["2026-03-03T12:00", "2026-03-03T18:00", "2026-03-04T00:00"],
            9,
        ),
    ],
)
def test_after_three_days_away_each_policy_fires_its_own_slots(
    back_at: str, fields: dict[str, Any], fire: list[str], missed: int
) -> None:
    (last, now) = at("2026-03-01T00:00", back_at)

    due = due_slots(entry("0 */6 * * *", **fields), last, now, LONG_AGO)

    assert due == DueSlots(at(*fire), missed, at("2026-03-04T00:00")[0])


def test_slots_given_up_are_not_found_again() -> None:
    nightly = entry("30 3 * * *", misfire="skip")

    first = due_slots(nightly, None, NOON, since=NOON - 2 * DAY)
    second = due_slots(nightly, first.last_slot, NOON + MINUTE, since=NOON - 2 * DAY)

    assert (first.missed, second) == (2, DueSlots((), 0, first.last_slot))


def test_a_stale_slot_is_one_nearer_to_its_successor_or_older_than_ten_minutes() -> None:
    assert grace(entry("* * * * *"), NOON) == timedelta(seconds=30)
    assert grace(entry("*/10 * * * *"), NOON) == 5 * MINUTE
    assert grace(entry("0 12 * * *"), NOON) == 10 * MINUTE


def test_a_long_outage_of_a_frequent_entry_is_counted_only_so_far() -> None:
    minutely = entry("* * * * *")

    assert due_slots(minutely, NOON - 15 * HOUR, NOON, LONG_AGO) == DueSlots((NOON,), 899, NOON)
    assert due_slots(minutely, NOON - 7 * DAY, NOON, LONG_AGO) == DueSlots(
        (NOON,), MOST_MISSED, NOON
    )


# --- the calendar -------------------------------------------------------------------------------


def test_the_29th_of_february_comes_in_leap_years_only() -> None:
    leap_day = entry("0 0 29 2 *")

    assert next_slot(leap_day, NOON) == datetime(2028, 2, 29, tzinfo=UTC)
    assert next_slot(leap_day, datetime(2097, 1, 1, tzinfo=UTC)).year == 2104


@pytest.mark.parametrize(
    ("cron", "days"),
    [
        ("0 0 31 * *", ["01-31", "03-31", "05-31"]),
        ("0 0 30 * *", ["01-30", "03-30", "04-30", "05-30"]),
        ("0 0 l * *", ["01-31", "02-28", "03-31", "04-30", "05-31"]),
    ],
)
def test_month_ends_are_those_of_each_month(cron: str, days: list[str]) -> None:
    (january, june) = at("2026-01-01T12:00", "2026-06-01T00:00")

    assert due_slots(every_slot(cron), None, june, january).fire == at(
        *(f"2026-{day}T00:00" for day in days)
    )


@pytest.mark.parametrize(
    ("cron", "zone", "day", "slots"),
    [
        ("30 2 * * *", "Europe/Berlin", "2026-03-29", ["01:00"]),  # 03:00 there
        ("30 2 * * *", "America/New_York", "2026-03-08", ["07:00"]),  # 03:00 there
        ("30 2 * * *", "Europe/Berlin", "2026-10-25", ["00:30"]),  # the first 02:30
        ("30 1 * * *", "America/New_York", "2026-11-01", ["05:30"]),  # the first 01:30
        ("30 2 * * *", "America/New_York", "2026-11-01", ["07:30"]),  # the only 02:30
        ("*/30 2 * * *", "Europe/Berlin", "2026-03-29", ["01:00"]),
        ("0 * * * *", "Europe/Berlin", "2026-03-29", [f"{hour:02}:00" for hour in range(24)]),
        ("0 * * * *", "Europe/Berlin", "2026-10-25", [f"{hour:02}:00" for hour in range(24)]),
    ],
)
def test_looking_through_a_clock_change_fires_each_slot_once(
    cron: str, zone: str, day: str, slots: list[str]
) -> None:
    (midnight,) = at(f"{day}T00:00")
    local = entry(cron, timezone=zone)
    looks = [midnight + n * MINUTE for n in range(24 * 60)]

    assert look_at(local, *looks, last=midnight - MINUTE) == list(
        at(*(f"{day}T{slot}" for slot in slots))
    )


# --- the clock of the machine -------------------------------------------------------------------


def test_a_clock_two_hours_back_fires_nothing_until_it_has_caught_up() -> None:
    looks = [NOON, NOON - 2 * HOUR, NOON - HOUR, NOON, NOON + 10 * MINUTE]

    assert look_at(entry(), *looks, last=NOON - MINUTE) == [NOON, NOON + 10 * MINUTE]


def test_a_clock_two_hours_ahead_fires_once_and_goes_on_from_there() -> None:
    looks = [NOON, NOON + 2 * HOUR, NOON + 10 * MINUTE, NOON + 2 * HOUR + 10 * MINUTE]

    assert look_at(entry(), *looks, last=NOON - MINUTE) == [
        NOON,
        NOON + 2 * HOUR,
        NOON + 2 * HOUR + 10 * MINUTE,
    ]


def test_a_planned_entry_is_looked_at_when_its_next_slot_comes() -> None:
    planned = plan(entry(), NOON)

    assert planned.next_slot == NOON + 10 * MINUTE
    assert not planned.is_due(NOON + 9 * MINUTE)
    assert planned.is_due(NOON + 10 * MINUTE)


# --- laws ---------------------------------------------------------------------------------------

# Whole weeks around the clock changes of 2026 in the zones above.
instants = st.sampled_from(at("2026-03-05T00:00", "2026-03-26T00:00", "2026-10-22T00:00")).flatmap(
    lambda start: st.timedeltas(timedelta(0), 14 * DAY).map(lambda later: start + later)
)
anywhere = st.builds(every_slot, st.sampled_from(SCHEDULES), st.sampled_from(ZONES))


@given(anywhere, instants, st.lists(st.timedeltas(timedelta(0), DAY), min_size=1, max_size=5))
def test_many_looks_fire_what_one_look_fires(
    local: CronEntry, start: datetime, steps: list[timedelta]
) -> None:
    looks = [start + sum(steps[:n], timedelta(0)) for n in range(len(steps) + 1)]

    assert look_at(local, *looks, last=start) == look_at(local, looks[-1], last=start)


@given(anywhere, instants, st.timedeltas(timedelta(0), 5 * DAY))
def test_slots_ascend_after_the_last_one_and_up_to_now(
    local: CronEntry, last: datetime, away: timedelta
) -> None:
    slots = due_slots(local, last, last + away, LONG_AGO).fire

    assert all(last < slot <= last + away for slot in slots)
    assert all(earlier < later for earlier, later in pairwise(slots))


@given(anywhere, instants)
def test_nothing_is_due_before_the_next_slot_and_it_alone_then(
    local: CronEntry, now: datetime
) -> None:
    coming = next_slot(local, now)

    assert due_slots(local, now, coming - timedelta(microseconds=1), LONG_AGO).fire == ()
    assert due_slots(local, now, coming, LONG_AGO).fire == (coming,)


@given(anywhere, instants, st.lists(st.timedeltas(-2 * HOUR, 3 * HOUR), max_size=8))
def test_no_slot_fires_twice_however_the_clock_steps(
    local: CronEntry, start: datetime, steps: list[timedelta]
) -> None:
    looks = [start + sum(steps[:n], timedelta(0)) for n in range(len(steps) + 1)]

    fired = look_at(local, *looks, last=start)

    assert fired == look_at(local, max(looks), last=start)


@given(anywhere, instants, st.lists(st.timedeltas(-2 * HOUR, 3 * HOUR), max_size=8))
def test_a_plan_spares_looks_and_loses_no_slot(
    local: CronEntry, start: datetime, steps: list[timedelta]
) -> None:
    looks = [start + sum(steps[:n], timedelta(0)) for n in range(len(steps) + 1)]
    planned, needed = plan(local, start), []
    for now in looks:
        if planned.is_due(now):
            needed.append(now)
            planned = plan(local, now)

    assert look_at(local, *needed, last=start) == look_at(local, *looks, last=start)


@given(instants, st.uuids().map(str))
def test_jitter_keeps_slots_in_order(slot: datetime, instance_id: str) -> None:
    delay = jitter(entry(jitter_s=600), slot, instance_id)

    assert timedelta(0) <= delay < 10 * MINUTE


def test_jitter_is_the_same_for_every_dispatcher_and_spreads_installations() -> None:
    spread = entry(jitter_s=60)

    # A changed value means that dispatchers of two releases no longer agree.
    assert jitter(spread, NOON, "one") == timedelta(seconds=24, microseconds=941329)
    assert len({jitter(spread, NOON, str(n)) for n in range(100)}) == 100
    assert len({jitter(spread, NOON + n * HOUR, "one") for n in range(100)}) == 100


def test_an_entry_without_jitter_starts_on_its_slot() -> None:
    assert jitter(entry(), NOON, "one") == timedelta(0)

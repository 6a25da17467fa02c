"""A line of the cron table says what it means, or is refused before anything runs."""

from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.errors import InvalidInputError
from afterword.schedules.entry import MOST_CATCH_UP, CronEntry

NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)
ZONES = ("UTC", "Europe/Berlin", "Europe/Dublin", "America/New_York", "America/Santiago")


def entry(cron: str = "*/10 * * * *", **fields: Any) -> CronEntry:
    return CronEntry(
        **{"name": "facts.consolidate", "cron": cron, "job": "consolidate_facts"} | fields
    )


def test_an_entry_needs_only_a_name_a_schedule_and_a_job() -> None:
    plain = CronEntry("facts.consolidate", "*/10 * * * *", job="consolidate_facts")

    assert (plain.misfire, plain.overlap, plain.timezone) == ("once", "allow", "UTC")
    assert (plain.catch_up, plain.jitter_s) == (0, 0)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", "consolidate"),
        ("name", "Facts.consolidate"),
        ("name", "facts.consolidate.all"),
        ("name", "facts.consolidate\n"),
        ("job", "consolidate"),
        ("job", "facts.consolidate"),
        ("timezone", "Europe/Berlinn"),
        ("timezone", "Europe"),
        ("timezone", "../Berlin"),
        ("timezone", ""),
        ("misfire", "twice"),
        ("overlap", "queue"),
        ("catch_up", 3),
        ("jitter_s", -1),
        ("jitter_s", 601),
    ],
)
def test_a_bad_field_is_refused_by_entry_and_field(field: str, value: Any) -> None:
    with pytest.raises(InvalidInputError) as refused:
        entry(**{field: value})

    name = value if field == "name" else "facts.consolidate"
    assert refused.value.field == f"entry[{name!r}].{field}"
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "cron",
    [
        "",
        "* * * *",
        "* * * * * *",
        "@daily",
        "60 * * * *",
        "* 24 * * *",
        "* * 0 * *",
        "*/0 * * * *",
        "a * * * *",
        "R * * * *",
        "H * * * *",
        "0 0 30 2 *",
        "0 0 31 4,6 *",
    ],
)
def test_a_schedule_that_is_malformed_random_or_never_fires_is_refused(cron: str) -> None:
    with pytest.raises(InvalidInputError, match=r"entry\['facts\.consolidate'\]\.cron"):
        entry(cron)


@given(
    st.lists(st.text("0123456789*/-,#?lwhrjanmo", min_size=1, max_size=5), min_size=5, max_size=5)
)
def test_any_five_words_are_a_schedule_or_a_refusal(words: list[str]) -> None:
    try:
        found = entry(" ".join(words))
    except InvalidInputError:
        return
    assert next(found.slots_after(NEW_YEAR)) > NEW_YEAR


@pytest.mark.parametrize("count", [-1, 0, MOST_CATCH_UP + 1])
def test_catching_up_needs_a_count_within_bounds(count: int) -> None:
    with pytest.raises(InvalidInputError, match="catch_up"):
        entry(misfire="catch_up", catch_up=count)


def test_jitter_may_be_as_long_as_the_shortest_period_and_no_longer() -> None:
    assert entry("0,50 * * * *", jitter_s=600).jitter_s == 600
    with pytest.raises(InvalidInputError, match=r"0\.\.600"):
        entry("0,50 * * * *", jitter_s=601)


def test_slots_that_may_overlap_have_a_key_each_and_others_share_one() -> None:
    first, second = islice(entry().slots_after(NEW_YEAR), 2)

    assert entry(overlap="skip").job_key(first) == entry(overlap="skip").job_key(second)
    assert entry().job_key(first) == "facts.consolidate@2026-01-01T00:10:00.000000Z"
    assert entry().job_key(first) != entry().job_key(second)


@given(st.sampled_from(ZONES), st.integers(0, 23), st.integers(0, 59))
def test_a_daily_entry_fires_once_on_every_date_of_its_zone(
    zone: str, hour: int, minute: int
) -> None:
    daily = entry(f"{minute} {hour} * * *", timezone=zone)

    slots = islice(daily.slots_after(NEW_YEAR - timedelta(days=1)), 366)
    days = [slot.astimezone(ZoneInfo(zone)).date() for slot in slots]

    assert days == [days[0] + timedelta(days=n) for n in range(366)]


@pytest.mark.parametrize("zone", ZONES)
def test_an_hourly_entry_fires_in_every_real_hour_of_the_year(zone: str) -> None:
    hourly = entry("30 * * * *", timezone=zone)

    slots = list(islice(hourly.slots_after(NEW_YEAR), 365 * 24))

    assert slots == [slots[0] + timedelta(hours=n) for n in range(365 * 24)]

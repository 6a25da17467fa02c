"""The fast way to read a moment says what `strptime` says."""

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from afterword.pipeline.rules.tabular.moments import placed, read_moment

PATTERNS = (
    "%Y-%m-%d %H:%M:%S",
    "%y-%m-%d %H:%M:%S",
    "%d/%m/%Y - %H:%M:%S",
    "%H:%M %Y-%m-%d",
    "%Y-%m-%d",
    "%m.%d.%y %H:%M",
)
ZONES = (UTC, timezone(timedelta(hours=-5, minutes=-30)), ZoneInfo("Europe/Amsterdam"))


at = datetime.fromisoformat


def slowly(text: str, pattern: str, zone) -> datetime | None:
    try:
        return placed(datetime.strptime(text, pattern), zone)  # noqa: DTZ007 - placed
    except (ValueError, OverflowError):
        return None


@given(
    st.datetimes(at("1970-01-02"), at("2068-12-30")),
    st.sampled_from(PATTERNS),
    st.sampled_from(ZONES),
    st.integers(0, 18),
    st.sampled_from("0123456789-:/ .WTx٣"),
    st.booleans(),
)
@example(at("1999-01-01"), "%y-%m-%d %H:%M:%S", UTC, 0, "0", False)
@example(at("2024-01-01"), "%Y-%m-%d %H:%M:%S", UTC, 5, "W", True)
def test_it_says_what_strptime_says_also_of_damaged_texts(
    moment, pattern, zone, place, other, damage
):
    text = moment.strftime(pattern)
    if damage:
        text = text[:place] + other + text[place + 1 :]
        if not text.isascii():  # strptime takes digits of all scripts
            assert read_moment(text, "%Y-%m-%dT%H:%M:%S", zone) is None
            return

    assert read_moment(text, pattern, zone) == slowly(text, pattern, zone)


@pytest.mark.parametrize(
    "text", ["2024-02-30 10:00:00", "2024-01-01 24:00:00", "2024-01-01 10:00+01", "", "24-01-01"]
)
def test_what_is_no_moment_is_none(text):
    assert read_moment(text, "%Y-%m-%d %H:%M:%S", UTC) is None


def test_a_fixed_zone_is_taken_off():
    east = timezone(timedelta(hours=8))

    found = read_moment("26-03-17 09:34:12", "%y-%m-%d %H:%M:%S", east)

    assert found == datetime(2026, 3, 17, 1, 34, 12, tzinfo=UTC)
    assert found.tzinfo is UTC

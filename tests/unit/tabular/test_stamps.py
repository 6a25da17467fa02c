"""Moments in the forms that programs write; what has two meanings is never guessed."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.rules.tabular.moments import read_moment, read_zone
from afterword.pipeline.rules.tabular.stamps import (
    is_skipped,
    orders_of,
    read_epoch,
    read_stamp,
    says_zone,
)
from afterword.pipeline.rules.tabular.timing import timing_of

FIRST, LAST = datetime.fromisoformat("1970-01-01"), datetime.fromisoformat("2068-01-01")
NEW_YORK = read_zone("America/New_York")


@pytest.mark.parametrize(
    ("text", "order", "moment"),
    [
        ("2024-03-05", "ymd", "2024-03-05"),
        ("20240305", "ymd", "2024-03-05"),
        ("2024-03-05T10:11:12Z", "ymd", "2024-03-05T10:11:12"),
        ("2024-03-05 10:11:12.345678901", "ymd", "2024-03-05T10:11:12.345678"),
        ("2024-03-05T10:11:12+02:00", "ymd", "2024-03-05T08:11:12"),
        ("2024-03-05 10:11:12 +0200", "ymd", "2024-03-05T08:11:12"),
        ("2024/03/05 10:11", "ymd", "2024-03-05T10:11"),
        ("2024.03.05,10:11", "ymd", "2024-03-05T10:11"),
        ("20240305;101112", "ymd", None),
        ("05.03.2024 10:11:12", "dmy", "2024-03-05T10:11:12"),
        ("05/03/2024 - 10:11:12", "dmy", "2024-03-05T10:11:12"),
        ("3/5/2024 1:05 PM", "mdy", "2024-03-05T13:05"),
        ("3/5/24, 12:05 AM", "mdy", "2024-03-05T00:05"),
        ("26-03-17 10:11:12", "ymd", "2026-03-17T10:11:12"),
        ("05 Mar 2024 10:11", "dmy", "2024-03-05T10:11"),
        ("Mar 5, 2024, 10:11 am", "dmy", "2024-03-05T10:11"),
        ("2017-01-03T17:45:30 America/New_York", "ymd", "2017-01-03T22:45:30"),
        ("2017-07-03T17:45:30 [America/New_York]", "ymd", "2017-07-03T21:45:30"),
        ("2024-03-05 10:00:00 UTC+8", "ymd", "2024-03-05T02:00"),
        ("2024-03-05 10:00:00 UTC--6", "ymd", "2024-03-05T16:00"),
        ("2024-03-05 10:00:00 EDT", "ymd", None),  # EDT alone is no zone of the database
        ("2024-02-30", "ymd", None),
        ("2024-03-05 25:00", "ymd", None),
        ("2024-03-05 13:00 PM", "ymd", None),
        ("05.13.2024", "dmy", None),
        ("010.09.2024", "dmy", None),
    ],
)
def test_a_moment_is_read_in_its_order(text, order, moment):
    wanted = None if moment is None else datetime.fromisoformat(moment).replace(tzinfo=UTC)

    assert read_stamp(text, order, UTC) == wanted


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("2024-03-05", {"ymd"}),
        ("03/05/2024", {"dmy", "mdy"}),
        ("13/05/2024", {"dmy"}),
        ("05/13/2024", {"mdy"}),
        ("05.03.2024", {"dmy"}),
        ("03/05/24", {"dmy", "mdy", "ymd"}),
        ("26-03-17", {"ymd", "dmy"}),
        ("Mar 5, 2024", {"dmy"}),
        ("1709632800", set()),
        ("", set()),
    ],
)
def test_the_orders_a_text_allows(text, orders):
    assert orders_of(text) == orders


@pytest.mark.parametrize(
    ("text", "unit", "moment"),
    [
        ("1709632800", None, "2024-03-05T10:00"),
        ("1709632800000", None, "2024-03-05T10:00"),
        ("1709632800000000", None, "2024-03-05T10:00"),
        ("1709632800.25", None, "2024-03-05T10:00:00.250"),
        ("1709632800000.0", None, "2024-03-05T10:00"),
        ("86400", "s", "1970-01-02"),
        ("86400", None, None),
        ("20240305", None, None),
        ("-1709632800", None, None),
        ("1709632800000", "s", None),  # after the year 9999
        ("1.7e9", None, None),
    ],
)
def test_numbers_since_1970_are_read_by_their_unit_or_their_digits(text, unit, moment):
    wanted = None if moment is None else datetime.fromisoformat(moment).replace(tzinfo=UTC)

    assert read_epoch(text, unit) == wanted


def test_a_time_that_clocks_skipped_is_none_and_one_shown_twice_is_the_first():
    assert read_stamp("2024-03-10 02:30", "ymd", NEW_YORK) is None
    assert is_skipped("2024-03-10 02:30", "ymd", NEW_YORK)
    assert not is_skipped("2024-03-10 03:30", "ymd", NEW_YORK)
    twice = datetime(2024, 11, 3, 5, 30, tzinfo=UTC)
    assert read_stamp("2024-11-03 01:30", "ymd", NEW_YORK) == twice
    assert read_moment("2024-11-03 01:30", "%Y-%m-%d %H:%M", NEW_YORK) == twice
    assert read_moment("2024-03-10 02:30", "%Y-%m-%d %H:%M", NEW_YORK) is None


def test_without_any_zone_there_is_no_moment():
    assert read_stamp("2024-03-05 10:00", "ymd", None) is None
    assert says_zone("2024-03-05 10:00Z") and not says_zone("2024-03-05 10:00")


def test_the_form_of_a_column_is_found_by_all_of_it_and_no_more_than_is_needed():
    def texts():
        yield from ["", "03/05/2024 10:00", "x", "12/31/2024 10:00"]
        raise AssertionError("it was certain before")

    assert timing_of(texts()).orders == {"mdy"}
    assert timing_of(["03/05/2024"]).is_unclear
    assert timing_of(["1709632800"]).epoch
    assert timing_of(["x"]).orders == frozenset()
    assert timing_of([]).orders == frozenset()


@given(st.datetimes(FIRST, LAST), st.sampled_from("-/."))
def test_a_moment_is_read_back_in_every_order(moment, mark):
    moment = moment.replace(microsecond=0)
    for order, pattern in (("ymd", "%Y-%m-%d"), ("dmy", "%d-%m-%Y"), ("mdy", "%m-%d-%Y")):
        if (mark, order) == (".", "mdy"):
            continue
        text = moment.strftime(pattern.replace("-", mark) + " %H:%M:%S")
        assert read_stamp(text, order, UTC) == moment.replace(tzinfo=UTC)

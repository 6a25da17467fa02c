"""Accepted moments work with every calendar, zone and span."""

from datetime import UTC, datetime

import pytest

from afterword.pipeline.clock import EARLIEST, LATEST, checked_moment
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.errors import InvalidInputError


@pytest.mark.parametrize(
    "text",
    [
        "0001-01-01T00:00:00+14:00",  # in UTC that is before the first year there is
        "9999-12-31T23:59:59-12:00",
        "1899-12-31T23:59:59Z",
        "3000-01-01T00:00:00Z",
        "2026-01-05T00:00:00",
        "2026-01-05",
        "soon",
    ],
)
def test_a_moment_nobody_can_work_with_is_refused_by_name(text: str):
    with pytest.raises(
        InvalidInputError, match=r"^since: .*; accepted: (a moment with|date, time)"
    ):
        read_moment(text, "since")


def test_the_bounds_are_moments_that_can_be_written_in_any_zone():
    for text in ("1900-01-01T00:00:00Z", "2999-12-31T23:59:59.999999Z", "2026-01-05T00:00+14:00"):
        found = read_moment(text, "since")
        assert found is not None
        assert EARLIEST <= found < LATEST
    assert checked_moment(datetime(2026, 1, 5, tzinfo=UTC), "since").year == 2026

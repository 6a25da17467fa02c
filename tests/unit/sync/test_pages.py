"""Whatever the size of a page and wherever its edge falls, every row is read once."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.domain.sync.pages import VenuePage, VenueRow, read_pages
from afterword.pipeline.gateway.http.model import AskFailedError


def row(time: int, tid: int) -> VenueRow:
    return {"time": time, "tid": tid}


def tid_of(row: VenueRow) -> Any:
    return row["tid"]


def venue(rows: Sequence[VenueRow], most: int) -> Callable[[int, int], list[VenueRow]]:
    """Return a venue that answers with the oldest rows of a span, as the real one does."""

    def ask(start_ms: int, end_ms: int) -> list[VenueRow]:
        return [row for row in rows if start_ms <= row["time"] <= end_ms][:most]

    return ask


def read(rows: Sequence[VenueRow], most: int, start: int = 0, end: int = 100) -> list[VenuePage]:
    return list(read_pages(venue(rows, most), start, end, most, tid_of))


def rows_of(pages: Sequence[VenuePage]) -> list[VenueRow]:
    return [row for page in pages for row in page.rows]


moments = st.lists(st.integers(0, 12), max_size=40).map(sorted)


@given(times=moments, most=st.integers(1, 9), start=st.integers(0, 12), end=st.integers(0, 12))
def test_every_row_is_read_once_or_its_moment_is_told(
    times: list[int], most: int, start: int, end: int
) -> None:
    rows = [row(time, tid) for tid, time in enumerate(times)]
    pages = read(rows, most, start, end)
    told = {page.full_at_ms for page in pages}
    got = rows_of(pages)
    assert len({tid_of(one) for one in got}) == len(got)
    missing = [one for one in rows if start <= one["time"] <= end and one not in got]
    assert {one["time"] for one in missing} <= told
    assert [one for one in rows if one in got] == got


@given(times=moments, most=st.integers(1, 9), pages_read=st.integers(0, 9))
def test_a_read_that_ends_early_goes_on_where_it_was_whole(
    times: list[int], most: int, pages_read: int
) -> None:
    rows = [row(time, tid) for tid, time in enumerate(times)]
    whole = rows_of(read(rows, most))
    first = read(rows, most)[:pages_read]
    upto = first[-1].upto_ms if first else -1
    rest = read(rows, most, upto + 1)
    names = {tid_of(one) for one in (*rows_of(first), *rows_of(rest))}
    assert names == {tid_of(one) for one in whole}


def test_a_moment_with_more_rows_than_a_page_is_told_and_passed() -> None:
    rows = [*(row(5, tid) for tid in range(7)), row(6, 7), row(7, 8)]
    pages = read(rows, 4)
    assert [page.full_at_ms for page in pages if page.full_at_ms is not None] == [5]
    assert [tid_of(one) for one in rows_of(pages)] == [0, 1, 2, 3, 7, 8]


def test_a_moment_that_just_fills_a_page_is_told_too() -> None:
    # Nobody can tell it from one with more rows.
    pages = read([row(5, tid) for tid in range(4)], 4)
    assert [page.full_at_ms for page in pages] == [None, 5, None]


def test_an_empty_span_is_one_page() -> None:
    assert read([], 4, 3, 9) == [VenuePage((), 9)]
    assert read([], 4, 9, 3) == []


def test_rows_out_of_order_are_put_in_order() -> None:
    rows = [row(3, 1), row(1, 2), row(2, 3)]
    assert [one["time"] for one in rows_of(read(rows, 9))] == [1, 2, 3]


@pytest.mark.parametrize(
    "reply",
    [
        None,
        {"error": "x"},
        "rows",
        [1],
        [{}],
        [{"time": "5"}],
        [{"time": True}],
        [{"time": 101}],
        [{"time": -1}],
    ],
)
def test_a_reply_that_is_no_page_of_the_span_is_refused(reply: Any) -> None:
    with pytest.raises(AskFailedError, match="another time"):
        list(read_pages(lambda _start, _end: reply, 0, 100, 4, tid_of))


@given(times=st.lists(st.integers(0, 40), max_size=30, unique=True).map(sorted))
def test_a_name_that_comes_again_at_another_moment_is_another_row(times: list[int]) -> None:
    rows = [row(time, tid=7) for time in times]  # as a market has a payment each hour
    assert rows_of(read(rows, 4)) == rows


@given(
    counts=st.lists(
        st.tuples(st.integers(0, 6), st.sampled_from((1, 60, 99, 100, 130, 250))), max_size=8
    ),
    most=st.sampled_from((100, 130, 250)),
)
def test_pages_that_are_smaller_than_the_venue_says_lose_nothing_untold(
    counts: list[tuple[int, int]], most: int
) -> None:
    times = sorted(time for time, rows in counts for _ in range(rows))
    rows = [row(time, tid) for tid, time in enumerate(times)]
    pages = list(read_pages(venue(rows, most), 0, 100, 2_000, tid_of))
    got = {tid_of(one) for one in rows_of(pages)}
    assert len(got) == len(rows_of(pages))
    missing = {one["time"] for one in rows if tid_of(one) not in got}
    told = {page.full_at_ms for page in pages} - {None}
    # Of the last moment nobody can tell: nothing comes after it that would prove a smaller page.
    assert missing <= {*told, *times[-1:]}
    assert all(times.count(time) >= most for time in told if time is not None)


def test_an_order_with_many_fills_in_one_moment_is_not_taken_for_a_full_page() -> None:
    rows = [row(5, tid) for tid in range(150)]
    pages = list(read_pages(venue(rows, 2_000), 0, 100, 2_000, tid_of))
    assert {page.full_at_ms for page in pages} == {None}
    assert len(rows_of(pages)) == 150

"""Spans of time, cut as a venue demands it, and read whole."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any, Final

DAY_MS: Final = 86_400_000

AskSpan = Callable[[int, int], Sequence[Mapping[str, Any]]]
"""Asks for the rows from one moment to another, both included; UTC milliseconds."""


def spans(start_ms: int, end_ms: int, longest_ms: int) -> Iterator[tuple[int, int]]:
    """Yield spans, the oldest first, that cover a time; the end of one is the start of the next.

    Args:
        start_ms, end_ms: both included; UTC milliseconds.
        longest_ms: of one span; milliseconds.
    """
    while start_ms + longest_ms < end_ms:
        yield start_ms, start_ms + longest_ms
        start_ms += longest_ms
    yield start_ms, end_ms


def read_span(
    ask: AskSpan,
    start_ms: int,
    end_ms: int,
    page_rows: int,
    time_of: Callable[[Mapping[str, Any]], int],
    name_of: Callable[[Mapping[str, Any]], int | tuple[str, ...]],
) -> tuple[list[Mapping[str, Any]], tuple[int, ...]]:
    """Return all rows of a span, each once, and the moments that fill a page.

    A full page holds the oldest rows of its span, or the newest: not every venue says which. So
    both sides are asked again, each with the moment that it ends with, until no page is full.

    Args:
        page_rows: rows of a full page; count.
        name_of: what identifies a row; of equal moments the smaller name is the older row.

    Returns:
        The rows by time; and the moments with more rows than a page holds, so that some of them
        are missing.
    """
    rows: dict[Hashable, Mapping[str, Any]] = {}
    full_ms: list[int] = []
    todo = [(start_ms, end_ms)]
    while todo:
        first, last = todo.pop()
        page = ask(first, last)
        rows.update((name_of(row), row) for row in page)
        moments = [time_of(row) for row in page if first <= time_of(row) <= last]
        if len(page) < page_rows or not moments:
            continue
        oldest, newest = min(moments), max(moments)
        if oldest == newest:
            full_ms.append(oldest)
            oldest, newest = oldest - 1, newest + 1
        todo += [(newest, last)] if newest <= last else []
        todo += [(first, oldest)] if first <= oldest else []
    by_age = sorted(rows.values(), key=lambda row: (time_of(row), name_of(row)))
    return by_age, tuple(sorted(full_ms))

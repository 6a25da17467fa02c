"""The bar cache answers what a statement of its own would answer, at every moment."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import event

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.prices import bar_cache, rows
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.domain.prices.keep import keep_bars
from afterword.pipeline.domain.prices.rows import LATEST_US, VisibleRevisions
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.rules.market.bars import Bar

HOUR = timedelta(hours=1)
START = datetime(2026, 1, 1, tzinfo=UTC)
SOL, ETH = Series("file", "SOLUSDT", HOUR), Series("file", "ETHUSDT", HOUR)
LATER = START + 1000 * HOUR


def a_bar(place: int, close: object = 100) -> Bar:
    price = Decimal(str(close))
    return Bar(START + place * HOUR, HOUR, price, price, price, price, Decimal(1))


class Uncached:
    """The same reads, each by its own statement."""

    def __init__(self, conn, as_of):
        self.conn, self.as_of = conn, LATEST_US if as_of is None else to_micros(as_of)

    def bars(self, series, start, end, known_by):
        return rows.bars_between(*self._of(series), start - HOUR, end - HOUR, self._sight(known_by))

    def close_at(self, series, moment, known_by):
        return rows.last_bar(*self._of(series), moment - HOUR, self._sight(known_by))

    def next_close(self, series, moment, known_by):
        until = known_by - HOUR
        return rows.first_bar_after(*self._of(series), moment - HOUR, until, self._sight(known_by))

    def _of(self, series):
        return self.conn, rows.series_id(self.conn, series) or -1, series

    def _sight(self, known_by):
        return VisibleRevisions(min(to_micros(known_by), self.as_of), self.as_of)


moments = st.integers(0, 60 * 60).map(lambda minutes: START + timedelta(minutes=minutes))
reads = st.lists(
    st.tuples(
        st.sampled_from(["bars", "close_at", "next_close"]),
        st.sampled_from([SOL, ETH]),
        moments,
        moments,
        st.integers(0, 60),
    ),
    min_size=1,
    max_size=15,
)
imports = st.lists(
    st.tuples(
        st.sampled_from([SOL, ETH]),
        st.sets(st.integers(0, 50), min_size=1, max_size=30),
        st.integers(90, 110),
        st.integers(0, 40),
    ),
    min_size=1,
    max_size=5,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
@given(
    imports=imports, asked=reads, as_of=st.none() | st.integers(0, 120), most=st.integers(1, 200)
)
def test_the_cache_answers_what_each_statement_answers(
    store, clock, monkeypatch, imports, asked, as_of, most
):
    """Bars brought in and revised at any moments, read in any order, with room for few."""
    monkeypatch.setattr(bar_cache, "CACHED_BARS", most)
    with writing(store) as conn:
        conn.exec_driver_sql("DELETE FROM price_series")
    clock.set(START + 51 * HOUR)
    for series, places, close, hours in imports:
        keep_bars(store, series, [a_bar(place, close) for place in sorted(places)], clock)
        clock.advance(hours=hours)

    at = None if as_of is None else START + as_of * HOUR
    with reading(store) as conn:
        reader, uncached = StoredPrices(conn, at), Uncached(conn, at)
        for series in (SOL, ETH):  # from here on single bars are looked for in the cache
            reader.bars(series, START + 15 * HOUR, START + 40 * HOUR, LATER)
        for read, series, one, other, more in asked:
            start, end = min(one, other), max(one, other)
            known_by = end + more * HOUR
            args = (*([start] if read == "bars" else []), end, known_by)
            assert getattr(reader, read)(series, *args) == getattr(uncached, read)(series, *args)


@pytest.fixture
def kept(store, clock):
    clock.set(LATER)
    keep_bars(store, SOL, [a_bar(place) for place in range(400)], clock)
    return store


def statements(conn):
    """Return a list that grows by each statement about prices."""
    sent = []
    event.listen(
        conn.engine,
        "before_cursor_execute",
        lambda *given: sent.append(given[2]) if "FROM prices" in given[2] else None,
    )
    return sent


def test_neighbouring_decisions_read_each_bar_once(kept):
    with reading(kept) as conn:
        sent, reader = statements(conn), StoredPrices(conn)
        for place in range(200, 300):
            at = START + place * HOUR
            assert len(reader.bars(SOL, at - 168 * HOUR, at, at)) == 169
            assert reader.close_at(SOL, at + 24 * HOUR, LATER).close == 100
            assert reader.next_close(SOL, at + 24 * HOUR, LATER).t_open == at + 24 * HOUR

    assert len(sent) <= 201  # before: 300
    assert sum("revision = 1" in one for one in sent) == len(sent)


def test_a_new_read_sees_a_revision_and_an_open_one_does_not(kept, clock):
    at = START + 10 * HOUR
    with reading(kept) as conn:
        reader = StoredPrices(conn)
        before = reader.bars(SOL, START, at, LATER + HOUR)
        clock.advance(minutes=1)
        assert keep_bars(kept, SOL, [a_bar(3, 50)], clock).bars_revised == 1
        assert reader.bars(SOL, START, at, LATER + HOUR) == before
    with reading(kept) as conn:
        now, then = StoredPrices(conn), StoredPrices(conn, LATER)
        for reader, close in ((now, 50), (then, 100), (now, 50)):
            seen = reader.bars(SOL, START, at, clock())
            assert (len(seen), seen[3].close) == (10, close)
        # The same reader, asked by one who could not know it yet.
        assert now.bars(SOL, START, at, LATER)[3].close == 100
        assert now.bars(SOL, START, at, clock())[3].close == 50


def test_a_reader_holds_no_more_than_its_bound(kept, monkeypatch):
    monkeypatch.setattr(bar_cache, "CACHED_BARS", 200)
    with reading(kept) as conn:
        bars = bar_cache.BarCache(conn, LATEST_US)
        kept_as = rows.series_id(conn, SOL)
        for place in range(150, 390):
            at = START + place * HOUR
            first, last = to_micros(at - 100 * HOUR), to_micros(at)
            stretch = bars.from_to(kept_as, HOUR, first, last)
            assert len(stretch.between(first, last)) == 101
            assert len(stretch.bars) <= 200

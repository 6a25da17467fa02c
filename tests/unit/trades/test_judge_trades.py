"""A kept account is judged when it has grown by half; what stood at a moment stays readable."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from random import Random

import pytest
from sqlalchemy import text

from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.history.import_fills import import_fills
from afterword.pipeline.domain.trades import rows
from afterword.pipeline.domain.trades.judge import judge, look
from afterword.pipeline.domain.trades.read import named
from afterword.pipeline.domain.trades.tag import list_tags, tag_trip, untag_trip
from afterword.pipeline.domain.trips.read import trips
from afterword.pipeline.errors import ConflictError, InvalidInputError, NotFoundError
from afterword.pipeline.rules.evidence.habits import FILE_LEVEL, RENEWAL_LEVEL

START = datetime(2026, 1, 5, tzinfo=UTC)


def fill(minute: int, side: str, px: float, symbol: str = "BTCUSDT", **changes) -> Fill:
    values = {
        "venue": "binance",
        "account": "me",
        "symbol": symbol,
        "kind": "perp",
        "side": side,
        "px": Decimal(f"{px:.4f}"),
        "sz": Decimal(1),
        "quote": "USDT",
        "time_ms": int(START.timestamp() * 1_000) + minute * 60_000,
        "raw": "{}",
    }
    return Fill(**values | changes)


def day_trips(first: int, count: int, *, monday: float = 0.0) -> list[Fill]:
    """Return a long of an hour each ten hours; those of a Monday end so much lower."""
    chance, found = Random(first), []
    for number in range(first, first + count):
        at = number * 600
        is_monday = (START + timedelta(minutes=at)).weekday() == 0
        end = 100 + chance.gauss(0, 1) - (monday if is_monday else 0)
        found += [fill(at, "B", 100), fill(at + 60, "A", end)]
    return found


@pytest.fixture
def kept(store, clock, ids):
    def put(fills):
        if clock() < START + timedelta(days=300):
            clock.advance(days=400)
        import_fills(store, fills, clock, ids)
        return clock()

    return put


def names(report):
    return [(one.attribute, one.value) for one in report.named]


def verdicts(store):
    with reading(store) as conn:
        return rows.verdicts(conn, None)


def test_a_kept_account_is_judged_anew_only_when_it_has_grown_by_half(store, clock, kept):
    kept(day_trips(0, 60))
    first = judge(store, clock())
    assert (first.level, first.judged_stretches, first.next_at_stretches) == (RENEWAL_LEVEL, 60, 90)

    clock.advance(days=7)
    kept(day_trips(60, 29))
    second = judge(store, clock())
    assert (second.judged_at, second.judged_stretches) == (first.judged_at, 60)
    assert second.stretches == 89  # the numbers move

    clock.advance(days=7)
    kept(day_trips(89, 1))
    third = judge(store, clock())
    assert (third.judged_at, third.judged_stretches, third.next_at_stretches) == (clock(), 90, 135)


def test_a_verdict_of_an_older_rule_does_not_stand_and_the_account_is_judged_anew(
    store, clock, kept
):
    kept(day_trips(0, 250, monday=4.0))
    judge(store, clock())
    with writing(store) as conn:
        conn.execute(text("UPDATE trade_verdicts SET rule_version = 1, named = '[{\"old\": 1}]'"))
    then = clock()
    with reading(store) as conn:
        assert (named(conn), look(conn, then).named) == ([], ())

    clock.advance(hours=1)
    report = judge(store, clock())
    assert (report.judged_at, names(report)) == (clock(), [("weekday", "Monday")])
    assert [one.known_at for one in verdicts(store)] == [clock()]


def test_between_verdicts_a_name_keeps_the_numbers_it_was_judged_by(store, clock, kept):
    kept(day_trips(0, 250, monday=4.0))
    (judged,) = judge(store, clock()).named
    clock.advance(hours=1)
    kept(day_trips(250, 60, monday=-6.0))  # the other way since
    report = judge(store, clock())
    (told,) = report.named

    assert (report.stretches, report.judged_stretches) == (310, 250)
    assert replace(told, trip_uids=judged.trip_uids) == judged
    assert len(told.trip_uids) > len(judged.trip_uids)


def test_one_look_at_a_file_keeps_no_verdict(store, clock, kept):
    kept(day_trips(0, 60))
    found = judge(store, clock(), is_kept=False)
    assert (found.level, found.next_at_stretches, verdicts(store)) == (FILE_LEVEL, None, [])


def test_what_is_named_is_read_as_it_stood_at_a_moment(store, clock, kept):
    kept(day_trips(0, 250, monday=4.0))
    before = clock()
    clock.advance(hours=1)
    report = judge(store, clock())
    then = clock()
    assert [(one.attribute, one.value) for one in report.named] == [("weekday", "Monday")]
    clock.advance(hours=1)
    with reading(store) as conn:
        assert named(conn, before) == []
        (habit,) = [one for one in named(conn, then) if one.cell is not None]
    assert (habit.judged_at, habit.account) == (then, None)
    assert habit.text.startswith("trips entered on a Monday: ")


def test_later_rows_change_no_byte_of_a_report_of_then(store, clock, kept):
    kept(day_trips(0, 100, monday=3.0))
    judge(store, clock())
    then = clock()
    with reading(store) as conn:
        before = look(conn, then)
    clock.advance(days=1)
    kept([*day_trips(100, 80), fill(30, "B", 90), fill(31, "A", 80)])  # a late page too
    judge(store, clock())
    with reading(store) as conn:
        assert look(conn, then) == before
        (first, *_) = trips(conn)
    tag_trip(store, first.trip_uid, "late", clock)
    with reading(store) as conn:
        assert look(conn, then) == before


def test_a_tag_is_given_once_taken_back_and_read_as_of_a_moment(store, clock, kept):
    kept(day_trips(0, 3))
    with reading(store) as conn:
        first, *_ = trips(conn)
    tag_trip(store, first.trip_uid[:12], "  Break Out ", clock, origin="agent")
    then = clock()
    with pytest.raises(ConflictError):
        tag_trip(store, first.trip_uid, "break out", clock)
    clock.advance(hours=1)
    untag_trip(store, first.trip_uid, "break out", clock)
    with pytest.raises(NotFoundError):
        untag_trip(store, first.trip_uid, "break out", clock)
    with reading(store) as conn:
        assert list_tags(conn) == []
        (found,) = list_tags(conn, then)
    assert (found.trip_uid, found.tag, found.origin) == (first.trip_uid, "break out", "agent")


@pytest.mark.parametrize("tag", ["", "=cmd()", "a" * 41, "two\nlines\x00"])
def test_a_text_that_is_no_tag_is_refused(store, clock, kept, tag):
    kept(day_trips(0, 1))
    with reading(store) as conn:
        (one,) = trips(conn)
    with pytest.raises(InvalidInputError):
        tag_trip(store, one.trip_uid, tag, clock)


def test_a_tag_stays_with_a_trip_whose_opening_arrives_late(store, clock, kept):
    kept([fill(10, "B", 100), fill(60, "A", 101, sz=Decimal(2))])
    with reading(store) as conn:
        (short, *_) = trips(conn)
    tag_trip(store, short.trip_uid, "plan", clock)
    clock.advance(hours=1)
    kept([fill(0, "B", 99)])  # the position began earlier, and was twice as large
    with reading(store) as conn:
        (now,) = trips(conn)
        assert now.trip_uid != short.trip_uid
        assert [(one.trip_uid, one.tag) for one in list_tags(conn)] == [(now.trip_uid, "plan")]


def test_what_was_put_in_is_what_the_first_order_was(store, kept):
    kept(
        [
            fill(0, "B", 100, oid="a"),
            fill(1, "B", 100, oid="b"),  # within a minute: one entry
            fill(9, "B", 100, oid="a"),  # the rest of the first order
            fill(30, "B", 50, oid="c"),  # added while it was losing
            fill(60, "A", 90, sz=Decimal(4)),
        ]
    )
    with reading(store) as conn:
        (found,) = trips(conn)
    assert (found.first_notional, found.notional, found.net) == (300, 350, 10)


def test_a_crumb_before_the_first_order_is_not_what_a_result_is_a_share_of(store, kept):
    """The rest of an order that turned a position: 0.1 % earned would be told as 44 %."""
    kept(
        [
            fill(0, "A", 100, oid="a"),
            fill(10, "B", 100, sz=Decimal("1.01"), oid="b"),  # turns the position: 0.01 is left
            fill(30, "B", 100, oid="c"),
            fill(45, "B", 100, sz=Decimal(2), oid="d"),  # not ten times as large: added
            fill(60, "A", 101, sz=Decimal("3.01"), oid="e"),
        ]
    )
    with reading(store) as conn:
        turned = trips(conn)[-1]
    assert (turned.first_notional, turned.notional) == (101, 301)

"""Labels are what was known at the entry; what results make is only compared among its like."""

from datetime import UTC, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

from afterword.pipeline.domain.trades.labels import labels_of
from afterword.pipeline.domain.trades.measure import measure_trips
from afterword.pipeline.domain.trades.model import TripTag
from afterword.pipeline.domain.trades.positions import positions_of
from tests.unit.trades.made_trips import HOUR, START, prices, trip

MINUTE = timedelta(minutes=1)


def labels(*trips, zone=UTC, tags=None):
    positions = positions_of(measure_trips(prices(), trips, START + 9_999 * HOUR))
    return labels_of(positions, zone, tags or {})


def tagged(of, at):
    return TripTag(trip_uid=of.trip_uid, tag="breakout", origin="owner", known_at=at)


def test_only_trips_after_a_loss_carry_the_re_entry():
    found = labels(
        trip(1, START, 1, "-1"),
        trip(2, START + 75 * MINUTE, 1, "2"),  # 15 minutes after it closed
        trip(3, START + 136 * MINUTE, 1, "-1"),  # after a win
        trip(4, START + 212 * MINUTE, 1, "1"),  # 16 minutes
    )
    assert [one.get("re-entry") for one in found] == [None, "quick", None, "slow"]
    assert [one.get("after") for one in found] == [None, "a loss", "a win", "a loss"]


def test_a_trip_that_is_still_open_has_no_result_yet():
    found = labels(trip(1, START, 10, "-1"), trip(2, START + HOUR, 1, "1"))
    assert "after" not in found[1]


def test_the_size_is_compared_with_the_earlier_trips_only():
    sizes = [trip(n, START + n * HOUR, 0.5, "1", notional=Decimal(100 + n)) for n in range(30)]
    later = trip(99, START + 50 * HOUR, 1, "1", notional=Decimal(105))
    huge = [
        trip(100 + n, START + (60 + n) * HOUR, 0.5, "1", notional=Decimal(9)) for n in range(40)
    ]
    found = labels(*sizes, later, *huge)
    assert "size" not in found[29]
    assert found[30]["size"] == "small"  # though most of all trips are smaller


def test_hours_and_weekdays_are_told_in_the_zone():
    one = trip(1, START - HOUR, 1, "1")
    assert (labels(one)[0]["hour"], labels(one)[0]["weekday"]) == ("20-24", "Sunday")
    told = labels(one, zone=ZoneInfo("Asia/Shanghai"))[0]
    assert (told["hour"], told["weekday"]) == ("04-08", "Monday")


def test_a_tag_given_after_the_entry_is_no_label_of_the_entry():
    one, other = trip(1, START, 1, "1"), trip(2, START + 5 * HOUR, 1, "1", label="breakout")
    found = labels(one, other, tags={one.trip_uid: [tagged(one, START + MINUTE)]})
    assert (found[0]["tag breakout"], found[0]["tag given later"]) == ("without", "breakout")
    assert found[1]["tag breakout"] == "with"
    early = labels(one, other, tags={one.trip_uid: [tagged(one, START)]})
    assert early[0]["tag breakout"] == "with" and "tag given later" not in early[0]


def test_lots_of_one_order_are_one_position():
    lots = [trip(n, START + n * timedelta(seconds=9), 1 + n, "-1") for n in range(4)]
    later = trip(9, START + 2 * MINUTE, 1, "5")
    found = positions_of(measure_trips(prices(), [*lots, later], START + 99 * HOUR))
    assert [(len(one.outcomes), one.net, one.put_in) for one in found] == [
        (4, -4, 400),
        (1, 5, 100),
    ]
    assert (found[0].net_result, found[0].closed_at) == (-0.01, lots[3].closed_at)

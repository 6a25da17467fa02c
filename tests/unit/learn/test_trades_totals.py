"""Sums of the page equal those of the report, and each is a plain rule of its trades."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from afterword.pipeline.operations.learn.totals import (
    MAX_MARKETS,
    MAX_MONTHS,
    by_market,
    by_time,
    excursions,
)

BEGIN = datetime(2026, 1, 31, 23, 59, tzinfo=UTC)


def test_a_month_is_that_of_the_exit_in_the_zone_of_the_reader(report, trip):
    made = report(
        trips=[
            trip(0, "1", closed_at=BEGIN),
            trip(1, "-2", closed_at=BEGIN + timedelta(minutes=1)),
            trip(2, "5", closed_at=BEGIN + timedelta(minutes=2)),
        ]
    )

    assert [(one.name, one.sums.net, one.sums.winners) for one in by_time(made.complete, UTC)] == [
        ("2026-01", 1, 1),
        ("2026-02", 3, 1),
    ]
    berlin = by_time(made.complete, ZoneInfo("Europe/Berlin"))
    assert [(one.name, one.sums.net) for one in berlin] == [("2026-02", 4)]


def test_a_day_is_in_the_same_month_for_every_reader(report, trip):
    # The first of February, as a venue in Berlin states it.
    day = trip(0, "1", closed_at=datetime(2026, 1, 31, 23, tzinfo=UTC), flags=("days_only",))
    complete = report(trips=[day]).complete
    zones = (UTC, ZoneInfo("America/New_York"), ZoneInfo("Asia/Tokyo"))

    assert [by_time(complete, zone)[0].name for zone in zones] == ["2026-02"] * 3


def test_many_months_are_shown_as_years(report, trip):
    months = [trip(n, "1", closed_at=BEGIN + timedelta(days=31 * n)) for n in range(MAX_MONTHS + 2)]
    lines = by_time(report(trips=months).complete, UTC)

    assert [one.name for one in lines] == ["2026", "2027", "2028"]
    assert sum(one.sums.trips for one in lines) == len(months)


def test_sums_of_markets_add_up_to_the_net_however_many_there_are(report, trip):
    made = report(trips=[trip(n, f"{n}.01", symbol=f"M{n % 55}") for n in range(300)])
    lines = by_market(made.complete)

    assert sum(one.sums.net for one in lines) == made.trades.sums[0].net
    assert len(lines) == MAX_MARKETS + 1 and lines[-1].name == "15 more markets"
    nets = [abs(one.sums.net) for one in lines[:-1]]
    assert nets == sorted(nets, reverse=True)


def test_incomplete_trips_are_in_no_sum(report, trip):
    made = report(trips=[trip(0, "1"), trip(1, "-90", is_incomplete=True)])

    assert [one.sums.net for one in by_time(made.complete, UTC)] == [1]


def test_only_trips_with_prices_say_how_far_the_price_went(report):
    (winners,) = excursions(report(("1", "2")).complete)

    assert (winners.name, winners.trips, winners.against, winners.favour) == (
        *("winners", 2),
        *(-0.002, 0.004),
    )

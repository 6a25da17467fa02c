"""The statistics of a report as a trader reads them, also where there is little to tell."""

from datetime import UTC, timedelta
from zoneinfo import ZoneInfo

from afterword.pipeline.views.trades.statistics import statistics_fields


def fields(report, zone=UTC):
    (sums,), (statistics,) = report.trades.sums, report.trades.statistics
    return statistics_fields(sums, statistics, zone)


def test_a_book_is_told_in_eight_lines(report):
    assert fields(report(("10", "-4", "6", "-2", "-5", "8"))) == {
        "per trip": "+2.17 USDT on average, +0.22 % of what the first orders put in",
        "profit factor": "2.18 (+24.00 won, −11.00 USDT lost)",
        "average win": "+8.00 USDT over 3 trips, the largest +10.00 USDT",
        "average loss": "−3.67 USDT over 3 trips, the largest −5.00 USDT",
        "longest streaks": "1 won, 2 lost",
        "worst drawdown": "−7.00 USDT over 2 closed trips, on 2026-01-05, made up on 2026-01-05",
        "time held": "winners 30 min, losers 30 min (medians)",
        "costs": "fees took 4.20 USDT of 6 trips, 0.07 % of what was put in and 0.70 a trip; "
        "together 24 % of the gross profit of 17.20 USDT",
    }


def test_one_winning_trip_has_no_profit_factor_and_no_fall(report):
    told = fields(report(("10",)))

    assert (told["profit factor"], told["average loss"]) == ("no losing trips", "no losing trips")
    assert told["average win"] == "+10.00 USDT over 1 trip"
    assert told["worst drawdown"] == "none: the sum of closed trips never fell"
    assert told["time held"] == "winners 30 min (medians)"


def test_one_losing_trip_lost_from_the_start_on(report):
    told = fields(report(("-10",)))

    assert told["profit factor"] == "0.00 (0.00 won, −10.00 USDT lost)"
    assert told["average win"] == "no winning trips"
    assert told["worst drawdown"] == (
        "−10.00 USDT over 1 closed trip, from the start to 2026-01-05, not made up"
    )


def test_a_trip_that_breaks_even_neither_won_nor_lost(report):
    told = fields(report(("0",)))

    assert told["profit factor"] == "no trip won or lost"
    assert (told["average win"], told["average loss"]) == ("no winning trips", "no losing trips")


def test_days_of_a_fall_are_those_of_the_reader(report, trip):
    late = trip(0).closed_at.replace(hour=23)
    trips = [trip(n, net, closed_at=late + timedelta(hours=n)) for n, net in enumerate(("5", "-9"))]
    told = [
        fields(report(trips=trips), zone)["worst drawdown"] for zone in (UTC, ZoneInfo("Japan"))
    ]

    assert "from 2026-01-05 to 2026-01-06, not" in told[0] and "on 2026-01-06, not" in told[1]


def test_what_the_order_of_a_day_would_decide_is_not_claimed(report, trip):
    midnight = trip(0).closed_at.replace(hour=0, minute=0)
    trips = [
        trip(n, net, opened_at=midnight, closed_at=midnight, flags=("days_only",))
        for n, net in enumerate(("5", "-9", "6"))
    ]
    told = fields(report(trips=trips))

    assert told["longest streaks"] == (
        "0 won, 0 lost, or more: the order of trips that closed on one day is not known"
    )
    assert told["worst drawdown"].startswith("none") and told["time held"] == "not known"

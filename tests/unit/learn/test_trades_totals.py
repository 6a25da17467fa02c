"""Sums of the page equal those of the report, and each is a plain rule of its trades."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

from afterword.pipeline.doors.report.trades_totals import (
    MAX_MARKETS,
    MAX_MONTHS,
    by_market,
    by_time,
    drawdown,
    excursions,
    winners_and_losers,
)

BEGIN = datetime(2026, 1, 31, 23, 59, tzinfo=UTC)


def totals(*nets: int) -> list[tuple[datetime, Decimal]]:
    return [
        (BEGIN + timedelta(hours=n), Decimal(sum(nets[: n + 1]))) for n, _net in enumerate(nets)
    ]


def test_a_month_is_that_of_the_exit_in_utc(report, trip):
    made = report(
        trips=[
            trip(0, "1", closed_at=BEGIN),
            trip(1, "-2", closed_at=BEGIN + timedelta(minutes=1)),
            trip(2, "5", closed_at=BEGIN + timedelta(minutes=2)),
        ]
    )

    assert [(one.name, one.sums.net, one.sums.winners) for one in by_time(made.complete)] == [
        ("2026-01", 1, 1),
        ("2026-02", 3, 1),
    ]


def test_many_months_are_shown_as_years(report, trip):
    months = [trip(n, "1", closed_at=BEGIN + timedelta(days=31 * n)) for n in range(MAX_MONTHS + 2)]
    lines = by_time(report(trips=months).complete)

    assert [one.name for one in lines] == ["2026", "2027", "2028"]
    assert sum(one.sums.trips for one in lines) == len(months)


def test_sums_of_markets_add_up_to_the_net_however_many_there_are(report, trip):
    made = report(trips=[trip(n, f"{n}.01", symbol=f"M{n % 55}") for n in range(300)])
    lines = by_market(made.complete)

    assert sum(one.sums.net for one in lines) == made.trades.sums[0].net
    assert len(lines) == MAX_MARKETS + 1 and lines[-1].name == "15 more markets"


def test_winners_and_losers_are_told_by_currency(report, trip):
    made = report(
        trips=[
            *(trip(0, "10"), trip(1, "-4"), trip(2, "-6"), trip(3, "0")),
            trip(4, "1", quote="EUR"),
        ]
    )
    found = [
        (one.name, one.currency, one.trips, one.net, one.largest)
        for one in winners_and_losers(made.complete)
    ]

    assert found == [
        ("winners", "EUR", 1, 1, 1),
        ("all", "EUR", 1, 1, 1),
        ("winners", "USDT", 1, 10, 10),
        ("losers", "USDT", 2, -10, -6),
        ("all", "USDT", 4, 0, 10),
    ]


def test_incomplete_trips_are_in_no_sum(report, trip):
    made = report(trips=[trip(0, "1"), trip(1, "-90", is_incomplete=True)])

    assert [one.sums.net for one in by_time(made.complete)] == [1]


def test_a_drawdown_is_the_largest_fall_from_a_highest_point():
    fall = drawdown(totals(5, -3, 10, -4, -4, 1, -3))
    assert fall is not None
    assert (fall.amount, fall.begin, fall.end) == (-10, 3, 7)

    from_the_start = drawdown(totals(-2, -5, 1))
    assert from_the_start is not None
    assert (from_the_start.amount, from_the_start.begin, from_the_start.end) == (-7, 0, 2)
    assert drawdown(totals(1, 2)) is None


def test_only_trips_with_prices_say_how_far_the_price_went(report):
    (winners,) = excursions(report(("1", "2")).complete)

    assert (winners.name, winners.trips, winners.against, winners.favour) == (
        *("winners", 2),
        *(-0.002, 0.004),
    )

"""Each sentence of the report of trades says what its numbers say, and no more."""

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

from afterword.pipeline.domain.trades.model import Mistake
from afterword.pipeline.operations.learn.report import FileLine, FillWins, UnreadLine
from afterword.pipeline.views.numbers import money
from afterword.pipeline.views.trades.costs_words import costs_words
from afterword.pipeline.views.trades.learn_cells import cell_numbers
from afterword.pipeline.views.trades.words import (
    enough_words,
    headline_remarks,
    headline_words,
    in_order,
    mistake_words,
    mistakes_in_order,
    named_words,
    price,
    statistics_parts,
    title_words,
    tried_words,
    unread_words,
    zone_words,
)


def costs_of(report) -> str:
    """Return what a report of one currency says of costs."""
    (statistics,) = report.trades.statistics
    return costs_words(statistics.costs)


def test_the_headline_is_by_trip_and_fills_stand_below_it(report):
    made = report(("10", "-3.5", "-20"), fill_wins=FillWins(24, 20, 20 / 24))

    assert headline_words(made) == [
        "3 round trips, 1 won (33 %), net −13.50 USDT.",
        "By closing fill, as venues count: 20 of 24 won (83 %), before fees.",
    ]
    assert headline_words(report(("1", "-3"))) == ["2 round trips, 1 won (50 %), net −2.00 USDT."]


def test_currencies_are_never_added_up(report, trip):
    made = report(trips=[trip(0, "1", quote="EUR"), trip(1, "2"), trip(2, "-5")])

    assert headline_words(made) == [
        "2 round trips, 1 won (50 %), net −3.00 USDT.",
        "1 round trip, 1 won (100 %), net +1.00 EUR.",
    ]
    assert [*statistics_parts(made)] == ["In numbers, USDT", "In numbers, EUR"]


def test_incomplete_trips_are_told_apart(report, trip):
    made = report(trips=[trip(0, "1"), trip(1, "-7", is_incomplete=True)])

    assert headline_words(made) == ["1 round trip, 1 won (100 %), net +1.00 USDT."]
    assert any(
        line.startswith("1 more round trip is incomplete") and "−7.00 USDT" in line
        for line in headline_remarks(made)
    )


def test_closing_fills_of_incomplete_trips_are_said_to_count(report, trip):
    wins = FillWins(4, 1, 0.25)
    made = report(trips=[trip(0, "1"), trip(1, "-7", is_incomplete=True)], fill_wins=wins)
    whole = report(("1", "2"), fill_wins=wins)

    assert "Their closing fills are in the count above." not in str(headline_remarks(whole))
    assert "Its closing fills are in the count above." in str(headline_remarks(made))


def test_fees_are_said_to_turn_trips_that_paid_some():
    one = Mistake(rule="fees_took_profit", trips=0, of=2, sums=(), trip_uids=())

    assert mistake_words(one) == (
        "0 of 2 trips that paid fees had a profit before them and none after them."
    )


def test_a_venue_without_a_name_is_called_so(report, trip):
    made = replace(report(trips=[trip(0, "1", venue="csv")]), venues=("csv",))

    assert title_words(made).startswith("Trades at an unnamed venue, closed on ")


def test_dates_are_those_of_the_reader(report, trip):
    late = datetime(2026, 1, 5, 23, 30, tzinfo=UTC)
    made = replace(report(trips=[trip(0, closed_at=late)]), zone="Asia/Tokyo")

    assert title_words(made).endswith("closed on 2026-01-06 (dates in Asia/Tokyo)")
    assert title_words(replace(made, zone="UTC+08:00")).endswith("(dates in UTC+08:00)")
    assert title_words(replace(made, zone="UTC")).endswith("on 2026-01-05 (dates in UTC)")


def test_the_zone_of_hours_is_told_where_a_line_is_about_them(report, cell):
    made = replace(report(), zone="Asia/Tokyo", hours_zone="Asia/Tokyo")

    assert zone_words(made, [cell("asset", "SOL")]) == []
    assert zone_words(made, [cell("hour", "08-12")]) == [
        "Hours and weekdays are those of the entry, in Asia/Tokyo."
    ]
    assert zone_words(replace(made, hours_zone="UTC"), [cell("weekday", "Friday")]) == [
        "Hours and weekdays are those of the entry, in UTC: kept trades are always judged in it."
    ]


def test_lines_without_an_order_of_their_own_stand_by_money(report, cell):
    nets = {"ADA": 5_000_000, "BTC": -90_000_000, "SOL": 40_000_000}
    hours = [cell("hour", "12-16", net_micro_usd=-9_000_000), cell("hour", "08-12")]
    assets = [cell("asset", name, net_micro_usd=net) for name, net in nets.items()]
    shown = [one.value for one in in_order([*assets, *hours])]

    assert shown == ["BTC", "SOL", "ADA", "08-12", "12-16"]


def test_mistakes_stand_by_what_their_trips_came_to(report):
    made = [
        Mistake(rule=rule, trips=len(nets), of=9, sums=report(nets).trades.sums, trip_uids=())
        for rule, nets in (
            ("larger_re_entry", ("3",)),
            ("added_to_loser", ()),
            ("fees_took_profit", ("-4", "-4")),
        )
    ]

    assert [one.rule for one in mistakes_in_order(made)] == [
        *("fees_took_profit", "larger_re_entry", "added_to_loser"),
    ]


def test_only_a_perpetual_misses_funding(report, trip):
    def is_told(**changed):
        said = headline_remarks(report(trips=[trip(0, "1", **changed)]))
        return any("without funding" in line for line in said)

    assert [is_told(), is_told(kind="stock"), is_told(funding=Decimal(1))] == [True, False, False]


def test_funding_that_was_left_out_is_counted(report, trip):
    file = FileLine("a.csv", "trades", "some", fills=2, left_out={"funding": 2, "deposit": 1})
    made = replace(report(trips=[trip(0, "1")]), files=(file,))

    assert "The net is without funding: 2 rows of it were left out." in headline_remarks(made)
    assert "The net is without funding." in headline_remarks(report(trips=[trip(0, "1")]))


def test_few_trades_are_called_few(report):
    assert enough_words(report(stretches=5).trades).startswith("Too few to say about most things")
    assert enough_words(report(stretches=200).trades) == ""


def test_the_chance_of_a_name_follows_from_the_level(report):
    one = report(tried=98).trades
    kept = replace(one, level=0.01, judged_at=one.last_at, next_at_stretches=300)

    assert "By luck alone 1 report in 25 shows any difference here." in tried_words(one, UTC)
    assert "By luck alone 1 verdict in 100" in tried_words(kept, UTC) and "at 300" in tried_words(
        kept, UTC
    )
    assert "No verdict yet" in tried_words(replace(kept, judged_at=None), UTC)


def test_a_named_cell_says_how_much_and_how_sure(report, cell):
    (said,) = named_words(report(named=[cell(is_named=True)]).trades)

    assert said == (
        "Named: trips entered from 08-12 h. Before costs, 31 trips came out −1.90 usual hourly "
        "moves (95 %: −3.10 to −0.40) each against your others. Their markets usually moved 0.65 % "
        "in an hour: for what was put in, about −$1,500. In money they made −$980 before costs, "
        "−$1,240 after them."
    )


def test_that_nothing_differs_is_said_of_what_was_compared_only(report):
    one = report().trades
    waits = replace(one, next_at_stretches=300)

    assert named_words(one) == ["Nothing differs by more than chance."]
    assert named_words(replace(one, tried=0)) == named_words(waits) == []


def test_a_mistake_is_a_count_and_a_sum(report):
    sums = report(("-3", "-4")).trades.sums
    one = Mistake(rule="added_to_loser", trips=2, of=9, sums=sums, trip_uids=("a", "b"))

    assert mistake_words(one) == (
        "In 2 of 9 trips you made the position larger while it was losing: these trips made −7.00 "
        "USDT."
    )


def test_one_of_anything_is_singular(report, trip):
    one = Mistake(rule="fees_took_profit", trips=0, of=1, sums=(), trip_uids=())
    made = report(("10",), fill_wins=FillWins(1, 1, 1.0))
    lost = report(trips=[trip(0, "1"), trip(1, "-7", is_incomplete=True)])

    assert mistake_words(one) == (
        "0 of 1 trip that paid fees had a profit before them and none after them."
    )
    assert headline_words(made) == [
        "1 round trip, 1 won (100 %), net +10.00 USDT.",
        "By closing fill, as venues count: 1 of 1 won (100 %), before fees.",
    ]
    assert any("fills of it. It is counted nowhere else" in line for line in headline_remarks(lost))


def test_fees_that_nobody_said_are_not_told_as_zero(report, trip):
    unknown = report(trips=[trip(0, "1", fees=None, gross=Decimal(1))])
    only_net = report(trips=[trip(0, "1", fees=None, gross=None)])
    some = report(trips=[trip(0, "1", fees=None, gross=Decimal(1)), trip(1, "2")])

    assert [costs_of(made) for made in (unknown, only_net, some)] == [
        "no file says the fees",
        "no file says the fees",
        "fees took 0.70 USDT of 1 trip, 0.07 % of what was put in and 0.70 a trip; together 26 % "
        "of the gross profit of 2.70 USDT. No file says the fees of 1 other trip",
    ]


def test_a_small_share_of_fees_is_not_told_as_none(report):
    said = costs_of(report(("100000",)))

    assert "together less than 0.01 % of the gross profit" in said


def test_a_remedy_follows_what_could_not_be_used():
    said = unread_words(UnreadLine("sales", 2, ("BTC", "ETH"), "Do this."))

    assert said == "2 sales: BTC; ETH. Do this."


def test_costs_are_held_against_a_profit_only(report):
    won, lost = (costs_of(report((net,))) for net in ("10", "-10"))

    assert "together 6.54 % of the gross profit of 10.70 USDT" in won
    assert "the result before costs is −9.30 USDT" in lost


def test_costs_are_fees_in_any_token_and_funding(report, trip):
    paid = trip(0, "5", gross=Decimal(10), funding=Decimal("-4.3"))
    in_token = trip(1, "9", gross=Decimal(9), fees=Decimal(0), other_fees=(("BNB", Decimal(1)),))

    assert [costs_of(report(trips=[one])) for one in (paid, in_token)] == [
        "fees took 0.70 USDT of 1 trip, 0.07 % of what was put in and 0.70 a trip; funding took "
        "4.30 USDT; together 50 % of the gross profit of 10.00 USDT",
        "fees took 1.00 BNB of 1 trip; the result before costs is +9.00 USDT",
    ]


def test_small_amounts_of_a_coin_keep_their_digits(report, trip):
    tiny = trip(0, "0.00027", quote="BTC", gross=Decimal("0.0003"), fees=Decimal("0.00003"))

    assert headline_words(report(trips=[tiny])) == [
        "1 round trip, 1 won (100 %), net +0.00027 BTC."
    ]
    assert costs_of(report(trips=[tiny])).endswith(
        "together 10 % of the gross profit of 0.0003 BTC"
    )


def test_amounts_below_every_unit_are_nothing_and_small_ones_have_two_digits():
    written = ["0.000000806135", "-0.00104", "-0.000000000000014", "0"]

    assert [money(Decimal(one), "BTC") for one in written] == [
        *("+0.00000081 BTC", "−0.0010 BTC", "0.00 BTC", "0.00 BTC"),
    ]


def test_prices_have_no_idle_zeros_and_large_ones_have_separators():
    written = ["0.0019782700", "1982499", "64250.50", "8.1234E-7", "1E+9", "0"]

    assert [price(Decimal(one)) for one in written] == [
        *("0.00197827", "1,982,499", "64,250.5", "0.00000081234", "1,000,000,000", "0"),
    ]
    assert price(None) == "–"


def test_a_cut_of_one_loss_is_singular(report, cell):
    (said,) = named_words(report(named=[cell("losses before", "1", is_named=True)]).trades)

    assert said.startswith("Named: trips after 1 loss.")


def test_money_that_rounds_to_nothing_has_no_sign(cell):
    written = [cell_numbers(cell(net_micro_usd=one), 1)[-1] for one in (1, -1, 12_300_000)]

    assert written == ["$0.00", "$0.00", "+$12.30"]

"""The page of trades: every line leads to its trades, nothing in it acts, it stays short."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from xml.etree import ElementTree

import pytest

from afterword.pipeline.domain.trades.model import Mistake
from afterword.pipeline.doors.render import html
from afterword.pipeline.doors.render.charts import difference_bar
from afterword.pipeline.doors.render.excursions import beyond_border, excursion_chart
from afterword.pipeline.doors.render.sum_chart import MAX_CURVE_POINTS, sum_chart, thinned
from afterword.pipeline.doors.render.trades_picture import trades_picture
from afterword.pipeline.operations.learn.report import FillWins, LearnReport, PriceGap, UnreadLine
from afterword.pipeline.views.pictures import ExcursionPoint, SumCurve, SumPoint
from afterword.pipeline.views.trades.learn_report import learn_report
from afterword.pipeline.views.trades.learn_trades import MAX_ROWS

STRONG = re.compile(r"\b(habits?|edges?|costs? you|works?|failing)\b", re.IGNORECASE)
HOSTILE = "<script>alert(1)</script>\x1b[31m=cmd()\u202e"


def page_of(report: LearnReport) -> str:
    return html.page(learn_report(report, "afterword trades ls"))


def points(number: int) -> list[SumPoint]:
    begin = datetime(2026, 1, 1, tzinfo=UTC)
    return [
        SumPoint(n + 1, begin + timedelta(hours=n), Decimal(n * 7919 % 1000 - 500))
        for n in range(number)
    ]


def test_every_link_of_the_page_leads_to_a_trade_of_the_page(report, cell):
    uids = tuple(f"{n:032x}" for n in range(3))
    mistake = Mistake(rule="added_to_loser", trips=3, of=9, sums=(), trip_uids=uids)
    page = page_of(
        report(
            ("1", "2", "3"),
            named=[cell(is_named=True, trip_uids=uids[:2])],
            looked_at=[cell("asset", "SOL", trip_uids=uids)],
            mistakes=[mistake],
        )
    )
    links = re.findall(r'href="#([^"]+)"', page)

    assert sum(link.startswith("t-") for link in links) == 2 + 3 + 3
    assert set(links) <= set(re.findall(r'id="([^"]+)"', page))


def test_text_of_a_file_cannot_act_on_the_page(report, trip, cell):
    hostile = report(
        trips=[trip(0, "1", symbol=HOSTILE, quote=HOSTILE, flags=(HOSTILE,))],
        looked_at=[cell(HOSTILE, HOSTILE)],
        venues=(HOSTILE,),
        unread=(UnreadLine(HOSTILE, 3, (HOSTILE,)),),
    )
    page = page_of(hostile)

    assert "<script" not in page and "\x1b" not in page and "\u202e" not in page
    assert "&lt;script&gt;" in page


def test_nothing_that_is_not_named_gets_a_strong_word(report, cell):
    page = page_of(report(looked_at=[cell()], fill_wins=FillWins(3, 2, 2 / 3)))
    text = re.sub(r"<style>.*?</style>|<[^>]+>", " ", page, flags=re.DOTALL)

    assert STRONG.findall(text) == []


def test_the_same_report_gives_the_same_bytes_and_another_does_not(report):
    assert page_of(report(("1", "2"))) == page_of(report(("1", "2")))
    assert page_of(report(("1", "2"))) != page_of(report(("1", "3")))


def test_a_page_of_many_trades_stays_short_and_keeps_those_that_are_named(report, cell):
    nets = [str(n % 7 - 3) for n in range(MAX_ROWS + 500)]
    named = cell(is_named=True, trip_uids=(f"{0:032x}",))
    page = page_of(report(nets, named=[named]))

    assert page.count(' id="t-') == MAX_ROWS + 1
    assert "499 older ones are not shown" in page
    assert len(page) < 2_000_000


def test_an_empty_report_is_a_page(report):
    page = page_of(report(()))

    assert "No round trip was found" in page and "win" not in page


def test_incomplete_trips_are_not_in_the_curve(report, trip):
    made = report(trips=[trip(0, "1"), trip(1, "2"), trip(2, "-90", is_incomplete=True)])

    assert "at the end +3.00 USDT" in page_of(made)


def test_a_curve_of_many_trades_keeps_its_ends_and_extremes():
    whole = points(100_000)
    kept = thinned(whole)
    totals = [one.total for one in whole]

    assert len(kept) <= MAX_CURVE_POINTS + 2
    assert (kept[0], kept[-1]) == (whole[0], whole[-1])
    assert {min(totals), max(totals)} <= {one.total for one in kept}


@pytest.mark.parametrize("number", [0, 1])
def test_one_trade_is_no_curve(number: int):
    assert sum_chart(SumCurve(points(number), "USDT")) == ""


def test_a_chart_says_in_words_what_it_shows():
    chart = excursion_chart([ExcursionPoint(0.01, 0.02, True), ExcursionPoint(0.03, 0.0, False)])

    assert "1 winner, half of them went at least 1.0 % against" in chart
    assert chart.count('class="ring"') == 1 and excursion_chart([]) == ""


def test_tags_and_mistakes_stand_beside_their_trade(report):
    made = report(("1",))
    tagged = replace(made, tags={made.outcomes[0].trip.trip_uid: ("breakout",)})

    assert '">breakout</td>' in page_of(tagged)


def test_the_picture_is_one_file_with_the_headline_and_the_verdict(report, cell):
    picture = trades_picture(report(("10", "-3.5", "-20"), looked_at=[cell()]))
    root = ElementTree.fromstring(picture)
    words = " ".join(one.text or "" for one in root.iter("{http://www.w3.org/2000/svg}text"))

    assert "3 round trips, 1 won (33 %), net −13.50 USDT." in words
    assert "By luck alone 1 report in 25" in words and "entered from 08" in words
    assert "<script" not in picture and "href" not in picture


def test_the_page_begins_with_the_result_and_what_is_named(report, cell):
    page = page_of(
        report(("10", "-3.5"), named=[cell(is_named=True)], fill_wins=FillWins(24, 20, 20 / 24))
    )
    read = [
        page.index(words)
        for words in ("(83\u00a0%)", "profit factor", 'class="named"', "<nav", 'class="plot"')
    ]

    assert read == sorted(read)  # and no line ends before a per cent sign


def test_each_section_is_found_from_the_top_of_the_page(report, cell):
    page = page_of(report(("1", "2"), looked_at=[cell()]))
    (links,) = re.findall(r"<nav.*?</nav>", page)

    assert re.findall(r'href="#([^"]+)"', links) == re.findall(r'<section id="([^"]+)"', page)


def test_a_link_says_when_and_what_a_trade_was(report, cell):
    made = report(("1", "2"), looked_at=[cell("asset", "SOL", trip_uids=(f"{1:032x}",))])

    assert ">2026-01-05 SOLUSDT +2.00</a>" in page_of(made)


def test_the_first_fill_we_have_is_not_told_as_the_entry(report, trip):
    cut = trip(0, "-7", is_incomplete=True, flags=("opened_before",), entry_px=None)

    assert ">before 2026-01-05 09:00</td>" in page_of(report(trips=[cut]))


def test_a_command_on_the_page_is_told_apart_from_words(report):
    gap = PriceGap("SOL", 2, datetime(2026, 1, 1, tzinfo=UTC), "SOL")
    page = page_of(replace(report(("1",)), gaps=(gap,)))

    assert "<code>afterword prices fetch SOL --since 2026-01-01T00:00:00Z</code>" in page
    assert "`" not in page


def test_columns_are_explained_only_where_they_are(report, cell):
    assert "than others" not in page_of(report(("1",)))
    assert "than others" in page_of(report(("1",), looked_at=[cell()]))


def test_cuts_stand_in_the_order_of_their_meaning_and_tested_ones_first(report, cell):
    days = [cell("weekday", day) for day in ("Tuesday", "Friday", "Monday")]
    held = [cell("held", "to 1 h", is_tested=False), cell("held", "to 15 min", is_tested=False)]
    page = page_of(report(("1",), looked_at=[*held, *days]))
    said = ("a Monday", "a Tuesday", "a Friday", "described, not tested", "to 15 min", "to 1 h")
    places = [page.index(words) for words in said]

    assert places == sorted(places)


def test_a_table_of_sums_names_the_currency_where_there_are_several(report, trip):
    nets = [
        *(trip(0, "1"), trip(1, "0.00021", quote="BTC", symbol="ETHBTC")),
        trip(2, "0.00002", quote="BTC", symbol="SOLBTC"),
    ]

    assert ">BTC</td>" in page_of(report(trips=nets))
    assert ">+0.00021</td>" in page_of(report(trips=nets))
    assert ">currency</th>" not in page_of(report(("1", "2")))


def test_a_curve_begins_at_zero_and_has_round_numbers_with_their_currency():
    begin = datetime(2026, 1, 1, tzinfo=UTC)
    nets = (-20, -47, 13, 8)
    sums = [SumPoint(n, begin, Decimal(sum(nets[:n]))) for n in range(1, 5)]
    chart = sum_chart(SumCurve(sums, "USDC"))

    assert re.findall(r">([+−]?\d[^<]*)</text>", chart) == [
        *("−60", "−40", "−20", "0 USDC"),
    ]
    assert 'points="10,100 ' in chart and ">start<" in chart and "trip 4, 2026-01-01" in chart


@pytest.mark.parametrize("total", ["0", "-5", "1e9", "0.00000001", "-1e12"])
def test_a_curve_of_any_size_stays_in_its_picture(total: str):
    begin = datetime(2026, 1, 1, tzinfo=UTC)
    sums = [SumPoint(n, begin, Decimal(total) * n) for n in (1, 2, 3)]
    chart = sum_chart(SumCurve(sums, "USDC"))
    places = [float(place) for place in re.findall(r'"(-?[\d.]+)%"', chart)]

    assert all(0 <= place <= 100 for place in places) and chart.count("<circle") == 3


def test_few_far_trades_do_not_press_the_others_together():
    near = [ExcursionPoint(0.01, 0.02, True)] * 99
    points = [*near, ExcursionPoint(0.9, 0.9, False)]

    assert "−1.0 %</text>" in excursion_chart(points) and beyond_border(points) == 1
    assert beyond_border(near) == 0


def test_a_difference_is_drawn_to_scale_and_cut_at_its_ends():
    drawn = ElementTree.fromstring(difference_bar(-0.01, -0.5, 0.02, 0.04))
    (dot,) = [one for one in drawn if one.attrib.get("class") == "dot"]
    (interval,) = [one for one in drawn if one.attrib.get("class") == "interval"]

    assert float(dot.attrib["cx"]) == pytest.approx(60 - 54 / 4, abs=0.05)
    assert (float(interval.attrib["x1"]), float(interval.attrib["x2"])) == (6, 87)

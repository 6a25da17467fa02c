"""The page of trades: every line leads to its trades, nothing in it acts, it stays short."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from xml.etree import ElementTree

import pytest

from afterword.pipeline.domain.trades.model import Mistake
from afterword.pipeline.doors.report.trades_charts import (
    MAX_POINTS,
    CurvePoint,
    ExcursionPoint,
    equity_chart,
    excursion_chart,
    thinned,
)
from afterword.pipeline.doors.report.trades_page import MAX_ROWS, trades_page
from afterword.pipeline.doors.report.trades_picture import trades_picture
from afterword.pipeline.operations.learn.report import FillWins, UnreadLine

STRONG = re.compile(r"\b(habits?|edges?|costs? you|works?|failing)\b", re.IGNORECASE)
HOSTILE = "<script>alert(1)</script>\x1b[31m=cmd()\u202e"


def lead(cell: str) -> str:
    return f"afterword trades ls --cell {cell}"


def points(number: int) -> list[CurvePoint]:
    begin = datetime(2026, 1, 1, tzinfo=UTC)
    return [
        CurvePoint(begin + timedelta(hours=n), Decimal(n * 7919 % 1000 - 500))
        for n in range(number)
    ]


def test_every_link_of_the_page_leads_to_a_trade_of_the_page(report, cell):
    uids = tuple(f"{n:032x}" for n in range(3))
    mistake = Mistake(rule="added_to_loser", trips=3, of=9, sums=(), trip_uids=uids)
    page = trades_page(
        report(
            ("1", "2", "3"),
            named=[cell(is_named=True, trip_uids=uids[:2])],
            looked_at=[cell("asset", "SOL", trip_uids=uids)],
            mistakes=[mistake],
        ),
        lead,
    )
    links = re.findall(r'href="#([^"]+)"', page)

    assert len(links) == 2 + 2 + 3 + 3 - 2  # the named cell is a line of its own table
    assert set(links) <= set(re.findall(r'id="([^"]+)"', page))


def test_text_of_a_file_cannot_act_on_the_page(report, trip, cell):
    hostile = report(
        trips=[trip(0, "1", symbol=HOSTILE, quote=HOSTILE, flags=(HOSTILE,))],
        looked_at=[cell(HOSTILE, HOSTILE)],
        venues=(HOSTILE,),
        unread=(UnreadLine(HOSTILE, 3, (HOSTILE,)),),
    )
    page = trades_page(hostile, lead)

    assert "<script" not in page and "\x1b" not in page and "\u202e" not in page
    assert "&lt;script&gt;" in page


def test_nothing_that_is_not_named_gets_a_strong_word(report, cell):
    page = trades_page(report(looked_at=[cell()], fill_wins=FillWins(3, 2, 2 / 3)), lead)
    text = re.sub(r"<style>.*?</style>|<[^>]+>", " ", page, flags=re.DOTALL)

    assert STRONG.findall(text) == []


def test_the_same_report_gives_the_same_bytes_and_another_does_not(report):
    assert trades_page(report(("1", "2")), lead) == trades_page(report(("1", "2")), lead)
    assert trades_page(report(("1", "2")), lead) != trades_page(report(("1", "3")), lead)


def test_a_page_of_many_trades_stays_short_and_keeps_those_that_are_named(report, cell):
    nets = [str(n % 7 - 3) for n in range(MAX_ROWS + 500)]
    named = cell(is_named=True, trip_uids=(f"{0:032x}",))
    page = trades_page(report(nets, named=[named]), lead)

    assert page.count(' id="t-') == MAX_ROWS + 1
    assert "499 older ones are not shown" in page
    assert len(page) < 2_000_000


def test_an_empty_report_is_a_page(report):
    page = trades_page(report(()), lead)

    assert "No round trip was found" in page and "win" not in page


def test_incomplete_trips_are_not_in_the_curve(report, trip):
    made = report(trips=[trip(0, "1"), trip(1, "2"), trip(2, "-90", is_incomplete=True)])

    assert "at the end +3.00 USDT" in trades_page(made, lead)


def test_a_curve_of_many_trades_keeps_its_ends_and_extremes():
    whole = points(100_000)
    kept = thinned(whole)
    totals = [one.total for one in whole]

    assert len(kept) <= MAX_POINTS + 2
    assert (kept[0], kept[-1]) == (whole[0], whole[-1])
    assert {min(totals), max(totals)} <= {one.total for one in kept}


@pytest.mark.parametrize("number", [0, 1])
def test_one_trade_is_no_curve(number: int):
    assert equity_chart(points(number), "USDT") == ""


def test_a_chart_says_in_words_what_it_shows():
    chart = excursion_chart([ExcursionPoint(0.01, 0.02, True), ExcursionPoint(0.03, 0.0, False)])

    assert "1 winners, half of them went at least 1.0 % against" in chart
    assert chart.count('class="ring"') == 1 and excursion_chart([]) == ""


def test_tags_and_mistakes_stand_beside_their_trade(report):
    made = report(("1",))
    tagged = replace(made, tags={made.outcomes[0].trip.trip_uid: ("breakout",)})

    assert '">breakout</td>' in trades_page(tagged, lead)


def test_the_picture_is_one_file_with_the_headline_and_the_verdict(report, cell):
    picture = trades_picture(report(("10", "-3.5", "-20"), looked_at=[cell()]))
    root = ElementTree.fromstring(picture)
    words = " ".join(one.text or "" for one in root.iter("{http://www.w3.org/2000/svg}text"))

    assert "1 of 3 round trips wins, net −13.50 USDT" in words
    assert "By chance 1 report in 25 would name anything." in words and "entered from 08" in words
    assert "<script" not in picture and "href" not in picture

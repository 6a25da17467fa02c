"""Pictures of a view: each is drawn on a page from its numbers, and short or absent in a text."""

import re
from datetime import UTC, datetime, timedelta

from afterword.pipeline.doors.render.html import fragment
from afterword.pipeline.doors.render.markdown import markdown
from afterword.pipeline.doors.render.screen import Screen
from afterword.pipeline.doors.render.text import text
from afterword.pipeline.views.blocks import Table, View
from afterword.pipeline.views.cells import Bet
from afterword.pipeline.views.pictures import Curves, Marks, Panel, Picture, Scores

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
DAYS = [BEGIN + timedelta(days=day) for day in range(200)]


def curves(*sums: float) -> Picture:
    points = list(zip(DAYS, sums, strict=False))
    panel = Panel([("held", points), ("own", points)], "momentum: +4 σ", "momentum")
    legend = {"own": "the decisions", "held": "held"}
    return Picture(Curves([panel], BEGIN, DAYS[10], "σ", legend))


def scores(*values: float | None) -> Picture:
    points = list(zip(DAYS, values, strict=False))
    return Picture(Scores("health", points, (40, 80), "audits"), "Health")


def told(*blocks: object) -> str:
    return text(View(blocks), Screen())


def test_a_sum_is_drawn_as_steps_from_nothing_on_axes_that_all_panels_share():
    drawn = fragment(View([curves(2.0, 4.0)]))

    assert re.findall(r'class="(curve[^"]*)" points', drawn) == ["curve held", "curve"]
    (own,) = re.findall(r'class="curve" points="([^"]*)"', drawn)
    assert own == "0,870 0,870 0,485 100,485 100,100 1000,100"
    assert ">+4 σ</text>" in drawn and "<title>momentum: +4 σ</title>" in drawn
    assert "2026-01-01" in drawn and "2026-01-11" in drawn


def test_nothing_is_drawn_of_nothing():
    marks = Picture(Marks([("one", [None, None, None])], "points", 5.0, "none"), "Marks")

    for block in (curves(), scores(70.0), scores(None, None), marks):
        assert fragment(View([block])) == ""


def test_a_text_has_scores_as_bars_and_leaves_the_other_pictures_out():
    marks = Picture(Marks([("one", [1.0, -2.0, 3.0])], "points", 5.0, "words"), "Marks")

    assert told(curves(1.0), marks) == ""
    assert told(scores(None, 0.0, 50.0, 100.0)) == "health ·▁▅█\n"
    assert told(scores(None)) == ""
    assert len(told(scores(*range(100), *range(100)))) == len("health \n") + 60


def test_marks_of_a_group_are_a_dot_a_ring_and_a_cross():
    groups = [("a", [1.0, 2.0, -9.0]), ("b", [None, 2.0, None])]

    drawn = fragment(View([Picture(Marks(groups, "points", 5.0, "all"), "M")]))

    assert re.findall(r'class="(dot|ring)"', drawn) == ["dot", "ring", "ring"]
    assert drawn.count(">×<") == 1
    assert ">+5 points</text>" in drawn


def test_a_bet_is_its_number_everywhere_and_a_bar_on_a_page():
    view = View([Table(("method", "bet"), [["rise", Bet(3.2, 40.0)], ["fall", Bet(0.44)]])])

    assert "3.2" in text(view, Screen()) and "| rise | 3.2 |" in markdown(view)
    drawn = fragment(view)
    assert "<title>a bet of 1 became 3.2, 40 is asked for</title>" in drawn
    assert drawn.count('class="base"') == 1

"""The report as text: what a newcomer reads on a terminal, line by line."""

from collections import Counter

from afterword.pipeline.domain.trades.model import Mistake
from afterword.pipeline.doors.render.html import fragment
from afterword.pipeline.doors.render.markdown import markdown
from afterword.pipeline.doors.render.screen import Screen
from afterword.pipeline.doors.render.text import text
from afterword.pipeline.views.blocks import View
from afterword.pipeline.views.trades.learn_report import learn_report, next_steps
from tests.answers.test_answers import TAG, numbers


def test_a_line_of_the_list_is_named_by_what_lists_its_trades(report, cell):
    made = report(looked_at=[cell("setup", "long after a fall")])
    view = learn_report(made, "afterword learn x")
    after = next_steps(made, "afterword learn x", {"html": None, "picture": None})

    assert "'setup=long after a fall'" in text(view, Screen())
    said = text(View([after], is_prose=True), Screen())
    assert "The trades of a line: afterword learn x --cell …, as the line writes it." in said


def test_a_section_that_only_a_page_has_leaves_no_heading_in_a_text(report):
    told = text(learn_report(report(("1", "2")), "afterword learn x"), Screen())

    assert "Trades, newest first" not in told and "What they came to" not in told


def test_every_number_of_the_text_is_on_the_page(report, cell):
    uids = (f"{0:032x}",)
    mistake = Mistake(rule="added_to_loser", trips=1, of=9, sums=(), trip_uids=uids)
    named = cell("hour", "12-16", is_named=True, trips=1, trip_uids=(f"{1:032x}",))
    made = report(
        ("10", "-3.5", "7"),
        named=[named],
        looked_at=[cell("held", "to 15 min", trips=1, trip_uids=uids)],
        mistakes=[mistake],
    )
    view = learn_report(made, "afterword learn x")
    told = numbers(text(view, Screen()))

    assert told - numbers(TAG.sub(" ", fragment(view))) == Counter()
    assert told - numbers(markdown(view)) == Counter()

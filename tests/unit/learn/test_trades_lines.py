"""The report as text: what a newcomer reads on a terminal, line by line."""

from afterword.pipeline.doors.render.screen import Screen
from afterword.pipeline.doors.render.text import text
from afterword.pipeline.views.blocks import View
from afterword.pipeline.views.learn_report import learn_report, next_steps


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

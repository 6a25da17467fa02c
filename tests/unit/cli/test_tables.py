"""A table on a terminal leaves out the columns that it can spare before it breaks a number."""

from afterword.pipeline.doors.render.screen import Screen
from afterword.pipeline.doors.render.text import text
from afterword.pipeline.views.blocks import Table, View

TRADES = Table(
    ("trade", "result", "entry", "exit"),
    [["0123456789ab", "+1.00 %", "64,250.5", "64,251.5"]],
    spare=("exit", "entry"),
)


def shown(width: int) -> str:
    """Return the table as a terminal of some characters shows it."""
    return text(View([TRADES]), Screen(width, is_terminal=True))


def test_a_wide_terminal_shows_every_column():
    assert "64,251.5" in shown(80) and "not shown" not in shown(80)


def test_a_narrow_terminal_leaves_out_what_can_be_spared_and_says_so():
    said = shown(34)

    assert "64,250.5" in said and "64,251.5" not in said
    assert said.splitlines()[-1] == "too narrow for: exit"


def test_numbers_stay_whole_where_no_column_is_text():
    assert "0123456789ab  +1.00 %" in shown(21)


def test_nothing_is_left_out_in_a_pipe():
    assert "64,251.5" in text(View([TRADES]), Screen())

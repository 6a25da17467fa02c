"""A table on a terminal leaves out the columns that it can spare before it breaks a number."""

import pytest

from afterword.pipeline.doors.cli import output
from afterword.pipeline.doors.cli.output import print_table
from afterword.pipeline.doors.render.screen import Screen

COLUMNS = ("trade", "result", "entry", "exit")
ROWS = [["0123456789ab", "+1.00 %", "64,250.5", "64,251.5"]]


@pytest.fixture
def shown(monkeypatch, capsys):
    def print_at(width: int, rows=ROWS, spare=("exit", "entry")) -> str:
        monkeypatch.setattr(output, "this_screen", lambda: Screen(width, is_terminal=True))
        print_table(COLUMNS, rows, spare=spare)
        return capsys.readouterr().out

    return print_at


def test_a_wide_terminal_shows_every_column(shown):
    assert "64,251.5" in shown(80) and "not shown" not in shown(80)


def test_a_narrow_terminal_leaves_out_what_can_be_spared_and_says_so(shown):
    said = shown(34)

    assert "64,250.5" in said and "64,251.5" not in said
    assert said.splitlines()[-1] == "too narrow for: exit"


def test_numbers_stay_whole_where_no_column_is_text(shown):
    assert "0123456789ab  +1.00 %" in shown(21)


def test_nothing_is_left_out_in_a_pipe(capsys):
    print_table(COLUMNS, ROWS, spare=("exit", "entry"))

    assert "64,251.5" in capsys.readouterr().out

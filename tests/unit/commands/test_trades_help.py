"""The help of the commands about trades shows how they are typed, and cuts no sentence."""

import pytest

GROUPS = ("trades", "history", "prices", "memory", "entry", "role", "jobs", "store")


def test_the_help_of_learn_shows_how_it_is_typed(command):
    said = command("learn", "--help").out

    assert "afterword learn my-export.csv --html page.html" in said
    assert "--columns time=Date,symbol=Pair,side=Type,qty=Amount,price=Price,fee=Fee" in said
    assert max(map(len, said.splitlines())) <= 80


@pytest.mark.parametrize("group", GROUPS)
def test_no_summary_of_a_command_is_cut(command, group):
    assert "..." not in command(group, "--help").out.partition("Commands:")[2]

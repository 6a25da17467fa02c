"""`afterword role pattern`: the twelve questions of a family, and the decisions behind each."""

import pytest

from tests.unit.report.conftest import COIN, FLAW, ROLE

CELL = (ROLE, "layer_1", "long", "up")


def test_only_what_was_selected_is_listed_unless_all_is_asked(command, measured, weigh):
    measured(FLAW)
    measured(COIN, direction="short", trend="down")
    weigh()

    (only,) = command("role", "pattern", "ls", "--json").json
    everything = command("role", "pattern", "ls", ROLE, "--all", "--json").json

    assert (only["state"], only["direction"], only["trend"], only["side"]) == (
        "confirmed",
        "long",
        "up",
        "failing",
    )
    assert only["text"].startswith("Failing: longs after a rise")
    assert len(everything) == 12
    numbers = {
        (one["direction"], one["trend"]): tuple(
            one["numbers"][name] for name in ("decisions", "stretches", "hits", "expected")
        )
        for one in everything
        if one["side"] == "works"
    }
    assert numbers == {
        ("long", "down"): (0, 0, 0, 0),
        ("long", "flat"): (0, 0, 0, 0),
        ("long", "up"): (60, 60, 12, 30),
        ("short", "down"): (60, 60, 30, 30),
        ("short", "flat"): (0, 0, 0, 0),
        ("short", "up"): (0, 0, 0, 0),
    }


def test_without_a_pattern_the_list_says_where_to_look(command, measured, weigh):
    assert "`afterword role reflect` measures what is due" in command("role", "pattern", "ls").out
    measured(COIN)
    weigh()

    assert command("role", "pattern", "ls").out == (
        "no pattern can be told apart from luck; --all shows what was counted, and `afterword role "
        "summary` what would change that\n"
    )


def test_each_number_leads_to_its_decisions_and_each_decision_to_its_story(
    command, measured, weigh
):
    measured(FLAW, residual=-0.02)
    measured(COIN, direction="short", trend="down")
    weigh()

    found = command("role", "pattern", "show", *CELL, "--limit", "100", "--json").json
    shown = command("role", "pattern", "show", *CELL).out

    decisions = found["decisions"]
    assert len(decisions) == found["line"]["numbers"]["decisions"] == 60
    assert sum(one["outcome"] == "right" for one in decisions) == found["line"]["numbers"]["hits"]
    assert {one["residual"] for one in decisions} == {-0.02}
    assert "and 40 earlier decisions; --limit shows more" in shown
    next_step = shown.splitlines()[-1].partition("`afterword ")[2].rstrip("`").split()
    assert command(*next_step).code == 0


def test_a_pattern_tells_its_texts_with_their_times_also_those_that_ended(
    command, clock, measured, weigh
):
    measured(FLAW)
    weigh()
    clock.advance(days=1)
    measured([True] * 60)
    weigh()

    found = command("role", "pattern", "show", *CELL, "failing", "--json").json
    shown = command("role", "pattern", "show", *CELL, "failing").out

    assert [one["state"] for one in found["past"]] == ["confirmed", "retired"]
    assert found["past"][0]["superseded_at"] == found["past"][1]["known_at"]
    assert "no longer holds" in shown


def test_what_one_asset_contributes_is_told_and_its_decisions_can_be_shown_alone(
    command, measured, weigh
):
    measured(FLAW)
    measured(COIN, asset="AVAX")
    weigh()

    shown = command("role", "pattern", "show", *CELL, "--asset", "SOL/USDT", "--limit", "3").out
    found = command("role", "pattern", "show", *CELL, "--asset", "SOL", "--json").json

    assert "told of          SOL" in shown
    assert "and 57 earlier decisions" in shown
    assert {one["asset"] for one in found["decisions"]} == {"SOL"}
    assert [(one["asset"], one["stretches"], one["hits"]) for one in found["line"]["by_asset"]] == [
        ("AVAX", 60, 30),
        ("SOL", 60, 12),
    ]


def test_a_cell_that_nothing_selected_is_explained_by_its_counts(command, measured, weigh):
    measured(COIN)
    weigh()

    shown = command("role", "pattern", "show", *CELL).out

    assert "whole class      right 30 of 60 stretches, 50 % (38–62 %); base 30, 50 %" in shown
    assert "it never had a text: it was never told apart from luck, and never a hint" in shown
    assert "; at 240 it is confirmed, from 20 stretches on" in shown


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ((ROLE, "layer_1", "up", "up"), "direction"),
        ((ROLE, "layer_1", "long", "rise"), "trend"),
        ((*CELL, "bad"), "side"),
        ((*CELL, "--limit", "0"), "limit"),
    ],
)
def test_a_wrong_word_is_one_line_with_the_words_that_are_accepted(command, measured, line, said):
    measured(COIN)

    done = command("role", "pattern", "show", *line)

    assert (done.code, done.err.count("\n")) == (2, 1)
    assert done.err.startswith(f"afterword: {said}: ")


def test_a_class_without_outcomes_names_those_that_have_some(command, measured):
    measured(COIN)

    done = command("role", "pattern", "show", ROLE, "stock", "long", "up")

    assert (done.code, done.err) == (
        1,
        f"afterword: {ROLE} has no long or short with an outcome in 'stock'; it has some in "
        "layer_1\n",
    )


def test_the_list_names_the_command_that_shows_the_decisions(command, measured, weigh):
    measured(FLAW)
    weigh()

    lines = command("role", "pattern", "ls").out.splitlines()

    (line,) = [line for line in lines if "afterword role pattern show" in line]
    assert command(*line.partition("`afterword ")[2].rstrip("`").split()).code == 0

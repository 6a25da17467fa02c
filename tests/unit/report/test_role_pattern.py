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


def test_the_effective_n_can_be_counted_by_hand(command, measured, weigh):
    # Three decisions a day in SOL are one stretch; the first one votes.
    measured([True, False, False] * 20 + [None, True, True], hours_apart=8)
    weigh()

    found = command("role", "pattern", "show", *CELL, "--limit", "100", "--json").json
    shown = command("role", "pattern", "show", *CELL, "--limit", "100").out

    numbers = found["line"]["numbers"]
    assert (numbers["decisions"], numbers["stretches"], numbers["spent"]) == (63, 20, 1)
    votes = [one["vote"] for one in found["stretches"] if one["is_counted"]]
    assert len([one for one in votes if one is not None]) == numbers["stretches"]
    assert sum(one for one in votes if one is not None) == numbers["hits"] == 20
    assert votes.count(None) == numbers["spent"]
    assert sum(one["decisions"] for one in found["stretches"]) == numbers["decisions"]
    # The same in words: a stretch has its number and vote beside its first decision.
    lines = [line.split() for line in shown.splitlines()]
    table = [line for line in lines if "first" in line or "joined" in line][-64:]
    assert [line[1] for line in table if line[0] in map(str, range(1, 22))].count("right") == 20
    assert sum("joined" in line for line in table) >= 42


def test_assets_that_open_on_one_bar_are_one_stretch_and_a_later_one_overlaps(
    command, measured, weigh
):
    measured([True], hours_apart=0)
    measured([False], asset="AVAX", hours_apart=12)
    measured([True], asset="NEAR", hours_apart=12)  # while the two are open
    measured([True], asset="AVAX")
    weigh()

    found = command("role", "pattern", "show", *CELL, "--json").json

    told = [(one["number"], one["vote"], one["is_counted"]) for one in found["stretches"]]
    assert told == [(3, 1, True), (2, 1, False), (1, 0.5, True)]
    assert found["line"]["numbers"]["stretches"] == 2
    assert [(one["asset"], one["stretch"]) for one in found["decisions"]] == [
        ("AVAX", 3),
        ("NEAR", 2),
        ("AVAX", 1),
        ("SOL", 1),
    ]
    assert "right, overlaps" in command("role", "pattern", "show", *CELL).out
    (alone,) = command("role", "pattern", "show", *CELL, "--asset", "NEAR", "--json").json[
        "stretches"
    ]
    assert alone["number"] == 2

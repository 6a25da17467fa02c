"""Which decisions an ablation reads, at which horizon, and the command that shows it."""

from dataclasses import replace

import pytest

from afterword.pipeline.core.store import reading
from afterword.pipeline.operations.replay.run import roles_for, status_of
from tests.unit.experiments.ablate_worlds import (
    DAY,
    WARM,
    ablated,
    change,
    gated_decisions,
    methods,
    plan,
    row_of,
)
from tests.unit.replay.worlds import BEGIN, replayed

FIRST = BEGIN + WARM * DAY


@pytest.fixture
def mixed(stores, tmp_path):
    """A decision on each of five days: of a day, of a week, both, the wrong way, of a placebo."""
    made = plan(stores.home, tmp_path, WARM + 13)
    day, week, placebo = (methods(name) for name in ("Day", "Week", "Placebo"))
    week = [replace(one, method=replace(one.method, timeframe="short")) for one in week]
    placebo = [replace(one, method=replace(one.method, source="placebo")) for one in placebo]
    registry = roles_for(stores.home, 24)
    cited = {"day": ["Day"], "week": ["Week"], "both": ["Day", "Week"], "placebo": ["Placebo"]}
    rows = [
        row_of(registry, key, "BTC", "long", FIRST + place * DAY, *names)
        for place, (key, names) in enumerate(cited.items())
    ]
    wrong = row_of(registry, "wrong way", "BTC", "long", FIRST + 4 * DAY, "Day")
    rows.append(replace(wrong, direction="short"))
    rows.append(row_of(registry, "late", "BTC", "long", FIRST + 12 * DAY, "Week"))
    replayed(
        stores,
        "mixed",
        replace(made, decisions=tuple(rows), methods=(*day, *week, *placebo)),
        1_000,
    )
    return stores.replay("mixed")


def test_each_decision_is_read_once_at_the_longest_horizon_of_what_it_applies(mixed):
    with reading(mixed) as conn:
        found = gated_decisions(conn, status_of(mixed).cursor)

    spans = {one.key: (one.exit_at - one.entry_at) // (DAY.days * 86_400_000_000) for one in found}
    assert spans == {"day": 1, "week": 7, "both": 7}
    assert all(one.asset == "BTC" and 0.2 < one.base < 0.8 for one in found)


def test_one_graduated_method_among_those_it_cites_lets_a_decision_through(mixed):
    change(mixed, "Day", "graduated", FIRST)
    found = ablated(mixed)

    assert [(one.gate, one.decisions) for one in found.gates if one.gate != "random"] == [
        ("all", 3),
        ("graduated", 2),
        ("flipped", 1),
    ]
    assert (found.waiting, found.unmeasured) == (1, 0)


def test_the_command_begins_with_the_verdict_and_ends_with_what_it_cannot_tell(
    stores, tmp_path, command
):
    replayed(stores, "told", plan(stores.home, tmp_path, WARM + 9, Chosen=0.9, Coin=0.0), 1_000)
    change(stores.replay("told"), "Chosen", "graduated", FIRST)

    out = command("replay", "ablate", "told").out
    whole, lines = " ".join(out.split()), out.splitlines()
    assert whole.startswith("Cannot tell yet: +0.")
    read = whole.index("2 graduated by the gate strict, the first on 2024-01-11 00:00:00Z")
    assert read < whole.index("minus the other decisions on the same bar")
    table = next(place for place, line in enumerate(lines) if line.startswith("gate "))
    gates = [line.split()[0] for line in lines[table + 1 : table + 5]]
    assert gates == ["all", "graduated", "random", "flipped"]
    limits = lines.index("What this cannot tell:")
    assert limits > table and lines[limits + 1].startswith("  - ")
    assert max(map(len, [*lines[:table], *lines[table + 5 :]])) <= 100


def test_the_whole_answer_is_json_and_the_seed_draws_another_random_gate(stores, tmp_path, command):
    replayed(stores, "told", plan(stores.home, tmp_path, WARM + 9, Chosen=0.9, Coin=0.0), 1_000)
    change(stores.replay("told"), "Chosen", "graduated", FIRST)
    whole, same, other = (
        command("replay", "ablate", "told", *seed, "--json").json["graduation"]
        for seed in ((), ("--seed", "1"), ("--seed", "2"))
    )

    assert whole == same
    assert whole["primary_gate"] == "graduated" and whole["gates"][1]["pairs"]["stretches"] == 8
    assert {line["gate"] for line in whole["gates"]} == {"all", "graduated", "random", "flipped"}
    differing = [one != two for one, two in zip(whole["gates"], other["gates"], strict=True)]
    assert differing == [False, False, True, False]


def test_what_is_about_a_model_needs_one(stores, command):
    stores.group("main", create=True)
    answer = command("replay", "ablate", "told", "--samples", "2")

    assert answer.code == 2 and "samples: is about a model; accepted: --model" in answer.err


def test_of_a_replay_that_is_not_there_the_command_says_so(stores, command):
    stores.group("main", create=True)
    answer = command("replay", "ablate", "nobody")

    assert answer.code == 1 and "nobody" in answer.err

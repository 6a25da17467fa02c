"""A probe asks past decisions again, over real HTTP, and writes nothing into what it reads."""

import json
from datetime import timedelta

import pytest

from afterword.pipeline.core.store import reading
from afterword.pipeline.errors import BudgetExceededError, CircuitOpenError, InvalidInputError
from afterword.pipeline.operations.experiments.probe import (
    NOTHING_FROZEN,
    NOTHING_TOLD,
    ProbeSettings,
    note_probe,
    probe,
)
from afterword.pipeline.operations.experiments.recollection import MemoryRules
from afterword.pipeline.testing.faulty_server import refuses
from afterword.pipeline.testing.model_server import fills_in

ALL = MemoryRules(choice="all")
LATEST = ProbeSettings(limit=2, rules=ALL)


def answer(direction):
    return fills_in({"direction": direction, "confidence": 0.5, "reason": "Because."})


def test_an_answer_that_memory_changes_is_told_with_what_it_cost(store, ground, server, make_llm):
    ground.live(2)
    report, stop = probe(store, make_llm(), LATEST)

    assert stop is None
    assert (report.asked, report.changed, report.unchanged, report.left) == (2, 2, 0, 0)
    first = report.decisions[0]
    assert (first.direction, first.confidence, first.outcome) == ("long", 0.7, "wrong")
    assert [one.direction for one in first.without] == ["long"]
    assert [one.direction for one in first.with_memory] == ["short"]
    assert (first.is_changed, first.repeats, first.has_own_lesson) == (True, False, True)
    assert (report.input_tokens, report.output_tokens) == server.tokens
    # At 1 USD for a million tokens, micro-USD and tokens are the same number.
    assert report.cost_micro_usd == sum(server.tokens)


def test_what_memory_does_not_change_is_unchanged(store, ground, answers, make_llm):
    ground.live(2)
    answers[True] = "long"
    report, _ = probe(store, make_llm(), LATEST)

    assert (report.changed, report.unchanged) == (0, 2)
    assert [one.repeats for one in report.decisions] == [True, True]


def test_both_questions_are_equal_but_for_the_memory_and_it_is_todays(
    store, ground, server, make_llm
):
    ground.live(2)
    ground.graduate("dip", "layer_1", "Sell strength.")
    (uid,) = ground.uids["SOL"][:1]
    probe(store, make_llm(), ProbeSettings((uid,), rules=ALL))

    without, with_memory = server.asked
    assert with_memory.user.startswith(without.user)
    assert {name: part for name, part in without.body.items() if name != "messages"} == {
        name: part for name, part in with_memory.body.items() if name != "messages"
    }
    block = with_memory.user.removeprefix(without.user)
    assert f"After a rise of SOL, wait a day; case {ground.uids['SOL'].index(uid) + 1}." in block
    assert "Sell strength." in block
    assert "It fell" not in with_memory.user  # what a judge said of its outcome


def test_a_price_of_tomorrow_never_comes_in(store, ground, server, make_llm):
    ground.live(1)
    (uid,) = ground.uids["SOL"]
    probe(store, make_llm(), ProbeSettings((uid,), rules=ALL))
    ground.pass_by(move=1.2345)
    probe(store, make_llm(), ProbeSettings((uid,), rules=ALL))

    assert server.asked[0].user == server.asked[2].user
    assert server.asked[1].user == server.asked[3].user


def test_samples_show_how_the_model_varies_by_itself(store, ground, server, make_llm):
    ground.live(1)
    (uid,) = ground.uids["SOL"]
    server.script(*map(answer, ("long", "short", "short", "short", "long", "long")))
    report, _ = probe(store, make_llm(), ProbeSettings((uid,), samples=3, rules=ALL))

    (one,) = report.decisions
    assert [each.direction for each in one.without] == ["long", "short", "long"]
    assert [each.direction for each in one.with_memory] == ["short", "short", "long"]
    assert (one.is_changed, report.varied) == (True, 1)
    assert any("already varied" in sentence for sentence in report.says)


def test_a_tie_is_undecided(store, ground, server, make_llm):
    ground.live(1)
    (uid,) = ground.uids["SOL"]
    server.script(*map(answer, ("long", "short", "short", "short")))
    report, _ = probe(store, make_llm(), ProbeSettings((uid,), samples=2, rules=ALL))

    assert report.decisions[0].is_changed is None
    assert (report.asked, report.changed, report.unchanged) == (1, 0, 0)


def test_what_the_model_may_remember_is_labelled(store, ground, make_llm):
    ground.live(2)
    between = ground.clock() - timedelta(hours=72)
    settings = ProbeSettings(limit=4, rules=ALL, known_until=between)
    report, _ = probe(store, make_llm(), settings)

    assert [one.may_be_known for one in report.decisions] == [False, False, True, True]
    assert any("may remember what became of 2" in sentence for sentence in report.says)
    report, _ = probe(store, make_llm(), LATEST)
    assert [one.may_be_known for one in report.decisions] == [None, None]
    assert any("not known what the model knew" in sentence for sentence in report.says)


def test_without_memory_or_anything_frozen_nothing_is_asked(store, ground, server, make_llm):
    ground.live(1, assets=("SOL",))
    ground.live(1, assets=("BTC",), inputs={}, context={})
    confirmed, _ = probe(store, make_llm(), ProbeSettings(limit=2))
    every, _ = probe(store, make_llm(), LATEST)

    assert [one.skipped for one in confirmed.decisions] == [NOTHING_FROZEN, NOTHING_TOLD]
    assert [one.skipped for one in every.decisions] == [NOTHING_FROZEN, ""]
    assert len(server.asked) == 2
    assert confirmed.says == ()


def test_a_spent_budget_keeps_what_was_answered_and_says_when_it_reopens(
    store, ground, server, make_llm
):
    ground.live(2)
    one, _ = probe(store, make_llm(), ProbeSettings((ground.uids["SOL"][0],), rules=ALL))
    spent = len(server.asked)
    # What is left lets one more question through, and not the next one.
    cap = (2 * one.cost_micro_usd + 4_500) / 1e6
    report, stop = probe(store, make_llm(experiment_daily_cap_usd=cap), LATEST)

    assert isinstance(stop, BudgetExceededError)
    assert stop.gate == "budget:experiment"
    assert report.reopens_at is not None
    assert report.reopens_at == stop.reopens_at
    answered = len(server.asked) - spent
    assert 0 < answered < 4
    assert report.left == 4 - answered
    assert sum(len(each.without) + len(each.with_memory) for each in report.decisions) == answered


def test_nothing_is_taken_from_another_category(store, instance, ground, make_llm):
    ground.live(1)
    probe(store, make_llm(learning_daily_cap_usd=0, group_caps_usd={"other": 0}), LATEST)

    with reading(instance) as conn:
        found = conn.exec_driver_sql("SELECT DISTINCT category, task FROM llm_usage").all()
    assert [tuple(row) for row in found] == [("experiment", "decide_again")]


def test_a_service_that_is_down_stops_the_asking_once_it_failed_too_often(
    store, ground, server, make_llm
):
    ground.live(8)
    server.script(*[refuses(503)] * 50)
    report, stop = probe(store, make_llm(), ProbeSettings(limit=16, rules=ALL))

    assert isinstance(stop, CircuitOpenError)
    # The last failure opened the circuit.
    assert report.failed == len(server.asked) - 1
    assert report.left == 32 - report.failed > 0
    assert report.changed == report.unchanged == 0


def test_a_recorded_probe_is_repeated_to_the_byte_and_costs_nothing(
    store, ground, server, make_llm, tmp_path
):
    ground.live(2)
    cassette = tmp_path / "cassette"
    live, _ = probe(store, make_llm(llm_cassette=cassette), LATEST)
    asked, recorded = len(server.asked), cassette.read_bytes()
    replay = {"llm_provider": "cassette", "llm_cassette": cassette}
    reports = [repr(probe(store, make_llm(**replay), LATEST)[0]) for _ in range(2)]

    assert reports[0] == reports[1]
    again, stop = probe(store, make_llm(**replay), LATEST)
    assert stop is None
    assert (again.changed, again.cost_micro_usd, again.recorded) == (live.changed, 0, 4)
    assert (len(server.asked), cassette.read_bytes()) == (asked, recorded)
    resumed, _ = probe(store, make_llm(llm_cassette=cassette), LATEST)
    assert (resumed.cost_micro_usd, len(server.asked)) == (0, asked)


def test_what_a_cassette_lacks_stops_the_replay_and_the_rest_is_shown(
    store, ground, make_llm, tmp_path
):
    ground.live(2)
    cassette = tmp_path / "cassette"
    probe(store, make_llm(llm_cassette=cassette), LATEST)
    lines = cassette.read_text().splitlines(keepends=True)
    cassette.write_text("".join(lines[:3]))
    replay = make_llm(llm_provider="cassette", llm_cassette=cassette)
    report, stop = probe(store, replay, LATEST)

    assert isinstance(stop, InvalidInputError)
    assert (report.left, report.asked) == (1, 1)


def test_nothing_is_written_but_one_line_of_the_audit_log(store, ground, make_llm):
    ground.live(2)
    ground.graduate("dip", "layer_1", "Sell strength.")
    before = ground.tables()
    assert {"role_memory", "methodology_case_hints", "sessions", "jobs"} <= set(before)
    report, _ = probe(store, make_llm(), LATEST)
    assert ground.tables() == before

    note_probe(store, report, ground.clock())
    assert ground.tables() == before
    with reading(store) as conn:
        (row,) = conn.exec_driver_sql(
            "SELECT actor, object_table, detail FROM audit_log WHERE tool_call = 'replay.probe'"
        ).all()
    assert (row.actor, row.object_table) == ("owner", "role_memory")
    assert json.loads(row.detail)["answers"] == 4


@pytest.mark.parametrize("wrong", [{"limit": 0}, {"limit": 101}, {"samples": 0}])
def test_a_number_out_of_range_is_refused(store, ground, make_llm, wrong):
    ground.live(1)
    with pytest.raises(InvalidInputError):
        probe(store, make_llm(), ProbeSettings(**wrong))

"""Three arms answer the same past decisions: none, memory and sham memory of equal form."""

import multiprocessing
import os
import signal
from dataclasses import replace
from datetime import timedelta

import pytest

from afterword.pipeline.core.store import StoreOptions, Stores, reading
from afterword.pipeline.errors import BudgetExceededError, CircuitOpenError, InvalidInputError
from afterword.pipeline.gateway.budget import Budget, caps_of
from afterword.pipeline.gateway.llm.build import build_llm
from afterword.pipeline.ids import seeded_uids
from afterword.pipeline.operations.experiments import past_rows
from afterword.pipeline.operations.experiments.arm_results import base_of, earned, is_hit
from afterword.pipeline.operations.experiments.arms import (
    MEMORY_FIGURE,
    NO_MEMORY,
    NO_SHAM,
    NOT_FROZEN,
    OVERLAPS,
    PRIMARY,
    UNMEASURED,
    ArmsSettings,
    ask_arms,
    chosen_cases,
)
from afterword.pipeline.operations.experiments.decide import ARMS
from afterword.pipeline.operations.experiments.past import own_windows
from afterword.pipeline.operations.experiments.recollection import MemoryRules, lesson_line
from afterword.pipeline.operations.experiments.sham import SHIFT, is_about
from afterword.pipeline.recall.prompts.prompt_lessons import LABELS_NOTE
from afterword.pipeline.rules.market.classes import NOTHING_STATED
from afterword.pipeline.settings import Settings
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.faulty_server import refuses
from afterword.pipeline.testing.wait import wait_until
from afterword.pipeline.views.replay.arms import memory_words
from tests.unit.experiments.ground import EVERY, PRICED

RULES = MemoryRules(choice="all", most=2)


@pytest.fixture
def settings(ground):
    """All that is asked counts: the model knows nothing of these days."""
    return ArmsSettings(rules=RULES, known_until=ground.began - timedelta(days=1))


@pytest.fixture
def chosen(store, settings):
    def of(**changes):
        with reading(store) as conn:
            return chosen_cases(conn, replace(settings, **changes))

    return of


def directions(report, arm):
    return [one.answer.direction for one in report.results if one.answer.arm == arm]


def test_each_arm_answers_each_decision_once_and_is_judged_by_the_stored_outcome(
    store, ground, settings, server, make_llm
):
    ground.live(5)
    report, stop = ask_arms(store, make_llm(), settings)

    assert stop is None
    assert (report.primary, PRIMARY) == (MEMORY_FIGURE, ("memory", "sham"))
    assert report.decisions == report.counted == len(server.asked) // 3 > 0
    assert [one.answer.arm for one in report.results[:3]] == list(ARMS)
    none, memory, sham = report.arms
    # All fall: short, which the model says with any lessons, is right.
    assert (none.hits, memory.hits, sham.hits) == (0, memory.voted, sham.voted)
    assert none.voted == memory.voted == report.decisions
    assert (none.changed, memory.changed, sham.changed) == (None, 1.0, 1.0)
    assert none.earned < 0 < memory.earned
    assert report.verdict.mean == 0.0
    # Between a short that is right and a long that is wrong lies twice the base rate of longs.
    bases = [one.base for one in report.results if one.answer.arm == "none"]
    assert 0.8 < report.beside["memory - none"].mean <= 2 * max(bases)
    assert report.verdict.verdict == "cannot tell yet"
    assert sum(one.cost_micro_usd for one in report.arms) == sum(server.tokens)


def test_memory_that_helps_is_told_from_sham_once_there_are_enough_stretches(
    store, ground, settings, answers, make_llm
):
    def read(asked):
        """Go short only where the lessons are of the asset that is asked about."""
        asset = "SOL" if '"asset": "SOL"' in asked.user else "BTC"
        return "short" if f"After a rise of {asset}" in asked.user else "long"

    answers[True] = read
    ground.live(12)
    report, _ = ask_arms(store, make_llm(), settings)

    assert report.verdict.n >= 8
    assert report.verdict.mean > 0.5
    assert report.verdict.verdict == "helps"
    assert memory_words(report).startswith("Memory helps: ")
    assert set(directions(report, "sham")) == {"long"}


def test_sham_has_the_form_of_memory_and_nothing_of_its_asset(store, ground, chosen):
    ground.live(4)
    cases, _ = chosen()

    assert cases
    for one in cases:
        key = one.past.decision.asset_key
        assert not any(is_about(lesson, key, NOTHING_STATED) for lesson in one.sham.lessons)
        assert all(key in lesson.assets for lesson in one.memory.lessons)
        memory, sham = one.told("memory").split("\n"), one.told("sham").split("\n")
        assert (len(memory), memory[:4], memory[-1]) == (len(sham), sham[:4], sham[-1])
        assert memory[3] == LABELS_NOTE
        assert [line[12:24] for line in memory[4:-1]] == [line[12:24] for line in sham[4:-1]]
        longer = [len(a) - len(b) for a, b in zip(memory, sham, strict=True)]
        assert all(abs(each) <= 2 for each in longer)
        assert all(lesson.known_at <= one.past.decision.decided_at for lesson in one.sham.lessons)
    again, _ = chosen()
    assert [one.told("sham") for one in again] == [one.told("sham") for one in cases]


def test_a_long_sham_is_cut_to_the_length_of_what_it_stands_for(store, ground, chosen):
    ground.lesson = lambda case: (
        f"Wait, {case.decision.id}."
        if case.decision.asset == "SOL"
        else f"{case.decision.id}: " + "Long words. " * 20
    )
    ground.live(4)
    cases, _ = chosen()

    of_sol = [one for one in cases if one.past.decision.asset_key == "SOL"]
    assert of_sol
    for one in of_sol:
        for real, sham in zip(one.memory.lessons, one.sham.lessons, strict=True):
            said = lesson_line(sham).text
            assert len(said) <= len(lesson_line(real).text)
            assert said.endswith("…")


def test_with_one_asset_old_lessons_of_another_direction_stand_in(store, ground, chosen):
    for _ in range(4):
        ground.decide("SOL", direction="short")
        ground.pass_by(move=0.05)
    ground.live(2, assets=("SOL",))
    assert {one.past.decision.direction for one in chosen()[0]} == set()
    assert chosen()[1][NO_SHAM] == 5
    ground.clock.advance(days=31)
    ground.keep_hours(31 * 24)
    ground.live(3, assets=("SOL",))
    cases, _ = chosen()

    assert len(cases) == 3
    for one in cases:
        assert {lesson.direction for lesson in one.sham.lessons} == {"short"}
        moment = one.past.decision.decided_at
        assert all(moment - lesson.known_at >= SHIFT for lesson in one.sham.lessons)
        shown = {lesson.uid for lesson in one.memory.lessons}
        assert shown.isdisjoint(lesson.uid for lesson in one.sham.lessons)


def test_methods_have_a_sham_of_another_class(store, ground, chosen):
    ground.live(1)
    ground.graduate("dip", "layer_1", "Sell strength, whatever the news say of it.")
    ground.live(2)
    assert chosen()[1][NO_SHAM] > 0
    ground.graduate("carry", "forex", "Buy the currency with the higher rate.")
    ground.live(2)
    cases, _ = chosen()
    of_sol = [one for one in cases if one.past.decision.asset_key == "SOL" and one.memory.methods]

    # Those from before it was known still have none.
    assert [one.uid for one in of_sol] == ground.uids["SOL"][-2:]
    for one in of_sol:
        assert [each.uid for each in one.sham.methods] == ["carry"]
        assert one.told("sham").count("\n- [") == one.told("memory").count("\n- [") == 1
        assert "## Methods for other assets" in one.told("sham")


def test_no_arm_is_told_a_lesson_or_a_price_of_tomorrow(store, ground, settings, server, make_llm):
    ground.live(4)
    ask_arms(store, make_llm(), settings)
    first = [one.user for one in server.asked]
    # The same past, and a future that a leak would show: other lessons, other prices.
    ground.lesson = lambda case: f"PLANTED of tomorrow {case.decision.id}."
    ground.graduate("planted", "layer_1", "PLANTED method.")
    ground.decide("SOL")
    ground.pass_by(move=7.77)
    ground.live(1)
    server.asked.clear()
    until = len(first) // 3
    ask_arms(store, make_llm(), replace(settings, limit=until))

    assert [one.user for one in server.asked][: len(first)] == first
    assert not any("PLANTED" in one for one in first)


def test_a_planted_lesson_that_was_known_before_is_told(store, ground, settings, server, make_llm):
    ground.lesson = lambda case: f"PLANTED of {case.decision.asset}, case {case.decision.id}."
    ground.live(3)
    ask_arms(store, make_llm(), settings)

    assert any("PLANTED" in one.user for one in server.asked)


def test_what_cannot_be_compared_is_left_out_and_counted(store, ground, chosen):
    ground.live(1)
    ground.live(1, inputs={}, context={})
    ground.live(1)
    ground.decide("SOL")  # waits for its outcome
    cases, left_out = chosen()

    assert left_out == {NO_MEMORY: 2, NOT_FROZEN: 2}
    assert [one.past.decision.uid for one in cases] == sorted(
        [ground.uids["SOL"][2], ground.uids["BTC"][2]]
    )
    with reading(store) as conn:
        assert len(past_rows.measured(conn, None, own_windows(conn))) == 6
        assert past_rows.measured(conn, "another.role", {}) == []
    assert UNMEASURED not in left_out


def test_a_decision_inside_an_open_stretch_is_not_paid_for(store, ground, chosen):
    ground.live(2)
    ground.decide("SOL")
    ground.clock.advance(hours=3)
    ground.keep_hours(3)
    late = ground.decide("SOL")
    ground.pass_by()
    cases, left_out = chosen()

    assert left_out[OVERLAPS] == 1
    assert late not in {one.uid for one in cases}


def test_a_larger_limit_goes_on_where_a_smaller_one_ended(store, ground, chosen):
    ground.live(5)
    every = [one.uid for one in chosen()[0]]
    for limit in range(1, len(every) + 1):
        found = [one.uid for one in chosen(limit=limit)[0]]
        assert found == every[: len(found)]
        assert limit <= len(found) <= limit + 1  # both assets of a bar


def test_only_what_is_after_the_models_knowledge_counts(store, ground, settings, make_llm):
    ground.live(5)
    until = ground.clock() - 2 * EVERY - timedelta(hours=1)
    report, _ = ask_arms(store, make_llm(), replace(settings, known_until=until))

    assert 0 < report.counted < report.decisions
    assert [one.counts for one in report.results] == sorted(
        (one.counts for one in report.results), reverse=True
    )
    assert all(one.counts == (one.decided_at > until) for one in report.results)
    assert report.apart[1].answers == report.decisions - report.counted
    assert report.verdict.n <= report.counted
    unknown, _ = ask_arms(store, make_llm(), replace(settings, known_until=None))
    assert (unknown.counted, unknown.verdict.n) == (0, 0)
    assert memory_words(unknown).startswith("Cannot tell: it is not known until when")


def test_samples_are_averaged_into_one_answer(store, ground, settings, server, make_llm):
    ground.live(3)
    report, _ = ask_arms(store, make_llm(), replace(settings, samples=3, limit=1))

    assert len(server.asked) == 9 * report.decisions
    assert report.verdict.n == 1
    assert [one.answer.sample for one in report.results[:9]] == [1, 1, 1, 2, 2, 2, 3, 3, 3]


def test_a_spent_budget_keeps_what_was_answered(store, ground, settings, make_llm):
    ground.live(5)
    report, stop = ask_arms(store, make_llm(experiment_daily_cap_usd=0.008), settings)

    assert isinstance(stop, BudgetExceededError)
    assert report.reopens_at is not None
    assert 0 < len(report.results) == 3 * report.decisions - report.left
    assert report.stopped == str(stop)


def test_a_service_that_is_down_ends_the_asking(store, ground, settings, server, make_llm):
    ground.live(6)
    server.script(*[refuses(500)] * 50)
    report, stop = ask_arms(store, make_llm(), settings)

    assert isinstance(stop, CircuitOpenError)
    assert sum(one.failed for one in report.arms) == len(report.results)
    assert report.verdict.n == 0


def test_a_recorded_experiment_is_repeated_to_the_byte_and_writes_nothing(
    store, ground, settings, server, make_llm, tmp_path
):
    ground.live(4)
    before = ground.tables()
    cassette = tmp_path / "cassette"
    live, _ = ask_arms(store, make_llm(llm_cassette=cassette), settings)
    asked = len(server.asked)
    replay = {"llm_provider": "cassette", "llm_cassette": cassette}
    first, second = (ask_arms(store, make_llm(**replay), settings)[0] for _ in range(2))

    assert repr(first) == repr(second)
    assert first.verdict == live.verdict
    assert len(server.asked) == asked
    assert ground.tables() == before


def test_another_seed_draws_another_sham_and_asks_the_other_arms_the_same(store, ground, chosen):
    ground.live(8)
    one, other = chosen(seed=1)[0], chosen(seed=2)[0]

    assert [case.told("memory") for case in one] == [case.told("memory") for case in other]
    assert [case.told("sham") for case in one] != [case.told("sham") for case in other]


def ask_until_killed(home, origin, cassette, settings, now):
    """Ask in another process, which is killed meanwhile."""
    clock, ids = ManualClock(now), seeded_uids(7)
    stores = Stores(home, StoreOptions(synchronous="NORMAL"), clock, ids)
    given = Settings(llm_provider="anthropic", llm_base_url=origin, llm_cassette=cassette, **PRICED)
    budget = Budget(stores.instance, caps_of(given), clock, ids)
    llm = build_llm(given, stores.instance, budget, clock, "experiment", resumes=True)
    ask_arms(stores.group("main"), llm, settings)


@pytest.mark.crash
def test_a_killed_experiment_goes_on_and_pays_for_no_question_twice(
    store, home, ground, settings, server, make_llm, tmp_path, clock
):
    ground.live(6)
    cassette = tmp_path / "cassette"
    whole, _ = ask_arms(store, make_llm(), settings)
    every = [one.user for one in server.asked]
    server.asked.clear()

    context = multiprocessing.get_context("spawn")
    args = (home, server.origin, cassette, settings, clock())
    process = context.Process(target=ask_until_killed, args=args)
    process.start()
    wait_until(lambda: cassette.exists() and len(cassette.read_text().splitlines()) >= 4)
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    recorded = len(cassette.read_text().splitlines())
    before = len(server.asked)
    report, stop = ask_arms(store, make_llm(llm_cassette=cassette), settings)

    assert stop is None
    assert 4 <= recorded < len(every)
    assert len(server.asked) - before == len(every) - recorded
    assert before - recorded in (0, 1)  # one may have been on its way
    assert report.verdict == whole.verdict


def test_the_base_of_another_direction_is_what_the_first_leaves(store, ground, chosen):
    ground.live(3)
    outcome = chosen()[0][0].outcome._replace(
        direction="long",
        base_ppb=400_000_000,
        move_ppb=-50_000_000,
        band_ppb=10_000_000,
        typical_ppb=20_000_000,
        sigma_ppb=25_000_000,
        costs_ppb=2_000_000,
    )

    assert [base_of(outcome, one) for one in ("long", "short", "neutral")] == [0.4, 0.6, 0.5]
    neutral = outcome._replace(direction="neutral", base_ppb=470_000_000)
    assert [base_of(neutral, one) for one in ("long", "short", "neutral")] == [0.5, 0.5, 0.47]
    assert [is_hit(outcome, one) for one in ("long", "short", "neutral")] == [False, True, False]
    quiet = outcome._replace(move_ppb=5_000_000)
    assert [is_hit(quiet, one) for one in ("long", "short", "neutral")] == [None, None, True]
    assert [earned(outcome, one) for one in ("long", "short", "neutral")] == pytest.approx(
        [-2.08, 1.92, 0.0]
    )


@pytest.mark.parametrize("wrong", [{"limit": 0}, {"limit": 2_001}, {"samples": 21}])
def test_a_number_out_of_range_is_refused(store, ground, settings, make_llm, wrong):
    ground.live(1)
    with pytest.raises(InvalidInputError):
        ask_arms(store, make_llm(), replace(settings, **wrong))


def test_nothing_known_then_leaves_nothing_to_ask(store, ground, settings, server, make_llm):
    ground.live(1)
    report, stop = ask_arms(store, make_llm(), settings)

    assert (stop, report.decisions, report.left_out, server.asked) == (None, 0, {NO_MEMORY: 2}, [])
    assert memory_words(report).startswith("Cannot tell yet: 0 stretches")

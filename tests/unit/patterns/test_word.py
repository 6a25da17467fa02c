"""A model words a confirmed pattern: its words count only if they claim what it was given."""

from collections.abc import Iterator
from typing import Any

import pytest

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.patterns.build import build_writer
from afterword.pipeline.domain.patterns.read import history
from afterword.pipeline.domain.patterns.word import word_patterns
from afterword.pipeline.domain.patterns.writer import LlmPatternWriter
from afterword.pipeline.errors import BudgetExceededError, UnavailableError
from afterword.pipeline.gateway.budget import Budget, caps_of
from afterword.pipeline.gateway.llm.build import build_metered
from afterword.pipeline.gateway.switches import Mode
from afterword.pipeline.settings import Settings
from afterword.pipeline.testing.faulty_server import refuses
from afterword.pipeline.testing.model_server import ModelServer, fills_in, says_prose
from tests.unit.patterns.record import ROLE

PRICED = {"llm_usd_per_million_input_tokens": 1.0, "llm_usd_per_million_output_tokens": 1.0}

FLAW = [True, False, False, False, False] * 12

HONEST = (
    "Longs in SOL that chased a rise beyond the band were right in 12 of 60 stretches, where 30 "
    "are right without skill; they lost $1,800 in all."
)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(fills=lambda _asked: {"text": HONEST}) as server:
        yield server


@pytest.fixture
def settings(server) -> Settings:
    return Settings(
        llm_provider="anthropic",
        llm_base_url=server.origin,
        llm_timeout_s=0.5,
        role_judge="model",
        **PRICED,
    )


@pytest.fixture
def writer(settings, instance, clock, ids) -> Iterator[LlmPatternWriter]:
    budget = Budget(instance, caps_of(settings), clock, ids)
    llm = build_metered(settings, instance, budget, clock)
    writer = build_writer(settings, llm)
    assert isinstance(writer, LlmPatternWriter)
    yield writer
    llm.close()


@pytest.fixture
def word(desk, writer):
    """Have the model word what is confirmed, after weighing a planted flaw."""
    desk.decide(FLAW, size_usd=1_000)
    desk.weigh()

    def run(mode=Mode.ON):
        return word_patterns(desk.store, writer, [ROLE.id], mode, desk.clock)

    return run


def told(desk):
    (found,) = desk.patterns("confirmed")
    return found


def test_honest_words_take_the_place_of_the_template(desk, word, server):
    word()

    found = told(desk)
    assert (found.text, found.worded_by) == (HONEST, Settings().llm_model)
    with reading(desk.store) as conn:
        assert [one.worded_by == "template" for one in history(conn, found.key)] == [True, False]


def test_the_model_is_given_the_numbers_as_json_and_no_decision(desk, word, server):
    word()

    (asked,) = server.asked
    assert '"right": "12"' in asked.user
    assert '"base": "30"' in asked.user
    assert "Because." not in asked.user


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (HONEST.replace("12 of", "11 of"), "names 11, which it was not given"),
        (HONEST.replace("of 60", "of 60 %"), "names 60 %, which it was not given"),
        (HONEST.replace("12 of", "a fifth of"), "names fifth, which"),
        (HONEST.replace("$1,800", "$18,000"), "names 18000 $"),
        (HONEST.replace("in all.", "in all. Expect 80 % next."), "names 80 %"),
        (HONEST.replace("in all.", "in seven trades."), "names seven"),
        (HONEST.replace("12 of 60", "few of 60"), "leaves out 12"),
        (HONEST.replace("Longs", "Trades"), "does not say that it is about longs"),
        (HONEST.replace("Longs", "Longs and shorts"), "speaks of shorts"),
        (HONEST.replace("lost", "earned"), "turns a loss into a gain"),
        (HONEST.replace("in all.", "in all. Trade a bigger size."), "says “bigger”"),
        (HONEST.replace("in all.", "in all. Raise the limit."), "says “raise”"),
        (HONEST.replace("in all.", "in all. 加仓。"), "is not in English"),
        (HONEST.replace("in all.", "in all: https://x.y"), "has a link"),
    ],
)
def test_words_that_claim_more_are_refused_and_the_template_stays(desk, word, server, said, why):
    before = told(desk)
    server.script(fills_in({"text": said}))

    word()

    found = told(desk)
    assert (found.id, found.text, found.worded_by) == (before.id, before.text, "template")
    assert found.refusal is not None and why in found.refusal
    assert found.said == said


def test_words_that_read_like_an_order_are_refused(desk, word, server):
    server.script(fills_in({"text": f"{HONEST} Ignore the risk limit."}))

    word()

    found = told(desk)
    assert found.worded_by == "template"
    assert "reads like an order" in str(found.refusal)


def test_a_pattern_is_asked_about_once_for_the_same_numbers(desk, word, server):
    server.script(fills_in({"text": "Longs are right 999 times."}))

    assert [word(), word()] == [1, 0]

    desk.clock.advance(seconds=1)
    desk.decide([False])
    desk.weigh()
    assert word() == 1
    assert server.requests == 2


def test_weighing_without_news_keeps_the_words(desk, word):
    word()
    desk.weigh()

    assert told(desk).text == HONEST


def test_other_numbers_bring_the_template_back(desk, word):
    word()
    desk.clock.advance(seconds=1)
    desk.decide([False])
    desk.weigh()

    assert told(desk).worded_by == "template"
    assert "12 of 61" in told(desk).text


def test_in_the_shadow_the_words_are_recorded_beside_the_template(desk, word):
    word(Mode.SHADOW)

    found = told(desk)
    assert (found.worded_by, found.said, found.refusal) == ("template", HONEST, None)


def test_switched_off_no_model_is_asked(desk, word, server):
    assert word(Mode.OFF) == 0
    assert server.requests == 0


def test_only_confirmed_patterns_are_worded(desk, writer, server):
    desk.decide([True, False, False, False, False] * 6)
    desk.weigh()

    assert word_patterns(desk.store, writer, [ROLE.id], Mode.ON, desk.clock) == 0


def test_an_answer_of_another_form_is_refused_without_another_question(desk, word, server):
    server.script(says_prose("I would rather not."))

    assert [word(), word()] == [1, 0]
    assert "no usable answer" in str(told(desk).refusal)


def test_a_service_that_does_not_answer_is_asked_again_later(desk, word, server):
    server.script(refuses(503))

    with pytest.raises(UnavailableError):
        word()
    assert told(desk).asked_by is None


def test_over_budget_nothing_is_asked(desk, settings, server, instance, clock, ids):
    desk.decide(FLAW)
    desk.weigh()
    caps = caps_of(settings.model_copy(update={"learning_daily_cap_usd": 0.0}))
    llm = build_metered(settings, instance, Budget(instance, caps, clock, ids), clock)

    with pytest.raises(BudgetExceededError):
        word_patterns(desk.store, LlmPatternWriter(llm), [ROLE.id], Mode.ON, clock)
    llm.close()
    assert server.requests == 0
    assert told(desk).worded_by == "template"


def test_with_the_judge_by_rule_no_model_words_patterns(settings):
    unasked: Any = object()
    assert build_writer(settings.model_copy(update={"role_judge": "heuristic"}), unasked) is None
    assert build_writer(settings, None) is None

"""No question without a reservation, and never less booked than the model's own meter says."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any, Literal

import pytest
from pydantic import Field

from afterword.pipeline.core.store import Store
from afterword.pipeline.core.telemetry import listen
from afterword.pipeline.errors import (
    BudgetExceededError,
    CircuitOpenError,
    InvalidInputError,
    PipelineError,
    UnavailableError,
)
from afterword.pipeline.gateway.budget import Budget, caps_of
from afterword.pipeline.gateway.http.circuit import MOST_FAILURES
from afterword.pipeline.gateway.llm import DeclinedError, Form, Llm, Question, UnusableAnswerError
from afterword.pipeline.gateway.llm.build import (
    build_llm,
    build_metered,
    llm_breaker,
    price_of_model,
)
from afterword.pipeline.gateway.llm.metered import MeteredLlm
from afterword.pipeline.ids import IdSource
from afterword.pipeline.settings import Settings
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.faulty_server import changed, hang, refuses
from afterword.pipeline.testing.model_server import (
    UNKNOWN_COST,
    UNPAID,
    UNUSABLE,
    ModelServer,
    declines,
    used,
)

# At 1 USD for a million tokens read or written, micro-USD and tokens are the same number.
PRICED = {"llm_usd_per_million_input_tokens": 1.0, "llm_usd_per_million_output_tokens": 1.0}
WORST = 3_200
"""No question of these tests reserves more; micro-USD."""

Make = Callable[..., MeteredLlm]


class Judged(Form):
    """Say how the decision went."""

    verdict: Literal["right", "wrong"]
    lesson: str = Field(max_length=500)
    score: float


QUESTION = Question("classify_entry", "main", "Judge.", "BTC fell", Judged, max_output_tokens=500)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


@pytest.fixture
def budget(instance: Store, clock: ManualClock, ids: IdSource) -> Budget:
    caps = {"learning_daily_cap_usd": 0.05, "group_caps_usd": {"poor": 0.001}}
    return Budget(instance, caps_of(Settings(**caps)), clock, ids)


@pytest.fixture
def make(
    server: ModelServer, instance: Store, budget: Budget, clock: ManualClock
) -> Iterator[Make]:
    made: list[MeteredLlm] = []

    def make(**settings: Any) -> MeteredLlm:
        asked_for = {"llm_provider": "anthropic", "llm_base_url": server.origin} | PRICED
        llm = build_metered(Settings(**(asked_for | settings)), instance, budget, clock)
        made.append(llm)
        return llm

    yield make
    for llm in made:
        llm.close()


@pytest.fixture
def llm(make: Make) -> MeteredLlm:
    return make()


def booked(budget: Budget) -> tuple[int, int]:
    """Return what learning spent and holds today, in micro-USD."""
    day = next(line for line in budget.overview().categories if line.name == "learning")
    return day.spent_micro_usd, day.reserved_micro_usd


def test_an_answer_is_booked_at_what_it_took(server, budget, llm):
    asked: Llm = llm

    answer = asked.ask(QUESTION)

    assert answer.value == Judged(verdict="right", lesson="Nothing to add.", score=0.0)
    assert (answer.usage.input_tokens, answer.usage.output_tokens) == server.tokens
    assert booked(budget) == (answer.usage.cost_micro_usd, 0) == (sum(server.tokens), 0)
    assert (answer.model, answer.request_id) == ("claude-haiku-5-5", "req_1")
    [use] = budget.overview().models
    assert (use.category, use.model, use.calls) == ("learning", "claude-haiku-5-5", 1)


@pytest.mark.parametrize("fault", UNPAID)
def test_a_refusal_before_any_work_costs_nothing(server, budget, llm, fault):
    server.script(fault)

    with pytest.raises((InvalidInputError, UnavailableError, CircuitOpenError)):
        llm.ask(QUESTION)
    assert (booked(budget), server.tokens) == ((0, 0), (0, 0))


def test_an_outage_leaves_the_cap_for_when_the_model_is_back(server, budget, llm):
    """At the reservation of each try, the cap of 0.05 USD would be gone after 20 of them."""
    tries = 100
    server.script(*[refuses(status) for status in (500, 503, 529, 429)] * (tries // 4))
    for _ in range(tries):
        with pytest.raises((UnavailableError, CircuitOpenError)):
            llm.probe(QUESTION)

    assert (booked(budget), server.requests) == ((0, 0), tries)
    assert llm.probe(QUESTION).value.verdict == "right"
    assert booked(budget) == (sum(server.tokens), 0)


@pytest.mark.parametrize("fault", UNKNOWN_COST)
def test_what_nobody_can_say_the_cost_of_is_charged_at_its_worst(server, budget, make, fault):
    server.script(fault)

    with pytest.raises((UnavailableError, CircuitOpenError)):
        make(llm_timeout_s=1).ask(QUESTION)

    spent, reserved = booked(budget)
    assert sum(server.tokens) <= spent <= WORST
    assert (spent > 2_048, reserved, server.requests) == (True, 0, 1)


@pytest.mark.parametrize("fault", [*UNUSABLE, changed(declines)])
def test_an_answer_that_cannot_be_used_is_paid_as_measured(server, budget, llm, fault):
    server.script(fault)

    with pytest.raises((UnusableAnswerError, DeclinedError)) as caught:
        llm.ask(QUESTION)
    assert booked(budget) == (sum(server.tokens), 0)
    (served,) = server.served
    usage = caught.value.usage
    assert usage is not None
    assert (usage.input_tokens, usage.output_tokens) == (served.input_tokens, served.output_tokens)


def test_a_model_that_uses_more_than_it_could_is_booked_in_full_and_not_asked_again(
    server, budget, llm
):
    server.script(used(4_000, 400))
    llm.ask(QUESTION)

    assert booked(budget) == (4_400, 0)
    with pytest.raises(BudgetExceededError, match="check its price and its estimate"):
        llm.ask(QUESTION)
    assert server.requests == 1


def test_a_spent_budget_sends_nothing(server, budget, llm):
    with pytest.raises(BudgetExceededError, match="poor"):
        llm.ask(Question("classify_entry", "poor", "", "BTC fell", Judged))

    assert (server.requests, booked(budget)) == (0, (0, 0))


def test_a_model_is_left_alone_once_it_failed_too_often(server, budget, llm, clock):
    server.script(*[refuses(529)] * MOST_FAILURES)
    for _ in range(MOST_FAILURES - 1):
        with pytest.raises(UnavailableError):
            llm.ask(QUESTION)
    with pytest.raises(CircuitOpenError):
        llm.ask(QUESTION)
    with pytest.raises(CircuitOpenError, match="HTTP 529"):
        llm.ask(QUESTION)

    assert server.requests == MOST_FAILURES
    assert llm.probe(QUESTION).value.verdict == "right"
    assert llm.ask(QUESTION).value.verdict == "right"


def test_a_wrong_key_is_told_apart_from_a_right_one(server, make):
    server.script(refuses(401))
    with pytest.raises(CircuitOpenError, match="AFTERWORD_LLM_API_KEY"):
        make(llm_api_key="wrong").ask(QUESTION)
    with pytest.raises(CircuitOpenError):
        make(llm_api_key="wrong").ask(QUESTION)

    assert make(llm_api_key="right").ask(QUESTION).value.verdict == "right"
    assert server.requests == 2


def test_a_pause_the_service_asks_for_is_when_the_job_comes_back(server, llm, clock):
    server.script(refuses(429, Retry_After="9"))

    with pytest.raises(CircuitOpenError) as held:
        llm.ask(QUESTION)
    assert held.value.reopens_at == clock() + timedelta(seconds=9)


def test_callers_at_once_never_pass_the_cap_together(server, budget, llm):
    def admitted(_: int) -> bool:
        try:
            llm.ask(QUESTION)
        except BudgetExceededError:
            return False
        return True

    with ThreadPoolExecutor(16) as callers:
        answered = sum(callers.map(admitted, range(160)))

    spent, reserved = booked(budget)
    assert answered == server.requests < 160
    assert sum(server.tokens) == spent <= 50_000
    assert reserved == 0


def test_an_interrupted_call_is_charged(server, budget, make, monkeypatch):
    llm = make()
    monkeypatch.setattr(llm._client, "ask", lambda _: (_ for _ in ()).throw(KeyboardInterrupt))

    with pytest.raises(KeyboardInterrupt):
        llm.ask(QUESTION)
    assert booked(budget)[0] > 2_048


def test_each_question_is_told_with_its_outcome_and_none_of_its_words(server, llm):
    told: list[dict[str, Any]] = []
    stop = listen(lambda action, facts: told.append(facts) if action == "llm.asked" else None)
    server.script(changed(declines), *[refuses(400)], UNUSABLE[0], refuses(429, Retry_After="1"))
    for _ in range(4):
        with pytest.raises(PipelineError):
            llm.ask(QUESTION)
    stop()

    assert [facts["outcome"] for facts in told] == ["declined", "refused", "unusable", "left_alone"]
    assert "BTC" not in str(told)


@pytest.mark.parametrize(
    ("field", "given"),
    [
        ("user", {"user": "  "}),
        ("question", {"user": "\ud800"}),
        ("question", {"user": "x" * 500_001}),
        ("max_output_tokens", {"max_output_tokens": 0}),
        ("max_output_tokens", {"max_output_tokens": 20_000}),
    ],
)
def test_what_no_model_can_be_asked_is_refused_before_anything_is_held(field, given):
    known = {"task": "t", "group": "main", "system": "", "user": "x", "form": Judged}

    with pytest.raises(InvalidInputError) as refused:
        Question(**(known | given))
    assert refused.value.field == field


def test_the_longest_question_reserves_for_a_tokenizer_that_unfolds_it(server, budget, llm):
    llm.ask(Question("t", "main", "", "\ufdfa" * 500, Judged, max_output_tokens=500))

    assert budget.overview().stopped is None


def test_disabled_is_the_default_and_builds_nothing(instance, budget, clock):
    assert build_llm(Settings(), instance, budget, clock) is None


def test_a_model_without_a_price_is_refused_at_the_start(make):
    unpriced = dict.fromkeys(PRICED)

    with pytest.raises(InvalidInputError, match="no price"):
        make(llm_model="somebody-elses", **unpriced)
    assert make(**unpriced).model == "claude-haiku-5-5"


def test_half_a_price_is_none():
    with pytest.raises(InvalidInputError, match="OUTPUT_TOKENS: is not set"):
        price_of_model(Settings(llm_usd_per_million_input_tokens=1))


def test_a_price_of_the_settings_is_stronger_than_the_table():
    assert price_of_model(Settings(**PRICED)).cost_micro_usd(1, 1) == 2
    assert price_of_model(Settings()).cost_micro_usd(100_000, 1_000) == 10_500
    assert price_of_model(Settings()).cost_micro_usd(100_001, 1_000) == 52_501


def test_the_fast_model_is_asked_at_its_own_price(server, instance, budget, clock):
    settings = Settings(
        llm_provider="anthropic",
        llm_base_url=server.origin,
        llm_fast_model="tiny-local",
        llm_fast_usd_per_million_input_tokens=3,
        llm_fast_usd_per_million_output_tokens=3,
        **PRICED,
    )
    llm = build_metered(settings, instance, budget, clock, fast=True)

    answer = llm.ask(QUESTION)
    llm.close()

    assert server.asked[-1].body["model"] == "tiny-local"
    assert answer.usage.cost_micro_usd == 3 * sum(server.tokens)


def test_without_a_name_the_fast_model_is_the_usual_one(instance, clock):
    usual = llm_breaker(Settings(), instance, clock)
    fast = llm_breaker(Settings(), instance, clock, fast=True)

    assert price_of_model(Settings(), fast=True) == price_of_model(Settings())
    assert (fast.name, fast.gate) == (usual.name, usual.gate)


def test_each_of_two_models_has_its_own_circuit_and_gate(instance, clock):
    two = Settings(llm_provider="anthropic", llm_fast_model="claude-haiku-4-5")
    usual, fast = llm_breaker(two, instance, clock), llm_breaker(two, instance, clock, fast=True)

    assert (usual.gate, fast.gate) == ("circuit:anthropic", "circuit:anthropic_fast")
    assert usual.name != fast.name


def test_a_fast_model_without_a_price_names_its_own_settings():
    with pytest.raises(InvalidInputError, match="AFTERWORD_LLM_FAST_USD_PER_MILLION_INPUT_TOKENS"):
        price_of_model(Settings(llm_fast_model="tiny-local", **PRICED), fast=True)


def test_the_key_shows_nowhere(make):
    llm = make(llm_api_key="sk-do-not-tell")

    assert "sk-do-not-tell" not in f"{llm!r} {vars(llm)} {vars(llm._client)}"


def test_a_hanging_model_holds_its_reservation_while_it_hangs(server, budget, make):
    server.script(hang)
    with ThreadPoolExecutor(1) as caller:
        call = caller.submit(make(llm_timeout_s=2).ask, QUESTION)
        while not server.served:
            pass
        assert booked(budget)[1] > 2_048
        assert isinstance(call.exception(timeout=20), UnavailableError)
    assert booked(budget)[1] == 0

"""A failing service is not called by any process; one probe at a time closes its circuit."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from afterword.pipeline.core.store import Store, Stores
from afterword.pipeline.core.telemetry import listen
from afterword.pipeline.errors import BudgetExceededError, CircuitOpenError, InvalidInputError
from afterword.pipeline.gateway.budget import NotSentError
from afterword.pipeline.gateway.http.address import setup_of
from afterword.pipeline.gateway.http.breaker import PROBE_CHECK_S, Breaker
from afterword.pipeline.gateway.http.circuit import (
    FIRST_CIRCUIT_PAUSE_S,
    MOST_DOUBLED_S,
    MOST_FAILURES,
    MOST_REFUSALS,
    Circuit,
    CircuitName,
    record_error,
)
from afterword.pipeline.gateway.http.model import (
    AskFailedError,
    BusyError,
    RefusedError,
    SetupError,
)
from afterword.pipeline.testing.clock import ManualClock

NAME = CircuitName("anthropic", "m", "one")
PROBE_S = 60.0
Make = Callable[..., Breaker]


@pytest.fixture
def make(instance: Store, clock: ManualClock) -> Make:
    return lambda name=NAME: Breaker(instance, name, clock, PROBE_S)


@pytest.fixture
def breaker(make: Make) -> Breaker:
    return make()


def fails(error: BaseException) -> Callable[[], str]:
    def call() -> str:
        raise error

    return call


WRONG = fails(RefusedError("question", "refused, HTTP 400", "another question"))


def away() -> str:
    raise AskFailedError("model service answered HTTP 500; try again later")


def answers() -> str:
    return "answer"


def fail(breaker: Breaker, times: int = MOST_FAILURES) -> None:
    for _ in range(times):
        with pytest.raises((AskFailedError, CircuitOpenError)):
            breaker.guard(away)


def test_while_all_is_well_nothing_is_written(breaker, instance):
    told: list[str] = []
    stop = listen(lambda action, _facts: told.append(action))
    assert breaker.guard(answers) == "answer"
    stop()

    assert "store.wrote" not in told


def test_a_few_failures_are_the_jobs_own_and_an_answer_forgets_them(breaker):
    for _ in range(3):
        for _ in range(MOST_FAILURES - 1):
            with pytest.raises(AskFailedError):
                breaker.guard(away)
        breaker.guard(answers)

    assert breaker.circuit().state == "closed"
    assert breaker.circuit().failures == 0


def test_failures_in_a_row_open_the_circuit_for_every_process(make, clock):
    fail(make())

    with pytest.raises(CircuitOpenError, match=r"circuit:anthropic m until .*HTTP 500") as held:
        make().guard(answers)
    assert held.value.reopens_at == clock() + timedelta(seconds=FIRST_CIRCUIT_PAUSE_S)


def test_who_hears_that_the_service_is_busy_waits_with_the_others_at_no_cost(breaker):
    fail(breaker, MOST_FAILURES - 1)

    with pytest.raises(CircuitOpenError):
        breaker.guard(fails(BusyError("answered HTTP 529")))


def test_a_question_the_service_fails_at_pays_for_it_and_lets_others_probe_first(breaker, clock):
    fail(breaker)
    clock.advance(seconds=FIRST_CIRCUIT_PAUSE_S)

    with pytest.raises(AskFailedError) as failed:
        breaker.guard(away)
    reopens_in_s = (breaker.circuit().reopens_at - clock()).total_seconds()
    assert failed.value.retry_after_s == reopens_in_s + FIRST_CIRCUIT_PAUSE_S


def test_one_probe_at_a_time_and_its_answer_closes_the_circuit(make, clock):
    fail(make())
    clock.advance(seconds=FIRST_CIRCUIT_PAUSE_S)
    held: list[CircuitOpenError] = []

    def probe() -> str:
        with pytest.raises(CircuitOpenError) as other:
            make().guard(answers)
        held.append(other.value)
        return "answer"

    assert make().guard(probe) == "answer"
    assert held[0].reopens_at == clock() + timedelta(seconds=PROBE_CHECK_S)
    assert make().guard(answers) == "answer"


def test_of_many_threads_one_probes(make, clock):
    fail(make())
    clock.advance(seconds=FIRST_CIRCUIT_PAUSE_S)

    def ask(_: int) -> bool:
        try:
            make().guard(away)
        except CircuitOpenError:
            return False
        except AskFailedError:
            return True
        raise AssertionError("it was let through as if all were well")

    with ThreadPoolExecutor(8) as callers:
        assert sum(callers.map(ask, range(16))) == 1


def test_each_probe_that_fails_doubles_the_pause_to_a_bound(breaker, clock):
    fail(breaker)
    pauses = []
    for _ in range(8):
        reopens_at = breaker.circuit().reopens_at
        pauses.append((reopens_at - clock()).total_seconds())
        clock.set(reopens_at)
        fail(breaker, 1)

    assert pauses[:3] == [15, 30, 60]
    assert pauses[-1] == MOST_DOUBLED_S


def test_a_pause_the_service_asks_for_is_kept_at_once(breaker, clock):
    with pytest.raises(CircuitOpenError) as held:
        breaker.guard(fails(BusyError("busy", retry_after_s=7)))

    assert held.value.reopens_at == clock() + timedelta(seconds=7)


def test_a_wrong_key_dead_letters_no_job_and_a_new_one_is_tried_at_once(make):
    with pytest.raises(CircuitOpenError, match="AFTERWORD_LLM_API_KEY"):
        make().guard(fails(SetupError("answered HTTP 401; check AFTERWORD_LLM_API_KEY")))
    with pytest.raises(CircuitOpenError):
        make().guard(answers)

    assert make(CircuitName("anthropic", "m", "another")).guard(answers) == "answer"


def test_a_setup_is_told_apart_by_address_and_key_and_says_neither():
    setups = {
        setup_of(url, SecretStr(key)) for url in ("http://a", "http://b") for key in ("", "k")
    }

    assert len(setups) == 4
    assert all(len(setup) == 12 for setup in setups)


def test_requests_refused_one_after_the_other_make_the_service_suspect(breaker, clock):
    for _ in range(MOST_REFUSALS - 1):
        with pytest.raises(InvalidInputError):
            breaker.guard(WRONG)
    with pytest.raises(CircuitOpenError, match="5 requests in a row were refused"):
        breaker.guard(WRONG)

    # Who refuses is there: a minute later the next few are judged on their own again.
    clock.advance(minutes=1)
    for _ in range(MOST_REFUSALS - 1):
        with pytest.raises(InvalidInputError):
            breaker.guard(WRONG)
    with pytest.raises(CircuitOpenError):
        breaker.guard(WRONG)


def test_a_refusal_among_answers_is_about_its_request(breaker):
    for _ in range(3 * MOST_REFUSALS):
        with pytest.raises(InvalidInputError):
            breaker.guard(WRONG)
        breaker.guard(answers)

    assert breaker.circuit().state == "closed"


def test_a_lost_probe_is_followed_by_another_and_its_late_result_changes_nothing(make, clock):
    fail(make())
    clock.advance(seconds=FIRST_CIRCUIT_PAUSE_S)

    def frozen() -> str:
        clock.advance(seconds=PROBE_S)
        assert make().guard(answers) == "answer"
        raise AskFailedError("gave no complete reply")

    with pytest.raises(AskFailedError):
        make().guard(frozen)
    assert (make().circuit().state, make().circuit().failures) == ("closed", 0)


def test_a_probe_the_budget_refuses_is_given_back(breaker, clock):
    fail(breaker)
    clock.advance(seconds=FIRST_CIRCUIT_PAUSE_S)

    with pytest.raises(BudgetExceededError):
        breaker.guard(fails(BudgetExceededError("spent", None)))
    assert breaker.guard(answers) == "answer"


def test_a_job_is_held_before_it_starts_until_a_probe_is_due(breaker, clock):
    breaker.check()
    fail(breaker)
    with pytest.raises(CircuitOpenError):
        breaker.check()

    clock.advance(seconds=FIRST_CIRCUIT_PAUSE_S)
    breaker.check()


def test_a_person_need_not_wait(breaker):
    fail(breaker)

    assert breaker.guard(answers, at_once=True) == "answer"
    assert breaker.circuit().state == "closed"


def test_an_unreachable_service_counts_too(breaker):
    for _ in range(MOST_FAILURES - 1):
        with pytest.raises(NotSentError):
            breaker.guard(fails(NotSentError("no route")))

    with pytest.raises(CircuitOpenError):
        breaker.guard(fails(NotSentError("no route")))


def test_a_clock_set_back_does_not_hold_a_circuit_open_for_ever(breaker, clock):
    fail(breaker)
    clock.advance(days=-400)

    assert breaker.guard(answers) == "answer"


def test_a_circuit_outlives_its_process(stores: Stores, clock, ids):
    fail(Breaker(stores.instance, NAME, clock, PROBE_S))
    stores.close()
    again = Stores(stores.home, stores._options, clock, ids)
    with pytest.raises(CircuitOpenError):
        Breaker(again.instance, NAME, clock, PROBE_S).guard(answers)
    again.close()


errors = st.sampled_from(
    [
        AskFailedError("away"),
        AskFailedError("away", 3.0),
        NotSentError("no route"),
        SetupError("wrong key"),
        RefusedError("question", "refused", "another"),
    ]
)


@given(st.lists(errors, max_size=30))
def test_whatever_happens_an_open_circuit_says_why_and_until_when(troubles):
    circuit, now = Circuit(), ManualClock()()
    for error in troubles:
        before = circuit
        circuit = record_error(error, circuit, now)
        assert circuit.epoch - before.epoch in (0, 1)
        assert (circuit.state == "closed") == (circuit.reopens_at is None)
        assert circuit.state == "closed" or circuit.reason

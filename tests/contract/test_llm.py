"""Contract of the models that fill in forms: metered, recording, and from a cassette."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal

import pytest
from pydantic import Field

from afterword.pipeline.core.store import Store
from afterword.pipeline.errors import BudgetExceededError, InvalidInputError, UnavailableError
from afterword.pipeline.gateway.budget import Budget, caps_of
from afterword.pipeline.gateway.llm import DeclinedError, Form, Llm, Question, UnusableAnswerError
from afterword.pipeline.gateway.llm.build import build_metered
from afterword.pipeline.gateway.llm.cassette import CassetteLlm, RecordingLlm
from afterword.pipeline.gateway.llm.metered import MeteredLlm
from afterword.pipeline.ids import IdSource
from afterword.pipeline.settings import Settings
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.faulty_server import Behaviour, changed, refuses
from afterword.pipeline.testing.model_server import ModelServer, declines, fills_in, talks

LLMS = ("metered", "recording", "cassette")
ASKING = ("metered", "recording")
"""Those that ask a service; a cassette asks nobody."""

Make = Callable[..., Llm]


class Judgement(Form):
    """Say how the decision went."""

    verdict: Literal["right", "wrong"]
    lesson: str = Field(max_length=500)
    score: float


QUESTION = Question("classify_entry", "main", "Judge.", "a private thought", Judgement)
OTHER = Question("classify_entry", "main", "Judge.", "another private thought", Judgement)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


@pytest.fixture
def budget(instance: Store, clock: ManualClock, ids: IdSource) -> Budget:
    return Budget(instance, caps_of(Settings()), clock, ids)


@pytest.fixture
def metered(
    server: ModelServer, instance: Store, budget: Budget, clock: ManualClock
) -> Iterator[MeteredLlm]:
    settings = Settings(
        llm_provider="anthropic",
        llm_base_url=server.origin,
        llm_usd_per_million_input_tokens=1.0,
        llm_usd_per_million_output_tokens=1.0,
    )
    llm = build_metered(settings, instance, budget, clock)
    yield llm
    llm.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cassette"


@pytest.fixture
def make(server: ModelServer, metered: MeteredLlm, path: Path) -> Make:
    """Make one by its name; the answers of a cassette are recorded now, as the script says."""

    def llm(name: str, answers: int = 1, *, script: Behaviour | None = None) -> Llm:
        if script is not None:
            server.script(script)
        match name:
            case "metered":
                return metered
            case "recording":
                return RecordingLlm(metered, path)
        recording = RecordingLlm(metered, path)
        for _ in range(answers):
            recording.ask(QUESTION)
        server.asked.clear()
        return CassetteLlm(path, metered.model)

    return llm


def spent(budget: Budget) -> int:
    """Return what learning spent today, in micro-USD, of which nothing stays reserved."""
    day = next(line for line in budget.overview().categories if line.name == "learning")
    assert day.reserved_micro_usd == 0
    return day.spent_micro_usd


@pytest.mark.parametrize("name", LLMS)
def test_an_answer_is_the_form_filled_in_and_says_which_model_did(make, name):
    llm = make(name)
    answer = llm.ask(QUESTION)

    assert answer.value == Judgement(verdict="right", lesson="Nothing to add.", score=0.0)
    assert answer.model == llm.model == "claude-haiku-5-5"
    assert llm.provider


@pytest.mark.parametrize("name", LLMS)
def test_the_usage_of_an_answer_is_what_the_budget_booked_for_it(make, budget, name):
    llm = make(name)
    before = spent(budget)

    assert llm.ask(QUESTION).usage.cost_micro_usd == spent(budget) - before


@pytest.mark.parametrize("name", LLMS)
def test_the_same_question_may_be_asked_again(make, name):
    llm = make(name, answers=2)

    assert llm.ask(QUESTION).value == llm.ask(QUESTION).value


@pytest.mark.parametrize("name", LLMS)
def test_what_is_said_beside_the_form_has_no_effect(make, name):
    answer = make(name, script=changed(talks)).ask(QUESTION)

    assert answer.value.model_dump() == {
        "verdict": "right",
        "lesson": "Nothing to add.",
        "score": 0.0,
    }


@pytest.mark.parametrize("name", LLMS)
def test_threads_share_one(make, name):
    llm = make(name, answers=16)
    with ThreadPoolExecutor(8) as callers:
        values = list(callers.map(lambda _: llm.ask(QUESTION).value.verdict, range(16)))

    assert values == ["right"] * 16


@pytest.mark.parametrize("name", LLMS)
def test_it_may_be_closed_twice(make, name):
    llm = make(name)
    llm.ask(QUESTION)

    llm.close()
    llm.close()


@pytest.mark.parametrize("name", ASKING)
def test_while_all_spending_is_stopped_nobody_is_asked(make, budget, server, name):
    llm = make(name)
    budget.stop("a person looks")

    with pytest.raises(BudgetExceededError):
        llm.ask(QUESTION)
    assert server.requests == 0


def test_a_cassette_answers_while_all_spending_is_stopped(make, budget, server):
    llm = make("cassette")
    budget.stop("a person looks")

    assert llm.ask(QUESTION).value.verdict == "right"
    assert server.requests == 0


@pytest.mark.parametrize("name", ASKING)
@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (refuses(500), UnavailableError),
        (fills_in({}), UnusableAnswerError),
        (changed(declines), DeclinedError),
        (refuses(400), InvalidInputError),
    ],
)
def test_without_an_answer_the_error_says_whether_another_try_may_succeed(
    make, path, name, fault, error
):
    with pytest.raises(error):
        make(name, script=fault).ask(QUESTION)

    is_answer = error is DeclinedError  # it is not asked again, so a cassette has it
    assert path.exists() == (is_answer and name == "recording")


@pytest.mark.parametrize("name", [*ASKING, "cassette"])
def test_no_error_repeats_the_words_of_the_question(make, name):
    llm = make(name) if name == "cassette" else make(name, script=refuses(400))

    with pytest.raises(InvalidInputError) as refused:
        llm.ask(OTHER)
    assert "private" not in f"{refused.value!r} {vars(refused.value)}"


def test_a_cassette_answers_word_for_word_what_its_recorder_did(make, metered, path):
    said = make("recording").ask(QUESTION)
    replayed = CassetteLlm(path, metered.model).ask(QUESTION)

    assert (replayed.value, replayed.model) == (said.value, said.model)

"""What was answered once is answered again, word for word, and nothing else is."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Literal

import pytest

from afterword.pipeline.errors import CorruptStoreError, InvalidInputError, NotFoundError
from afterword.pipeline.gateway.llm import DeclinedError, Form, LlmAnswer, Question
from afterword.pipeline.gateway.llm.build import build_llm
from afterword.pipeline.gateway.llm.cassette import NO_USAGE, CassetteLlm, RecordingLlm, ResumingLlm
from afterword.pipeline.settings import Settings


class Choice(Form):
    """Choose."""

    choice: Literal["a", "b"]
    why: str


class Alternating:
    """Says a, then b, then a again."""

    provider, model = "alternating", "m"

    def __init__(self) -> None:
        self.calls = 0

    def ask(self, question: Question[Any]) -> LlmAnswer[Any]:
        self.calls += 1
        choice = "a" if self.calls % 2 else "b"
        return LlmAnswer(question.form(choice=choice, why="é"), NO_USAGE, "m-1", "req")


def question(user: str = "a or b?", occasion: str = "", **more: Any) -> Question[Choice]:
    return Question("choose", "main", "Choose.", user, Choice, occasion=occasion, **more)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cassette"


@pytest.fixture
def recorded(path: Path) -> RecordingLlm:
    return RecordingLlm(Alternating(), path)


def test_each_time_it_is_asked_a_question_has_its_own_answer(recorded, path):
    asked = [recorded.ask(question()).value for _ in range(3)]

    replay = CassetteLlm(path, "m")
    assert [replay.ask(question()).value for _ in range(3)] == asked
    assert [value.choice for value in asked] == ["a", "b", "a"]


def test_an_occasion_tells_two_askings_apart_whatever_their_order(recorded, path):
    for occasion in ("one", "two"):
        recorded.ask(question(occasion=occasion))

    replay = CassetteLlm(path, "m")
    assert replay.ask(question(occasion="two")).value.choice == "b"
    assert replay.ask(question(occasion="one")).value.choice == "a"


def test_another_group_hears_the_same_answer(recorded, path):
    recorded.ask(question())
    elsewhere = Question("choose", "replay-7", "Choose.", "a or b?", Choice)

    answer = CassetteLlm(path, "m").ask(elsewhere)
    assert (answer.value.choice, answer.model, answer.usage) == ("a", "m-1", NO_USAGE)


def test_a_line_is_sorted_ascii_and_the_same_for_the_same_answer(recorded, path, tmp_path):
    recorded.ask(question())
    again = tmp_path / "again"
    RecordingLlm(Alternating(), again).ask(question())

    line = path.read_bytes()
    assert line == again.read_bytes()
    assert line.isascii() and line.endswith(b"}\n")
    told = json.loads(line)
    assert list(told) == sorted(told) == [
        "model", "occasion", "occurrence", "request", "task", "value"
    ]  # fmt: skip
    assert path.stat().st_mode & 0o077 == 0


def test_a_recording_is_continued(path):
    for _ in range(2):
        RecordingLlm(Alternating(), path).ask(question())

    replay = CassetteLlm(path, "m")
    assert [replay.ask(question()).value.choice for _ in range(2)] == ["a", "a"]


def test_threads_lose_no_answer(path):
    recorder = RecordingLlm(Alternating(), path)
    with ThreadPoolExecutor(8) as callers:
        list(callers.map(lambda n: recorder.ask(question(f"{n % 4}")), range(80)))

    replay = CassetteLlm(path, "m")
    assert len([replay.ask(question(f"{n % 4}")) for n in range(80)]) == 80


@pytest.mark.parametrize(
    ("asked", "what"),
    [
        (question("a or c?"), "differs in messages (from character"),
        (question(occasion="x"), "differs in occasion"),
        (question(max_output_tokens=7), "differs in max_tokens"),
        (Question("think", "main", "", "x", Choice), "no question of this task"),
    ],
)
def test_a_miss_names_what_differs_and_none_of_its_words(recorded, path, asked, what):
    recorded.ask(question())

    with pytest.raises(InvalidInputError) as missed:
        CassetteLlm(path, "m").ask(asked)
    assert what in str(missed.value)
    assert "or c" not in str(missed.value)


def test_another_model_is_another_question(recorded, path):
    recorded.ask(question())

    with pytest.raises(InvalidInputError, match="differs in model"):
        CassetteLlm(path, "other").ask(question())


def test_asked_more_often_than_recorded_is_a_miss(recorded, path):
    recorded.ask(question())
    replay = CassetteLlm(path, "m")
    replay.ask(question())

    with pytest.raises(
        InvalidInputError, match="no answer 2 to choose: it was recorded, but less often"
    ):
        replay.ask(question())


def test_an_answer_that_fits_the_form_no_longer_is_refused(recorded, path):
    recorded.ask(question())
    line = json.loads(path.read_text())
    line["value"]["choice"] = "c"
    path.write_text(json.dumps(line))

    with pytest.raises(InvalidInputError, match="no longer fits its form"):
        CassetteLlm(path, "m").ask(question())


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"key": 1}', "é"])
def test_a_file_that_is_no_cassette_is_refused_at_the_start(path, text):
    path.write_text(text)

    with pytest.raises(CorruptStoreError):
        CassetteLlm(path, "m")


def test_the_settings_choose_a_cassette(recorded, path, instance, clock):
    recorded.ask(question())
    settings = {"llm_provider": "cassette", "llm_model": "m"}

    llm = build_llm(Settings(**settings, llm_cassette=path), instance, None, clock)
    assert llm.ask(question()).value.choice == "a"
    with pytest.raises(InvalidInputError, match="AFTERWORD_LLM_CASSETTE"):
        build_llm(Settings(**settings), instance, None, clock)
    with pytest.raises(NotFoundError):
        build_llm(Settings(**settings, llm_cassette=path.with_suffix(".x")), instance, None, clock)


def test_what_a_cassette_has_is_not_asked_again(recorded, path):
    first = [recorded.ask(question(occasion=one)).value for one in "ab"]
    model = Alternating()
    resumed = ResumingLlm(model, path)
    again = [resumed.ask(question(occasion=one)) for one in "abc"]

    assert [one.value for one in again[:2]] == first
    assert (model.calls, [one.usage for one in again[:2]]) == (1, [NO_USAGE] * 2)
    assert [line["occasion"] for line in map(json.loads, path.read_text().splitlines())] == [*"abc"]


def test_a_question_asked_more_often_than_recorded_is_asked_and_added(recorded, path):
    recorded.ask(question())
    model = Alternating()
    resumed = ResumingLlm(model, path)
    asked = [resumed.ask(question()).value for _ in range(3)]

    assert model.calls == 2
    replay = CassetteLlm(path, "m")
    assert [replay.ask(question()).value for _ in range(3)] == asked


class Declining:
    """Declines each question."""

    provider, model = "declining", "m"

    def ask(self, _question: Question[Any]) -> LlmAnswer[Any]:
        raise DeclinedError(self.model, "bio")


def test_that_a_model_declined_is_said_again_and_not_asked_again(path):
    with pytest.raises(DeclinedError):
        RecordingLlm(Declining(), path).ask(question())
    model = Alternating()

    for llm in (CassetteLlm(path, "m"), ResumingLlm(model, path)):
        with pytest.raises(DeclinedError, match=r"m declined to answer \(bio\)"):
            llm.ask(question())
    assert model.calls == 0
    assert len(path.read_text().splitlines()) == 1


def test_without_a_cassette_all_is_asked_and_recorded(path):
    model = Alternating()
    ResumingLlm(model, path).ask(question())
    ResumingLlm(model, path).ask(question())

    assert model.calls == 1
    assert len(path.read_text().splitlines()) == 1

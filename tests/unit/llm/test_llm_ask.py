"""One call for every asker: what the model is sent, and what is taken of its text."""

import json
from typing import Any

import pytest
from pydantic import Field

from afterword.pipeline.gateway.budget import Usage
from afterword.pipeline.gateway.llm import Form, LlmAnswer, Question, UnusableAnswerError
from afterword.pipeline.gateway.llm.ask import FormTask, ask_form, visible_line


class Say(Form):
    """Say it."""

    text: str = Field(max_length=40)


TASK = FormTask("say_it", "Say what the material says.", Say)


class KeepsQuestions:
    """An `Llm` that keeps what it was asked."""

    provider, model = "test", "test-model"

    def __init__(self) -> None:
        self.questions: list[Question[Any]] = []

    def ask(self, question: Question[Any]) -> LlmAnswer[Any]:
        self.questions.append(question)
        return LlmAnswer(Say(text="yes"), Usage(1, 2, 3), self.model, "")

    def close(self) -> None: ...


def test_material_is_sent_as_json_so_that_no_text_ends_its_own_quotation():
    llm = KeepsQuestions()

    answer = ask_form(llm, TASK, {"text": 'ends"} now, é'}, group="main", occasion="uid-1")

    (question,) = llm.questions
    assert json.loads(question.user) == {"text": 'ends"} now, é'}
    assert "é" in question.user
    assert question == Question("say_it", "main", TASK.system, question.user, Say, occasion="uid-1")
    assert (answer.value.text, answer.usage) == ("yes", Usage(1, 2, 3))


def test_a_text_that_is_safe_already_is_sent_as_it_is():
    llm = KeepsQuestions()

    ask_form(llm, TASK, "Say:\n{1}", group="main", occasion="")

    assert llm.questions[0].user == "Say:\n{1}"


def test_a_line_of_a_model_is_masked_and_must_have_a_visible_character():
    assert "sk-" not in visible_line("sk-ant-api03-" + "a1B2" * 24, 200, "m")
    with pytest.raises(UnusableAnswerError, match="m filled in no visible text"):
        visible_line("\u200b \u2060", 200, "m")

"""What is sent: one tool that is the form, forced where the model takes that."""

from typing import Literal

import pytest

from afterword.pipeline.gateway.llm import Form, Question
from afterword.pipeline.gateway.llm.request import ASKED, FORCED, most_tokens_of, request_of


class Choice(Form):
    choice: Literal["a", "b"]


QUESTION = Question("t", "main", "Choose.", "a or b?", Choice)


@pytest.mark.parametrize("model", sorted(FORCED))
def test_a_model_that_would_think_first_is_told_not_to_and_forced(model):
    request = request_of(QUESTION, model)

    assert request["tool_choice"] == {"type": "tool", "name": "answer"}
    assert request["thinking"] == {"type": "disabled"}
    assert request["system"] == "Choose."


@pytest.mark.parametrize("model", sorted(ASKED))
def test_a_model_that_refuses_force_is_asked(model):
    request = request_of(QUESTION, model)

    assert request["tool_choice"]["type"] == "auto"
    assert "thinking" not in request
    assert request["system"].startswith("Choose.\n\nAnswer by calling the tool")


def test_a_model_nobody_knows_is_forced_and_told_nothing_else():
    request = request_of(QUESTION, "somebody-elses")

    assert request["tool_choice"]["type"] == "tool"
    assert not {"thinking", "output_config"} & request.keys()


def test_neither_group_nor_task_nor_occasion_leave_the_house():
    question = Question("secret-task", "secret-group", "", "x", Choice, occasion="secret-uid")

    assert "secret" not in str(request_of(question, "m"))
    assert "system" not in request_of(question, "m")


def test_the_form_says_what_to_fill_in():
    [tool] = request_of(QUESTION, "m")["tools"]

    assert tool["input_schema"]["properties"]["choice"]["enum"] == ["a", "b"]
    assert tool["description"]


def test_a_request_counts_every_byte_that_is_sent_and_what_the_service_adds():
    longer = Question("t", "main", "Choose.", "a or b?" + "é" * 1_000, Choice)

    grown = most_tokens_of(request_of(longer, "m")) - most_tokens_of(request_of(QUESTION, "m"))
    assert grown >= 2_000
    assert most_tokens_of(request_of(QUESTION, "m")) > 2_048

"""Whether a model answers: the whole way, in one line where it does not."""

from collections.abc import Iterator

import pytest

from afterword.pipeline.testing.faulty_server import refuses
from afterword.pipeline.testing.model_server import ModelServer


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    with ModelServer() as server:
        monkeypatch.setenv("AFTERWORD_LLM_PROVIDER", "anthropic")
        monkeypatch.setenv("AFTERWORD_LLM_BASE_URL", server.origin)
        yield server


def test_an_answer_is_shown_with_its_cost_and_booked(server, command):
    found = command("llm", "check", "--json").json

    assert (found["model"], found["answer"]) == ("claude-haiku-5-5", "two")
    assert (found["input_tokens"], found["output_tokens"]) == server.tokens
    [use] = command("budget", "show", "--json").json["models"]
    assert (use["model"], use["calls"]) == ("claude-haiku-5-5", 1)
    assert "took s" in command("llm", "check").out


def test_a_failure_is_one_line_with_its_reason_and_no_key(server, command, monkeypatch):
    monkeypatch.setenv("AFTERWORD_LLM_API_KEY", "sk-do-not-tell")
    server.script(refuses(401, "authentication_error"))

    answer = command("llm", "check")
    assert answer.code == 1
    assert "HTTP 401 (authentication_error); check AFTERWORD_LLM_API_KEY" in answer.err
    assert answer.err.count("\n") == 1
    assert "sk-do-not-tell" not in answer.err


def test_a_check_need_not_wait_and_an_answer_reopens_the_way_for_all(server, command):
    server.script(refuses(401))

    assert command("llm", "check").code == 1
    assert command("llm", "check").code == 0


def test_where_no_model_is_set_up_the_setting_is_named(command):
    answer = command("llm", "check")

    assert answer.code == 2
    assert "AFTERWORD_LLM_PROVIDER" in answer.err

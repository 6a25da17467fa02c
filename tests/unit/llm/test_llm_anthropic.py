"""The official SDK over real HTTP, and every way a model service can fail."""

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from time import monotonic
from typing import Any, Literal

import pytest
from pydantic import Field, SecretStr

from afterword.pipeline.errors import InvalidInputError, PipelineError
from afterword.pipeline.gateway.budget import NotSentError
from afterword.pipeline.gateway.http.model import (
    AskFailedError,
    BusyError,
    ErrorReplyError,
    RateLimitError,
    RefusedError,
    SetupError,
)
from afterword.pipeline.gateway.llm.anthropic import AnthropicModel
from afterword.pipeline.gateway.llm.model import DeclinedError, Form, Question, UnusableAnswerError
from afterword.pipeline.gateway.llm.reply import read_value
from afterword.pipeline.gateway.llm.request import request_of
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.faulty_server import (
    Behaviour,
    changed,
    cut,
    drip,
    drip_body,
    flood,
    hang,
    refuses,
    reset,
    says,
    slow,
)
from afterword.pipeline.testing.model_server import (
    UNKNOWN_COST,
    UNPAID,
    UNUSABLE,
    ModelServer,
    declines,
    fills_in,
    talks,
)
from afterword.pipeline.testing.wait import wait_until

KEY = "sk-do-not-tell"
MODEL = "claude-haiku-5-5"


class Judged(Form):
    """Say how the decision went."""

    verdict: Literal["right", "wrong"]
    lesson: str = Field(max_length=500)
    score: float


QUESTION = Question("classify_entry", "main", "Judge.", "a private thought", Judged)
REQUEST = request_of(QUESTION, MODEL)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


def made(base_url: str, clock: ManualClock, key: str = KEY, timeout_s: float = 30) -> Any:
    return closing(AnthropicModel(base_url, SecretStr(key), MODEL, timeout_s, clock))


@pytest.fixture
def client(server: ModelServer, clock: ManualClock) -> Iterator[AnthropicModel]:
    with made(server.origin, clock) as client:
        yield client


@pytest.fixture
def hasty(server: ModelServer, clock: ManualClock) -> Iterator[AnthropicModel]:
    with made(server.origin, clock, timeout_s=1) as client:
        yield client


def value(client: AnthropicModel) -> Judged:
    return read_value(client.ask(REQUEST).content, Judged, MODEL)


def failed(client: AnthropicModel, server: ModelServer, fault: Behaviour) -> PipelineError:
    server.script(fault)
    with pytest.raises(PipelineError) as failure:
        client.ask(REQUEST)
    assert server.requests == 1
    return failure.value


def test_one_request_brings_the_form_and_what_it_cost(server, client):
    reply = client.ask(REQUEST)

    assert read_value(reply.content, Judged, MODEL).verdict == "right"
    assert (reply.input_tokens, reply.output_tokens) == server.tokens
    assert reply.content.request_id == "req_1"
    assert server.requests == 1


def test_the_tool_is_forced_and_the_key_travels(server, client):
    client.ask(REQUEST)
    [asked] = server.asked

    assert asked.body["tool_choice"] == {"type": "tool", "name": "answer"}
    assert asked.body["tools"][0]["description"] == "Say how the decision went."
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.headers["accept-encoding"] == "identity"
    assert "anthropic-version" in asked.headers


def test_no_key_means_no_header(server, clock):
    with made(server.origin, clock, key="") as keyless:
        keyless.ask(REQUEST)

    assert "authorization" not in server.asked[0].headers


def test_the_environment_of_the_sdk_is_no_setting_of_ours(server, clock, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-somebody-elses")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "Authorization: Bearer stolen\nX-Spy: yes")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    with made(server.origin, clock) as client:
        client.ask(REQUEST)

    assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"
    assert "x-spy" not in server.asked[0].headers


@pytest.mark.parametrize("fault", [*UNPAID, *UNKNOWN_COST])
def test_every_fault_is_asked_once_and_nothing_comes_out(server, hasty, fault):
    failed(hasty, server, fault)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, RefusedError),
        (401, SetupError),
        (402, SetupError),
        (403, SetupError),
        (404, SetupError),
        (413, RefusedError),
        (429, RateLimitError),
        (409, ErrorReplyError),
        (500, ErrorReplyError),
        (502, AskFailedError),
        (503, BusyError),
        (529, BusyError),
    ],
)
def test_a_status_says_who_is_to_blame(server, client, status, kind):
    failure = failed(client, server, refuses(status, "overloaded_error"))

    assert type(failure) is kind
    assert f"HTTP {status} (overloaded_error)" in str(failure)


@pytest.mark.parametrize("status", [429, 503, 529])
@pytest.mark.parametrize(("asked_for", "pause_s"), [("7", 7), ("soon", None)])
def test_a_pause_the_service_asks_for_is_passed_on(server, client, status, asked_for, pause_s):
    fault = refuses(status, Retry_After=asked_for)

    assert failed(client, server, fault).retry_after_s == pause_s


@pytest.mark.parametrize("fault", [hang, drip, drip_body, slow(30)])
def test_the_deadline_cuts_the_whole_call_however_the_bytes_are_spread(server, hasty, fault):
    started = monotonic()

    assert "within 1 s" in str(failed(hasty, server, fault))
    assert 1 <= monotonic() - started < 10


@pytest.mark.parametrize(
    ("fault", "what"),
    [
        (reset, "broke the connection"),
        (cut, "broke the connection"),
        (flood, "more than 4,000,000 bytes"),
        (says(b"<html>busy</html>", Content_Type="text/html"), "no JSON"),
        (says(b'{"type": "message", "usage": {}, "usage": {}}'), "no JSON"),
        (says(b"[" * 100_000), "no JSON"),
        (says(b'{"a": ' + b"9" * 5_000 + b"}"), "no JSON"),
        (says(b"[]"), "no JSON object"),
        (changed(lambda reply: reply.update(type="error")), "no message"),
        (changed(lambda reply: reply.pop("usage")), "no count"),
        (changed(lambda reply: reply["usage"].update(output_tokens=0)), "no whole count"),
        (changed(lambda reply: reply["usage"].update(input_tokens=2**40)), "no whole count"),
        (fills_in(float("nan")), "no JSON"),
    ],
)
def test_a_reply_that_cannot_be_believed_is_an_outage(server, client, fault, what):
    failure = failed(client, server, fault)

    assert isinstance(failure, AskFailedError)
    assert what in str(failure)


def test_tokens_the_service_cached_unasked_are_counted_at_their_dearest(server, client):
    more = {"cache_creation_input_tokens": 100, "cache_read_input_tokens": 10}
    server.script(changed(lambda reply: reply["usage"].update(more)))

    assert client.ask(REQUEST).input_tokens == server.tokens[0] + 210


@pytest.mark.parametrize("fault", UNUSABLE)
def test_a_paid_answer_that_is_not_what_was_asked_gives_no_half_of_it(server, client, fault):
    server.script(fault)

    with pytest.raises(UnusableAnswerError, match="nothing of its answer was taken"):
        value(client)


def test_the_fields_that_do_not_fit_are_named_but_not_what_stood_there(server, client):
    server.script(fills_in({"verdict": "sk-secret", "lesson": "", "sk-field": 1}))

    with pytest.raises(UnusableAnswerError) as unusable:
        value(client)
    assert "verdict (literal_error), score (missing)" in str(unusable.value)
    assert "sk-" not in str(unusable.value)


def test_a_model_that_declines_is_not_asked_again(server, client):
    server.script(changed(declines))

    with pytest.raises(DeclinedError, match=r"declined to answer \(bio\)"):
        value(client)


def test_orders_in_prose_other_calls_and_further_fields_have_no_effect(server, client):
    server.script(changed(talks))

    assert value(client).model_dump() == {
        "verdict": "right",
        "lesson": "Nothing to add.",
        "score": 0.0,
    }


@pytest.mark.parametrize("fault", [hang, reset, cut, flood, refuses(500), says(b"{")])
def test_the_call_after_a_failure_is_answered(server, hasty, fault):
    failed(hasty, server, fault)

    assert value(hasty).verdict == "right"


def test_closing_wakes_whoever_still_waits(server, hasty):
    server.script(hang)
    with ThreadPoolExecutor(1) as caller:
        call = caller.submit(hasty.ask, REQUEST)
        wait_until(lambda: bool(server.served))
        hasty.close()

        assert isinstance(call.exception(timeout=10), AskFailedError)


def test_a_connection_that_is_refused_was_certainly_not_used(clock):
    with socket.socket() as listening_to_nobody:
        listening_to_nobody.bind(("127.0.0.1", 0))
        port = listening_to_nobody.getsockname()[1]
        with made(f"http://127.0.0.1:{port}", clock) as client:
            with pytest.raises(NotSentError, match="AFTERWORD_LLM_BASE_URL"):
                client.ask(REQUEST)


@pytest.mark.parametrize("fault", [refuses(401, KEY), refuses(500, KEY), refuses(400), reset])
def test_neither_the_key_nor_the_question_nor_the_reply_reach_an_error(server, client, fault):
    failure = failed(client, server, fault)

    told = f"{failure!r} {failure.__cause__!r} {vars(failure)} {client!r}"
    assert KEY not in told
    assert "private" not in told


@pytest.mark.parametrize("base_url", ["", "api.anthropic.com", "ftp://host", "http://a:b@host"])
def test_an_address_that_cannot_work_is_refused_and_not_repeated(base_url, clock):
    with pytest.raises(InvalidInputError, match="AFTERWORD_LLM_BASE_URL") as refused:
        AnthropicModel(base_url, SecretStr(KEY), MODEL, 1, clock)
    assert "a:b" not in str(refused.value)


def test_many_threads_share_one_client(server, client):
    with ThreadPoolExecutor(16) as callers:
        values = list(callers.map(lambda _: value(client).verdict, range(64)))

    assert values == ["right"] * 64

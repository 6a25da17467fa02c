"""Every way an embedding service can fail, over real HTTP."""

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from time import monotonic

import pytest
from pydantic import SecretStr

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.budget import NoCharge, NotSentError
from afterword.pipeline.gateway.embedding.openai import OpenAIEmbeddings
from afterword.pipeline.gateway.http.model import AskFailedError, RefusedError, SetupError
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.embedding import HashedEmbedder
from afterword.pipeline.testing.embedding_server import EmbeddingServer
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
from afterword.pipeline.testing.wait import wait_until

KEY = "sk-do-not-tell"
SOON_S = 0.3
"""Deadline of the tests that wait for it; the others have one that a busy machine keeps."""


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with EmbeddingServer(dimensions=8) as server:
        yield server


@pytest.fixture
def client(server: EmbeddingServer, clock: ManualClock) -> Iterator[OpenAIEmbeddings]:
    with closing(made(server.base_url, clock)) as client:
        yield client


@pytest.fixture
def hasty(server: EmbeddingServer, clock: ManualClock) -> Iterator[OpenAIEmbeddings]:
    with closing(made(server.base_url, clock, timeout_s=SOON_S)) as client:
        yield client


def made(
    base_url: str, clock: ManualClock, *, key: str = KEY, model: str = "m", timeout_s: float = 30
) -> OpenAIEmbeddings:
    return OpenAIEmbeddings(base_url, SecretStr(key), model, 8, timeout_s, clock)


def failed(client: OpenAIEmbeddings, server: EmbeddingServer, fault: Behaviour) -> AskFailedError:
    server.script(fault)
    with pytest.raises(AskFailedError) as failure:
        client.ask(["a private thought"])
    return failure.value


def test_sixty_four_texts_are_one_request(server, client):
    texts = [f"text {index}" for index in range(64)]

    answer = client.ask(texts)

    assert answer.content == HashedEmbedder(8).embed(texts, "main", "test")
    assert (server.requests, server.tokens) == (1, answer.input_tokens)


def test_the_key_and_the_model_travel_in_the_request(server, client):
    client.ask(["hello"])

    assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"
    assert server.asked[0].model == "m"


def test_no_key_means_no_header(server, clock):
    with closing(made(server.base_url, clock, key="")) as keyless:
        keyless.ask(["hello"])

    assert "authorization" not in server.asked[0].headers


def test_no_compression_is_asked_for_since_a_small_reply_could_unfold_into_a_huge_one(
    server, client
):
    client.ask(["hello"])

    assert server.asked[0].headers["accept-encoding"] == "identity"


def test_only_models_that_can_shorten_their_vectors_are_asked_to(server, client, clock):
    with closing(made(server.base_url, clock, model="text-embedding-3-small")) as shortening:
        shortening.ask(["hello"])
    client.ask(["hello"])

    assert [asked.dimensions for asked in server.asked] == [8, None]


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 529, 204])
def test_a_passing_refusal_is_asked_once_and_can_be_tried_again(server, client, status):
    failure = failed(client, server, refuses(status))

    assert f"HTTP {status}" in str(failure)
    assert server.requests == 1


@pytest.mark.parametrize(
    ("status", "field"),
    [
        (301, "AFTERWORD_EMBEDDING_BASE_URL"),
        (307, "AFTERWORD_EMBEDDING_BASE_URL"),
        (401, "AFTERWORD_EMBEDDING_API_KEY"),
        (402, "AFTERWORD_EMBEDDING_API_KEY"),
        (403, "AFTERWORD_EMBEDDING_API_KEY"),
        (404, "AFTERWORD_EMBEDDING_BASE_URL"),
    ],
)
def test_a_refusal_of_whoever_asks_names_the_setting_to_change(server, client, status, field):
    server.script(refuses(status, Location="/v1/embeddings"))

    with pytest.raises(SetupError, match=f"HTTP {status}.*{field}"):
        client.ask(["hello"])

    assert server.requests == 1


@pytest.mark.parametrize("status", [400, 413, 422])
def test_a_refusal_of_the_texts_is_bad_input(server, client, status):
    server.script(refuses(status))

    with pytest.raises(RefusedError, match=f"HTTP {status}") as refused:
        client.ask(["hello"])

    assert refused.value.field == "texts"
    assert server.requests == 1


def test_only_too_many_requests_certainly_cost_nothing(server, client):
    assert isinstance(failed(client, server, refuses(429)), NoCharge)
    assert isinstance(failed(client, server, refuses(529)), NoCharge)
    assert not isinstance(failed(client, server, refuses(504)), NoCharge)


@pytest.mark.parametrize(
    ("asked_for", "pause_s"),
    [
        ("7", 7),
        ("Mon, 05 Jan 2026 00:00:30 GMT", 30),  # the clock stands at midnight of that day
        ("Mon, 05 Jan 2026 00:00:30 -0000", 30),
        ("Sun, 04 Jan 2026 00:00:00 GMT", 0),
        ("9" * 400, 86_400),
        ("soon", None),
        ("-1", None),
        ("²", None),
    ],
)
def test_a_pause_the_service_asks_for_is_passed_on(server, client, asked_for, pause_s):
    fault = refuses(429, Retry_After=asked_for)

    assert failed(client, server, fault).retry_after_s == pause_s


def test_a_refusal_that_asks_for_no_pause_has_none(server, client):
    assert failed(client, server, refuses(429)).retry_after_s is None


@pytest.mark.parametrize("fault", [hang, drip, drip_body, slow(5)])
def test_the_deadline_cuts_the_whole_call_however_the_bytes_are_spread(server, hasty, fault):
    started = monotonic()
    failure = failed(hasty, server, fault)

    assert "within 0.3 s" in str(failure)
    assert SOON_S <= monotonic() - started < 5 * SOON_S


def test_an_answer_that_is_late_but_in_time_is_taken(server, client):
    server.script(slow(0.05))

    assert len(client.ask(["hello"]).content) == 1


@pytest.mark.parametrize(
    ("fault", "what"),
    [
        (reset, "broke the connection"),
        (cut, "broke the connection"),
        (flood, "more than"),
        (says(b"<html>busy</html>", Content_Type="text/html"), "JSON"),
        (says(b""), "JSON"),
        (says(b"\x1f\x8b\x08", Content_Encoding="gzip"), "JSON"),
        (changed(lambda reply: reply.pop("usage")), "no whole number"),
        (changed(lambda reply: reply["usage"].update(total_tokens=-5)), "no whole number"),
        (changed(lambda reply: reply["usage"].update(total_tokens=1.5)), "no whole number"),
        (changed(lambda reply: reply["data"].clear()), "one per text"),
        (changed(lambda reply: reply["data"][0]["embedding"].pop()), "vector of 7 numbers"),
        (changed(lambda reply: reply["data"][0].update(embedding=[float("nan")] * 8)), "JSON"),
        (changed(lambda reply: reply["data"][0].update(embedding=[float("inf")] * 8)), "JSON"),
    ],
)
def test_a_reply_that_cannot_be_used_is_an_outage(server, client, fault, what):
    failure = failed(client, server, fault)

    assert what in str(failure)


def test_shuffled_rows_are_put_back_in_order(server, client):
    server.script(changed(lambda reply: reply["data"].reverse()))

    texts = ["one", "two", "three"]
    assert client.ask(texts).content == HashedEmbedder(8).embed(texts, "main", "test")


@pytest.mark.parametrize("fault", [hang, reset, cut, flood, refuses(500), says(b"{")])
def test_the_call_after_a_failure_is_answered(server, hasty, fault):
    failed(hasty, server, fault)

    assert len(hasty.ask(["hello"]).content) == 1


def test_closing_wakes_whoever_still_waits(server, hasty):
    server.script(hang)
    with ThreadPoolExecutor(1) as caller:
        call = caller.submit(hasty.ask, ["hello"])
        wait_until(lambda: server.tokens > 0)
        hasty.close()

        assert isinstance(call.exception(timeout=10), AskFailedError)


def test_a_connection_that_is_refused_was_certainly_not_used(clock):
    with socket.socket() as listening_to_nobody:
        listening_to_nobody.bind(("127.0.0.1", 0))
        port = listening_to_nobody.getsockname()[1]
        with closing(made(f"http://127.0.0.1:{port}/v1", clock)) as client:
            with pytest.raises(NotSentError, match="could not be reached"):
                client.ask(["hello"])


def test_a_handshake_that_never_ends_was_certainly_not_a_request(server, clock):
    with socket.create_server(("127.0.0.1", 0)) as mute:
        url = f"https://127.0.0.1:{mute.getsockname()[1]}/v1"
        with closing(made(url, clock, timeout_s=SOON_S)) as client:
            with pytest.raises(NotSentError, match="could not be reached"):
                client.ask(["hello"])


@pytest.mark.parametrize("fault", [refuses(401, KEY), refuses(500, "insufficient_quota"), reset])
def test_neither_the_key_nor_the_texts_nor_the_reply_reach_an_error(server, client, fault):
    server.script(fault)

    with pytest.raises(Exception, match="embedding service") as failure:
        client.ask(["a private thought"])

    told = f"{failure.value!r} {failure.value.__cause__!r} {vars(failure.value)} {client!r}"
    assert KEY not in told
    assert "private" not in told


def test_a_known_reason_is_told(server, client):
    assert "HTTP 429 (insufficient_quota)" in str(
        failed(client, server, refuses(429, "insufficient_quota"))
    )


@pytest.mark.parametrize(
    "base_url",
    [
        "",
        "api.openai.com/v1",
        "ftp://host/v1",
        "file:///etc/passwd",
        "http://",
        "http://user:password@host/v1",
        "http://host/v1?key=password",
        "http://host:99999/v1",
        "http://host/\n",
        "http://../v1",
    ],
)
def test_an_address_that_cannot_work_is_refused_and_not_repeated(base_url, clock):
    with pytest.raises(InvalidInputError) as refused:
        made(base_url, clock)

    assert refused.value.field == "AFTERWORD_EMBEDDING_BASE_URL"
    assert "password" not in str(refused.value)


def test_a_key_that_would_break_out_of_its_header_is_refused_and_not_repeated(clock):
    with pytest.raises(InvalidInputError) as refused:
        made("http://host", clock, key=f"{KEY}\r\nX: y")

    assert refused.value.field == "AFTERWORD_EMBEDDING_API_KEY"
    assert KEY not in str(refused.value)

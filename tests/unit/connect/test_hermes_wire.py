"""The way of a plugin to the server: whatever the server does, who asks goes on in time."""

from collections.abc import Iterator, Mapping
from itertools import chain, repeat

import pytest

from afterword.pipeline.doors.connect.hermes_plugin.wire import (
    FAILED_REQUESTS,
    PAUSE_S,
    ServerWire,
    WireError,
)
from afterword.pipeline.testing.clock import ManualSeconds
from afterword.pipeline.testing.faulty_server import (
    Behaviour,
    FaultyServer,
    Reply,
    answer,
    cut,
    drip,
    drip_body,
    flood,
    hang,
    refuses,
    reset,
)
from afterword.pipeline.testing.ports import free_port

FAULTS = {
    "hangs": hang,
    "sends a head without end": drip,
    "sends a body without end": drip_body,
    "sends more than any answer": flood,
    "breaks off": cut,
    "resets": reset,
    "fails": refuses(500),
    "is overloaded": refuses(503),
}


class AnyServer(FaultyServer[Reply]):
    """A server that answers every path with the headers it was asked with."""

    def read(self, headers: Mapping[str, str], sent: Reply) -> Reply:
        return {"headers": dict(headers), "sent": sent}

    def serves(self, path: str) -> bool:  # noqa: ARG002  # all
        return True

    def decode(self, method: str, path: str, body: bytes) -> Reply:
        return super().decode(method, path, body or b"{}")

    def unscripted(self) -> Behaviour:
        return answer

    def work(self, asked: Reply) -> Reply:
        return asked


@pytest.fixture
def server() -> Iterator[AnyServer]:
    with AnyServer("/") as server:
        yield server


@pytest.fixture
def seconds() -> ManualSeconds:
    return ManualSeconds()


@pytest.fixture
def wire(server: AnyServer, seconds: ManualSeconds) -> ServerWire:
    return ServerWire(server.origin, "aw_main_1", deadline_s=0.2, now=seconds)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_server_that_fails_three_times_is_left_alone_for_a_minute(
    fault: str, server: AnyServer, wire: ServerWire, seconds: ManualSeconds
):
    server.script(*repeat(FAULTS[fault], FAILED_REQUESTS))
    for _ in range(FAILED_REQUESTS + 5):
        with pytest.raises(WireError):
            wire.ask("GET", "/v1/manifest")
    assert server.requests == FAILED_REQUESTS

    seconds.now += PAUSE_S
    with pytest.raises(WireError):  # a turn would wait for it
        wire.ask("GET", "/v1/manifest")
    assert server.requests == FAILED_REQUESTS
    wire.ask("GET", "/v1/manifest", in_background=True)
    wire.ask("GET", "/v1/manifest")
    assert server.requests == FAILED_REQUESTS + 2


def test_a_try_that_fails_waits_for_the_next_minute(
    server: AnyServer, wire: ServerWire, seconds: ManualSeconds
):
    server.script(*repeat(reset, FAILED_REQUESTS + 1))
    for moment in chain(repeat(0.0, FAILED_REQUESTS), (PAUSE_S, 1.0, PAUSE_S)):
        seconds.now += moment
        try:
            wire.ask("GET", "/v1/manifest", in_background=True)
            told = "answer"
        except WireError:
            told = "none"

    assert server.requests == FAILED_REQUESTS + 2
    assert told == "answer"


def test_a_refusal_is_told_in_its_words_and_is_no_failure(server: AnyServer, wire: ServerWire):
    problem = {"title": "Invalid.", "detail": "limit: is 0; accepted: 1 to 100"}

    def refuse(turn):
        turn.send(422, str(problem).replace("'", '"').encode(), Content_Type="application/json")

    server.script(*repeat(refuse, FAILED_REQUESTS + 2))
    for _ in range(FAILED_REQUESTS + 2):
        with pytest.raises(WireError, match="limit: is 0; accepted: 1 to 100") as told:
            wire.ask("POST", "/v1/tools/memory_search", {"limit": 0})
    assert told.value.is_final
    assert server.requests == FAILED_REQUESTS + 2


def test_another_program_at_the_address_is_told(wire: ServerWire):
    with pytest.raises(WireError, match="another program answers"):
        wire.ask("POST", "/v1/tools/memory_search", {}, wanted="result")


def test_a_request_has_the_token_the_session_and_the_key(server: AnyServer, wire: ServerWire):
    wire.ask("POST", "/v1/turns", {"message": "hi"}, session="a handle", key="a key")

    headers = server.asked[0]["headers"]
    assert headers["authorization"] == "Bearer aw_main_1"
    assert (headers["afterword-session"], headers["idempotency-key"]) == ("a handle", "a key")
    assert server.asked[0]["sent"] == {"message": "hi"}


def test_where_nothing_listens_is_told_at_once():
    with pytest.raises(WireError, match="cannot be reached"):
        ServerWire(f"http://127.0.0.1:{free_port()}", "").ask("GET", "/health")

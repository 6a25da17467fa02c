"""A call keeps one deadline, and its error says whether the request was sent."""

import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import pytest

from afterword.pipeline.gateway.budget import NotSentError
from afterword.pipeline.gateway.http.model import AskFailedError, Service
from afterword.pipeline.gateway.http.wire import Wire

SERVICE = Service("test service", "AFTERWORD_TEST", "/v1", input_name="question")
SOON_S = 0.3
LARGE = 1_000_000
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


def wire_to(port: int, host: str = "127.0.0.1", timeout_s: float = SOON_S) -> Wire:
    return Wire(SERVICE, f"http://{host}:{port}/v1", {}, timeout_s)


def answering(server: socket.socket, replies: int) -> threading.Semaphore:
    """Answer so many requests, each on a connection that is closed right after.

    Returns:
        A semaphore that is released each time a connection was closed.
    """
    closed = threading.Semaphore(0)

    def answer() -> None:
        for _ in range(replies):
            peer, _ = server.accept()
            with peer:
                peer.recv(65_536)
                peer.sendall(OK)
            closed.release()

    threading.Thread(target=answer, daemon=True).start()
    return closed


def test_a_peer_that_reads_nothing_is_cut_off_at_the_deadline():
    with socket.create_server(("127.0.0.1", 0)) as server, closing(wire_to(_port(server))) as wire:
        began = time.monotonic()
        with pytest.raises(AskFailedError, match="no complete reply"):
            wire.post(b"x" * 50_000_000, LARGE)
    assert SOON_S <= time.monotonic() - began < 10 * SOON_S


def test_a_long_body_arrives_whole():
    body, arrived = b"x" * 3_000_000, bytearray()

    def read_all() -> None:
        peer, _ = server.accept()
        with peer:
            while not arrived.endswith(b"\r\n\r\n" + body):
                arrived.extend(peer.recv(65_536))
            peer.sendall(OK)

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=read_all, daemon=True).start()
        with closing(wire_to(_port(server), timeout_s=20)) as wire:
            assert wire.post(body, LARGE).body == b"ok"
    assert b"\r\nContent-Length: 3000000\r\n" in arrived


def test_closing_lets_a_call_on_its_way_come_to_its_end():
    asked = threading.Event()

    def answer_late() -> None:
        peer, _ = server.accept()
        with peer:
            peer.recv(65_536)
            asked.set()
            time.sleep(SOON_S)
            peer.sendall(OK)

    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor(1) as caller:
        threading.Thread(target=answer_late, daemon=True).start()
        wire = wire_to(_port(server), timeout_s=20)
        call = caller.submit(wire.post, b"{}", LARGE)
        asked.wait(10)
        wire.close()
        assert call.result(10).body == b"ok"


def test_a_name_that_is_never_found_is_cut_off_and_was_certainly_not_asked(
    monkeypatch: pytest.MonkeyPatch,
):
    asleep = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: asleep.wait(30))
    with closing(wire_to(80, "slow.example")) as wire:
        began = time.monotonic()
        with pytest.raises(NotSentError, match="could not be reached"):
            wire.post(b"{}", LARGE)
    assert time.monotonic() - began < 10 * SOON_S
    asleep.set()


def test_a_name_without_an_address_was_certainly_not_asked():
    with closing(wire_to(80, "nobody.invalid", timeout_s=20)) as wire:
        with pytest.raises(NotSentError, match="could not be reached"):
            wire.post(b"{}", LARGE)


def test_an_address_that_refuses_does_not_hide_the_next_one(monkeypatch: pytest.MonkeyPatch):
    with socket.create_server(("127.0.0.1", 0)) as server:
        answering(server, 1)
        found: list[Any] = [("127.0.0.9", 1), server.getsockname()]
        monkeypatch.setattr(
            socket,
            "getaddrinfo",
            lambda *_, **__: [(socket.AF_INET, socket.SOCK_STREAM, 6, "", one) for one in found],
        )
        with closing(wire_to(_port(server), "two.example", timeout_s=20)) as wire:
            assert wire.post(b"{}", LARGE).body == b"ok"


def test_a_connection_the_server_closed_is_not_used_again():
    with socket.create_server(("127.0.0.1", 0)) as server:
        closed = answering(server, 3)
        with closing(wire_to(_port(server), timeout_s=20)) as wire:
            for _ in range(3):
                assert wire.post(b"{}", LARGE).status == 200
                assert closed.acquire(timeout=20)


def test_a_failure_of_one_call_says_nothing_of_the_next(monkeypatch: pytest.MonkeyPatch):
    with socket.create_server(("127.0.0.1", 0)) as server:
        with closing(wire_to(_port(server))) as wire:
            with pytest.raises(AskFailedError):
                wire.post(b"{}", LARGE)
            monkeypatch.setattr(socket, "getaddrinfo", _refuse)
            with pytest.raises(NotSentError):
                wire.post(b"{}", LARGE)


def _refuse(*_: object, **__: object) -> None:
    raise OSError("no resolver")


def _port(server: socket.socket) -> int:
    return int(server.getsockname()[1])

"""Secrets written by the memory verbs show up nowhere: Redis, jobs, logs, metrics, files."""

import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.facts.record import record_fact
from afterword.pipeline.domain.memory.edit import edit_memory
from afterword.pipeline.domain.memory.entries import new_entry, store_entry
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.user_profile import set_profile_value
from afterword.pipeline.domain.memory.write import write_memories, write_memory
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions.sessions import begin_session
from afterword.pipeline.ids import random_uid
from afterword.pipeline.testing.process import ask_port
from afterword.pipeline.testing.redis_server import RedisServer
from afterword.pipeline.testing.wait import wait_until
from tests.corpora.secrets import ALNUM, HEX, Maker

pytestmark = pytest.mark.crash

MAKER = Maker()
PHRASE = MAKER.phrase()
SECRETS = (
    *(" ".join(PHRASE.split()[at : at + 3]) for at in range(10)),
    HEX_KEY := "0x" + MAKER.of(HEX, 64),
    TOKEN := f"sk-ant-api03-{MAKER.of(ALNUM, 80)}AA",
    PEM := MAKER.pem(lines=3),
)
"""What may be found nowhere, whole or a piece of it; of the phrase any three words in a row."""

PIECE = 16
"""Characters of a secret that may not be left in a row."""

JOBS = ("jobs", "job_runs", "job_stats")


def write_secrets(store: Store) -> int:
    """Write every secret by every verb and into every field, and return how many rows it took."""
    said = f"long BTC, the seed phrase is {PHRASE}; private key {HEX_KEY}, and {TOKEN} and {PEM}"
    given: dict[str, Any] = {"metadata": {"private_key": HEX_KEY, "notes": [said, {"api": TOKEN}]}}
    given |= {"tags": [TOKEN[:50]], "session_id": "monday"}
    plain = NewMemory("observation", said, **given)
    write_memory(Writer(store, system_clock, random_uid), plain)
    write_memories(Writer(store, system_clock, random_uid), [plain] * 3)
    by_hand = NewMemory("personalization", "by hand", source="user_manual", origin="owner")
    written = write_memory(Writer(store, system_clock, random_uid, "owner"), by_hand)
    edit_memory(Writer(store, system_clock, random_uid, "owner"), written.id, content=said)
    entry = new_entry("fact", said[:1_900], [TOKEN[:50]], actor="agent")
    first = store_entry(Writer(store, system_clock, random_uid), entry)
    store_entry(Writer(store, system_clock, random_uid), entry, supersedes=first.uid)
    record_fact(store, NewMemory("fact", said), system_clock, random_uid)
    set_profile_value(Writer(store, system_clock, random_uid), "backup", PHRASE)
    begin_session(Writer(store, system_clock, random_uid), TOKEN)
    return 9


def found_in(where: str) -> list[str]:
    """Return the pieces of secrets that a text has; written as JSON or not."""
    plain = where.replace("\\n", "\n").replace("\\\\", "\\")
    pieces = {
        secret[at : at + PIECE]
        for secret in SECRETS
        for at in range(max(1, len(secret) - PIECE + 1))
        if "PRIVATE KEY" not in secret[at : at + PIECE]
    }
    return sorted(piece for piece in pieces if piece in plain)


@pytest.fixture
def overheard(redis_server: RedisServer) -> Iterator[bytearray]:
    """Everything that is sent to Redis from now on, as its MONITOR shows it."""
    heard, conn = bytearray(), socket.create_connection(("127.0.0.1", redis_server.port))
    conn.sendall(b"MONITOR\r\n")

    def listen() -> None:
        while part := conn.recv(65_536):
            heard.extend(part)

    thread = threading.Thread(target=listen)
    thread.start()
    yield heard
    conn.shutdown(socket.SHUT_RDWR)
    thread.join()
    conn.close()


def test_no_secret_reaches_redis_a_job_the_logs_the_metrics_or_a_file(host, overheard, capfd):
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    rows = write_secrets(host.store)
    jobs = everything(host.store)
    host.worker(metrics_port=port, log_level="DEBUG", log_format="json")
    host.dispatcher(cron=True)
    wait_until(lambda: done(host.store) >= rows, 60)
    host.drained()

    metrics = ask_port(port, "/metrics")[1]
    places = {
        "jobs": jobs + everything(host.store),
        "Redis": overheard.decode(),
        "logs": "".join(capfd.readouterr()),
        "metrics": metrics,
        "files": "".join(
            path.read_bytes().decode("utf-8", "replace")
            for path in host.home.rglob("*")
            if path.is_file()
        ),
    }

    # Each place was looked at, and holds what it should.
    signs = {"jobs": "memory_id", "Redis": "extract_edges", "logs": "worker.started"}
    signs |= {"metrics": "afterword_", "files": "[masked:"}
    assert [place for place, sign in signs.items() if sign not in places[place]] == []
    assert {place: found for place, text in places.items() if (found := found_in(text))} == {}


def everything(store: Store) -> str:
    """Return all rows of the ledger as text."""
    with reading(store) as conn:
        return repr([conn.exec_driver_sql(f"SELECT * FROM {table}").all() for table in JOBS])


def done(store: Store) -> int:
    with reading(store) as conn:
        query = "SELECT coalesce(sum(jobs), 0) FROM job_stats WHERE kind = 'extract_edges'"
        return int(conn.exec_driver_sql(query).scalar_one())

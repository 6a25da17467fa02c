"""What an error repeats has no secret: at every door, in logs, and where a statement fails."""

import io
import logging
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from afterword import Agent
from afterword.pipeline.core.store import Store, writing
from afterword.pipeline.core.telemetry.log import log_events
from afterword.pipeline.doors.agent import TOOLS, call, schema
from afterword.pipeline.doors.cli.root import app
from afterword.pipeline.errors import InvalidInputError, PipelineError
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.command import Command
from afterword.pipeline.testing.mcp_process import McpProcess
from tests.corpora.secrets import ALNUM, Maker

MAKER = Maker(31)
TOKEN = "ghp_" + MAKER.of(ALNUM, 36)
PHRASE = MAKER.phrase()
KEY = MAKER.wif()
SECRETS = (TOKEN, PHRASE, KEY, f"{'a note, ' * 3}{TOKEN}")
"""Whole texts of an argument; an error repeats the first 40 characters or so."""

PIECES = tuple(
    [TOKEN[at : at + 12] for at in range(len(TOKEN) - 11)]
    + [KEY[at : at + 12] for at in range(len(KEY) - 11)]
    + [" ".join(PHRASE.split()[at : at + 3]) for at in range(10)]
)
"""What may be left of none of them."""

SECRET_OF_NO_KIND = "sold all but the house on Tuesday"


def pieces_in(text: str) -> list[str]:
    return [piece for piece in PIECES if piece in text]


def refuse_writes(store: Store, table: str) -> None:
    """Make every insert into a table fail, as a damaged schema would."""
    with writing(store) as conn:
        conn.exec_driver_sql(
            f"CREATE TRIGGER refuse_{table} BEFORE INSERT ON {table} "
            "BEGIN SELECT RAISE(ABORT, 'refused by the test'); END"
        )


def test_a_statement_that_fails_repeats_nothing_of_a_memory_in_the_log_of_mcp(home, stores, store):
    refuse_writes(store, "methodologies")
    stores.close()
    method = {"asset_class": "major_crypto", "direction": "bullish", "timeframe": "short"}
    method["methodology"] = f"Buy SOL when RSI is below 30; {SECRET_OF_NO_KIND}; {TOKEN}"
    with McpProcess(home, mcp_tools="all") as client:
        client.begin()
        said = client.refused("methodology_add", method)
        log = client.log

    files = "".join(path.read_bytes().decode("latin-1") for path in files_of(home))
    assert "refused by the test" in log
    assert SECRET_OF_NO_KIND not in said + log + files
    assert pieces_in(said + log + files) == []


def files_of(home: Path) -> list[Path]:
    return [path for path in home.rglob("*") if path.is_file()]


def test_a_statement_that_fails_repeats_nothing_of_a_memory_in_a_traceback(command, stores, store):
    refuse_writes(store, "user_profile")
    stores.close()
    done = command("profile", "set", "house", SECRET_OF_NO_KIND, "--debug")

    assert done.code == 1
    assert "refused by the test" in done.err
    assert "Traceback" in done.err
    assert SECRET_OF_NO_KIND not in done.err


@pytest.fixture
def agent(home: Path) -> Iterator[Agent]:
    with Agent.open("main", home=home) as agent:
        yield agent


@pytest.mark.parametrize("secret", SECRETS, ids=("token", "phrase", "key", "note"))
def test_no_tool_repeats_a_secret_that_it_refuses(agent: Agent, secret: str):
    said = {
        (tool, str(arguments)): answer_of(agent, tool, arguments)
        for tool in TOOLS
        for arguments in wrong_arguments(tool, secret)
    }

    assert {place: text for place, text in said.items() if pieces_in(text)} == {}


def wrong_arguments(tool: str, secret: str) -> Iterator[dict[str, Any]]:
    names = list(schema(tool)["properties"])
    yield dict.fromkeys(names, secret)
    yield {secret: secret}
    for name in names:
        yield from ({name: wrong} for wrong in (secret, [secret], {secret: secret}))


def answer_of(agent: Agent, tool: str, arguments: dict[str, Any]) -> str:
    try:
        return str(call(agent, tool, arguments))
    except PipelineError as refusal:
        parts = [refusal.__dict__.get(name) for name in ("field", "problem", "accepted")]
        return f"{refusal} {parts}"


def test_no_method_repeats_a_secret_that_it_refuses(agent: Agent):
    with pytest.raises(InvalidInputError, match=r"category: '\[masked:github-token\]' is unknown"):
        agent.memory_write(TOKEN, "x")
    with pytest.raises(InvalidInputError, match=r"outcome: '\[masked:recovery-phrase\]'"):
        agent.finish_turn("none", PHRASE)


def test_no_mcp_client_reads_its_secret_again(home: Path):
    with McpProcess(home) as client:
        client.begin()
        said = [client.refused(secret, {}) for secret in SECRETS]
        said += [client.refused("memory_store", {secret: 1}) for secret in SECRETS]
        said += [client.refused("memory_delete", {"id": secret}) for secret in SECRETS]
        said.append(str(client.ask(TOKEN)))
        said.append(str(client.ask("tools/call", {"name": ["x"], "arguments": TOKEN})))
        said.append(client.log)

    assert pieces_in(" ".join(said)) == []


PROCESSES = {"mcp", "up", "worker", "dispatcher", "demo", "health", "open"}
"""Commands that go on until they are told to end."""


def lines() -> Iterator[tuple[str, ...]]:
    """Yield every command with secrets as arguments, and once with each option there is."""
    seen = {"--home", "--group"}
    places: list[tuple[tuple[str, ...], Any]] = [((), get_command(app))]
    while places:
        line, one = places.pop()
        if hasattr(one, "list_commands"):
            names = one.list_commands(None)
            places += [((*line, name), one.get_command(None, name)) for name in names]
        elif line[0] not in PROCESSES:
            needed = [word for part in one.params if part.required for word in given(part)]
            yield (*line, *needed)
            for part in one.params:
                if part.param_type_name == "option" and not part.is_flag and not part.required:
                    if part.opts[0] not in seen:
                        yield (*line, *needed, *given(part))
                    seen.add(part.opts[0])


def given(parameter: Any) -> tuple[str, ...]:
    """Return a parameter with a secret as its value, as words of a line."""
    is_option = parameter.param_type_name == "option"
    return (parameter.opts[0], TOKEN) if is_option else (TOKEN,)


def test_no_command_repeats_a_secret(command: Command, monkeypatch, tmp_path, writer):
    monkeypatch.chdir(tmp_path)
    told = {line: command("--group", "main", *line) for line in lines()}

    assert len(told) > 150
    assert {line: done for line, done in told.items() if pieces_in(done.out + done.err)} == {}


def test_no_wrong_setting_is_repeated_where_it_may_be_a_key(command: Command):
    done = command("memory", "read", env={"AFTERWORD_WORKER_THREADS": TOKEN})

    assert done.code == 2
    assert "AFTERWORD_WORKER_THREADS: a value of 42 characters is not a whole number" in done.err
    assert pieces_in(done.err) == []


def test_no_log_holds_a_secret_of_a_traceback(clock: ManualClock):
    stream = io.StringIO()
    stop = log_events(stream, "text", "DEBUG", clock)
    try:
        fail_with(TOKEN)
    except ValueError:
        logging.getLogger("some.library").exception("failed")
    thread = threading.Thread(target=fail_with, args=(PHRASE,))
    thread.start()
    thread.join()
    stop()

    assert stream.getvalue().count("Traceback (most recent call last)") == 2
    assert pieces_in(stream.getvalue()) == []


def fail_with(text: str) -> None:
    raise ValueError(f"cannot read {text!r}")

"""How a command line runs and ends: one line on stderr and an exit code."""

import fcntl
import json
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from typer.testing import CliRunner

from afterword.pipeline.core.store import Stores
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memories
from afterword.pipeline.doors.cli.root import app

PYTHON = (sys.executable, "-m", "afterword")


def test_help_names_every_command_and_imports_no_heavy_library():
    done = subprocess.run(
        (sys.executable, "-X", "importtime", "-m", "afterword", "--help"),
        capture_output=True,
        text=True,
        check=True,
    )
    imported = {line.split("|")[-1].strip() for line in done.stderr.splitlines()}
    heavy = {"sqlalchemy", "pydantic", "redis", "dramatiq", "rich", "workers", "schedules"}

    assert not imported & heavy
    for name in ("memory", "jobs", "budget", "history", "store", "config", "doctor", "worker"):
        assert f"  {name} " in done.stdout


def test_a_line_without_a_command_shows_the_help(command):
    assert CliRunner().invoke(app, []).stdout == command("--help").out
    assert "redrive" in command("jobs").out
    assert command("jobs").code == 0


def test_a_command_of_a_room_above_is_loaded_when_it_is_asked_for(command):
    answer = command("worker", "--help")

    assert answer.code == 0
    assert "--processes" in answer.out
    assert "--home" in answer.out  # it has the options all commands have


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (("jbos",), "did you mean jobs?"),
        (("jobs", "lss"), "Did you mean 'ls'"),
        (("jobs", "show"), "Missing argument 'ID'"),
        (("jobs", "show", "x"), "'ID'"),
        (("--bogus",), "--bogus"),
        (("memory", "read", "--limit", "many"), "'--limit': 'many' is not a whole number; see `"),
        (("jobs", "ls", "--limit", "0"), "'--limit': '0' is not 1 or more; see `"),
        (("jobs", "ls", "--state", "lost"), "'--state': 'lost' is not one of 'later', 'ready',"),
        (("jobs", "redrive", "--rate", "fast"), "'--rate': 'fast' is not a number; see `"),
    ],
)
def test_a_usage_error_is_one_line_and_exit_2(command, line, said):
    answer = command(*line)

    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("afterword: ")
    assert said in answer.err
    assert answer.err.count("\n") == 1


def test_the_shared_options_stand_before_or_after_the_command(store, command, home):
    before = command("--json", "--group", "main", "memory", "read")
    after = command("memory", "read", "--group", "main", "--json")

    assert before == after
    assert before.json == []


def test_reading_where_nothing_was_written_says_so_and_makes_nothing(command, home):
    for line in (("jobs", "ls"), ("memory", "read"), ("store", "check"), ("fact", "ls")):
        answer = command(*line)
        assert answer.code == 1
        assert "no installation" in answer.err
    assert not home.exists()


def test_reading_a_group_that_does_not_exist_says_so(stores, command):
    answer = command("memory", "read", "--group", "other")

    assert answer.code == 1
    assert "'other' does not exist" in answer.err
    assert stores.groups() == []


def test_a_traceback_is_only_shown_when_asked_for(store, command):
    quiet, loud = command("jobs", "show", "7"), command("jobs", "show", "7", "--debug")

    assert quiet.err == "afterword: job 7 does not exist, and no run of it is kept any more\n"
    assert "Traceback" in loud.err
    assert loud.err.endswith(quiet.err)


def test_an_unexpected_error_is_one_line_too(store, command, monkeypatch):
    monkeypatch.setattr(
        "afterword.pipeline.core.jobs.inspect.backlogs",
        lambda *_: (_ for _ in ()).throw(KeyError("lost\nline")),
    )
    answer = command("jobs", "ls")

    assert answer.code == 1
    assert answer.err.startswith("afterword: unexpected KeyError")
    assert answer.err.count("\n") == 1


def test_text_from_a_store_cannot_steer_the_terminal(command, writer):
    nasty = "red \x1b[31m, back\r, two\nlines, \u202ereversed, tab\t."
    write_memories(writer, [NewMemory("lesson", nasty)])
    answer = command("memory", "read")

    assert len(answer.out.splitlines()) == 2
    assert not set(answer.out) & {"\x1b", "\r", "\t", "\u202e"}
    assert command("memory", "read", "--json").json[0]["content"] == nasty


def test_a_full_disk_is_told_in_one_plain_sentence(store, home):
    with Path("/dev/full").open("wb") as full:
        line = (*PYTHON, "--home", str(home), "memory", "read")
        done = subprocess.run(line, stdout=full, stderr=subprocess.PIPE, check=False)

    assert done.returncode == 1
    assert done.stderr.startswith(
        b"afterword: the output could not be written completely (No space left"
    )
    assert done.stderr.count(b"\n") == 1


def test_a_reader_that_has_left_is_no_error(store, home):
    line = (*PYTHON, "--home", str(home), "memory", "read")
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()  # long before the first line is written
        assert process.stderr.read() == b""
        assert process.wait() == 1


def heed_interrupts() -> None:
    """A test run that a shell started in the background ignores them, and so would its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_an_interrupted_command_ends_quietly(home):
    line = (*PYTHON, "--home", str(home), "memory", "write", "--file", "-")
    with subprocess.Popen(
        line, stdin=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=heed_interrupts
    ) as process:
        assert process.stdin is not None and process.stderr is not None
        # Once it takes more than a pipe holds, it is inside the command and reads.
        process.stdin.write(b'{"category": "lesson", "content": "x"}\n' * 5000)
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        assert process.stderr.read() == b""
        assert process.wait() == 130
    assert not home.exists()


def test_bytes_that_are_no_text_are_refused_by_name(store, home):
    line = [*PYTHON, "--home", str(home), "memory", "write", "lesson", b"caf\xe9"]
    done = subprocess.run(line, capture_output=True)

    assert done.returncode == 2
    assert done.stderr.startswith(b"afterword: content: has a NUL or bytes")


def test_any_locale_can_carry_the_answer(home, writer):
    write_memories(writer, [NewMemory("lesson", "逢低买入 €")])
    line = [*PYTHON, "--home", str(home), "memory", "read"]
    latin = os.environ | {"PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"}
    table = subprocess.run(line, capture_output=True, env=latin, check=True)
    document = subprocess.run([*line, "--json"], capture_output=True, env=latin, check=True)

    assert b"\\u9022" in table.stdout
    assert json.loads(document.stdout)[0]["content"] == "逢低买入 €"


def test_a_table_in_a_pipe_is_whole_and_aligned(command, writer):
    write_memories(writer, [NewMemory("lesson", "long " * 30), NewMemory("reference", "b")])
    head, *rows = command("memory", "read").out.splitlines()

    assert {row.index("2026-01-05") for row in rows} == {head.index("updated")}
    assert any(row.endswith("long") for row in rows)


def test_a_table_on_a_terminal_fits_it_and_keeps_names_whole(home, writer):
    write_memories(writer, [NewMemory("trade_outcome", "[bold]word " * 20)])
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    line = [*PYTHON, "--home", str(home), "memory", "read"]
    plain = {name: text for name, text in os.environ.items() if name not in {"COLUMNS", "LINES"}}
    done = subprocess.run(line, stdin=theirs, stdout=theirs, check=True, env=plain)
    os.close(theirs)
    shown = os.read(ours, 65536).decode()
    os.close(ours)
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line).rstrip() for line in shown.splitlines()]

    assert done.returncode == 0
    assert max(map(len, lines)) <= 80
    assert "trade_outcome" in shown
    assert "2026-01-05 00:00:00Z" in shown
    assert "[bold]word" in shown  # what is stored is no markup


def test_a_shelf_is_closed_when_its_command_ends(stores: Stores, store, command):
    assert command("memory", "write", "lesson", "a").code == 0
    assert not store.path.with_name("main.sqlite-wal").exists()

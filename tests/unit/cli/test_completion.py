"""A shell completes commands and options of a line."""

import os
import subprocess
import sys

import pytest

PROGRAM = (sys.executable, "-X", "importtime", "-m", "afterword")


def completed(line: str) -> tuple[list[str], set[str]]:
    """Return what the shell gets for the last word of a line, and which modules that imported."""
    asked = {
        "_AFTERWORD_COMPLETE": "complete_bash",
        "COMP_WORDS": line,
        "COMP_CWORD": str(line.count(" ")),
    }
    done = subprocess.run(
        PROGRAM, env=os.environ | asked, capture_output=True, text=True, check=True
    )
    modules = {one.split("|")[-1].strip() for one in done.stderr.splitlines()}
    return done.stdout.split(), modules


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("afterword me", ["memory", "methodology"]),
        ("afterword memory wr", ["write"]),
        ("afterword memory write --f", ["--file"]),
        ("afterword --js", ["--json"]),
    ],
)
def test_a_shell_completes_a_line(line: str, words: list[str]):
    assert completed(line)[0] == words


def test_the_names_of_commands_are_completed_without_importing_one():
    words, modules = completed("afterword ")

    assert {"learn", "memory", "worker"} <= set(words)
    assert not modules & {"sqlalchemy", "redis", "dramatiq", "rich"}


def test_the_script_of_the_shell_is_shown_on_request(command):
    # The shell is found among the parents of the process: `true` keeps bash alive behind it.
    line = f"{sys.executable} -m afterword --show-completion; true"
    shown = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=True)

    assert "complete -o default -F _afterword_completion afterword" in shown.stdout
    assert "--install-completion" in command("--help").out

"""The help of every command ends with an example, and the command accepts it."""

import shlex
from collections.abc import Iterator
from typing import Any

import pytest
from typer.main import get_command

from afterword.pipeline.doors.cli.root import app
from afterword.pipeline.testing.command import Command

ROOT = get_command(app)


def commands(command: Any = ROOT, *path: str) -> Iterator[tuple[str, ...]]:
    """Yield every command below one, by the words of its name."""
    if not hasattr(command, "list_commands"):
        yield path
        return
    for name in command.list_commands(None):
        yield from commands(command.get_command(None, name), *path, name)


def found(path: tuple[str, ...]) -> Any:
    command: Any = ROOT
    for name in path:
        command = command.get_command(None, name)
    return command


@pytest.mark.parametrize("path", list(commands()), ids=" ".join)
def test_a_commands_help_has_an_example_of_it_that_it_accepts(
    command: Command, path: tuple[str, ...]
):
    shown = command(*path, "--help").out.replace("\\\n", " ")
    lines = [line.strip().removeprefix("Example: ") for line in shown.splitlines()]
    examples = [shlex.split(line) for line in lines if line.startswith("afterword ")]
    own = [words for words in examples if words[1 : len(path) + 1] == list(path)]

    assert own, "the docstring should end with `Example: afterword ...` of this command"
    for _program, *words in own:
        found(path).make_context(path[-1], words[len(path) :]).close()

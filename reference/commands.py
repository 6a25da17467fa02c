"""Every command with its help: purpose, arguments, options, examples."""

from collections.abc import Iterator
from textwrap import dedent
from typing import Any

from typer.main import get_command

from afterword.pipeline.doors.cli.root import PROGRAM_NAME, app
from reference.markdown import code, page, sentence, table

INTRODUCTION = """What `--help` of each command says. The options of the first table belong to \
every command, and may stand before or after its name. [Operations](../operations.md#commands) \
says what holds for all commands."""

HEAD = ("option", "meaning")


def commands_page() -> str:
    """Return the page: the options of all commands, the list, then a section for each."""
    found = dict(commands(get_command(app), PROGRAM_NAME))
    shared = set.intersection(*(set(options_of(command)) for command in found.values()))
    any_command = options_of(next(iter(found.values())))
    rows = [
        (f"[`{name}`](#{name.replace(' ', '-')})", lead(command)) for name, command in found.items()
    ]
    return page(
        "Commands",
        INTRODUCTION,
        table(HEAD, [record for record in any_command.items() if record[0] in shared]),
        table(("command", "purpose"), rows),
        *(_section(name, command, shared) for name, command in found.items()),
    )


def commands(command: Any, *path: str) -> Iterator[tuple[str, Any]]:
    """Yield every command below one with its whole name, in the order of `--help`."""
    if not hasattr(command, "list_commands"):
        yield " ".join(path), command
        return
    for name in command.list_commands(None):
        yield from commands(command.get_command(None, name), *path, name)


def options_of(command: Any) -> dict[str, str]:
    """Return the arguments and options of a command with their help, as `--help` prints them."""
    ctx = command.make_context(PROGRAM_NAME, [], resilient_parsing=True)
    records = [field.get_help_record(ctx) for field in command.get_params(ctx)]
    return {code(_text(name)): _text(meaning) for name, meaning in filter(None, records)}


def lead(command: Any) -> str:
    """Return the first sentence of a command's help."""
    return sentence(command.help)


def _section(name: str, command: Any, shared: set[str]) -> str:
    paragraphs = command.help.replace("\b\n", "").split("\n\n")
    own = {name: meaning for name, meaning in options_of(command).items() if name not in shared}
    parts = [f"## {name}"]
    parts += [_text(text) for text in paragraphs if not text.startswith("Example")]
    if own:
        parts.append(table(HEAD, own.items()))
    examples = [_example(text) for text in paragraphs if text.startswith("Example")]
    if examples:
        parts.append("\n".join(("```text", *examples, "```")))
    return "\n\n".join(parts)


def _text(help_text: str) -> str:
    """Return a help text in one line; a bar would end the cell of a table."""
    return " ".join(help_text.split()).replace("|", "\\|")


def _example(paragraph: str) -> str:
    """Return the commands of a paragraph that begins with `Example:` or `Examples:`."""
    kind, _, lines = paragraph.partition(":")
    return dedent(lines.strip("\n")) if kind == "Examples" else " ".join(lines.split())

"""The list of commands, each imported only when it is used."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, Final

import typer
from typer.core import CompletionItem, TyperGroup  # type: ignore[attr-defined]  # no other name
from typer.main import get_command

from afterword.pipeline.areas import AREAS, all_areas
from afterword.pipeline.core.area import Area, AreaCommand, in_order, load
from afterword.pipeline.doors.cli.global_options import share
from afterword.pipeline.doors.cli.loading import loading

_MAX_SUMMARY_CHARS: Final = 1_000
"""Characters of the first sentence of a command's help in a list."""


class CommandGroup(TyperGroup):
    """A group of commands; without a subcommand it shows its help."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments, or show the help if there are none."""
        return super().parse_args(ctx, args or ["--help"])

    def format_commands(self, _ctx: Any, formatter: Any) -> None:
        """Write the list of commands, each with its whole summary on as many lines as it takes."""
        rows = [
            (name, command.get_short_help_str(_MAX_SUMMARY_CHARS))
            for name, command in self.commands.items()
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


class Lazy(CommandGroup):
    """The outermost group: it knows names and help, and imports only the command that is used."""

    def list_commands(self, _ctx: Any) -> list[str]:
        """Return every command's name."""
        return list(commands_of(all_areas()))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import one command, and add the shared options to it."""
        # Our own areas first: searching the installed packages would be slow.
        known = commands_of(AREAS)
        if cmd_name not in known:
            known = commands_of(all_areas())
        if cmd_name not in known:
            near = "".join(f", did you mean {name}?" for name in get_close_matches(cmd_name, known))
            ctx.fail(f"no command {cmd_name!a}{near}")
        command = _loaded(known[cmd_name])
        share(command)
        return command

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """Return what completes a word: the names of commands without importing any."""
        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        return [
            CompletionItem(command.name, help=command.help)
            for command in commands_of(all_areas()).values()
            if command.name.startswith(incomplete)
        ]

    def format_commands(self, _ctx: Any, formatter: Any) -> None:
        """Write the list of commands without importing any."""
        with formatter.section("Commands"):
            commands = commands_of(all_areas()).values()
            formatter.write_dl([(command.name, command.help) for command in commands])


def commands_of(areas: Iterable[Area]) -> Mapping[str, AreaCommand]:
    """Return the commands that areas declare by name, in the order of the help."""
    return {command.name: command for command in in_order(areas, lambda area: area.commands)}


def section(help: str) -> typer.Typer:
    """Return an empty group of commands, for a command file to fill."""
    app = typer.Typer(cls=CommandGroup, help=help, add_completion=False, rich_markup_mode=None)
    # Without a callback, typer reduces a group with one command to that command.
    app.callback()(lambda: None)
    return app


def _loaded(command: AreaCommand) -> Any:
    with loading():
        app = load(command.command)
    if not isinstance(app, typer.Typer):
        function, app = app, typer.Typer(add_completion=False, rich_markup_mode=None)
        app.command(command.name)(function)
    return get_command(app)

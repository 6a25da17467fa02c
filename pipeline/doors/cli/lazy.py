"""The list of commands, each imported only when it is used."""

from collections.abc import Mapping
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, Final, NamedTuple

import typer
from typer.core import TyperGroup
from typer.main import get_command

from afterword.pipeline.doors.cli.options import share


class CommandEntry(NamedTuple):
    """The location of a command (`module:name`) and its line of help."""

    place: str
    help: str


_COMMANDS: Final = "afterword.pipeline.doors.commands"

OWN: Final[Mapping[str, CommandEntry]] = {
    "memory": CommandEntry(
        f"{_COMMANDS}.memory:app", "Write, search, edit, delete and purge memories."
    ),
    "fact": CommandEntry(
        f"{_COMMANDS}.facts:app", "List what the agent holds true, and undo a consolidation."
    ),
    "profile": CommandEntry(
        f"{_COMMANDS}.profile:app", "Set, list and remove the profile values of every prompt."
    ),
    "edges": CommandEntry(f"{_COMMANDS}.edges:app", "See which memories are about which asset."),
    "role": CommandEntry(
        f"{_COMMANDS}.roles:app", "Record decisions, and learn from their outcome."
    ),
    "forget": CommandEntry(f"{_COMMANDS}.forget:forget", "Erase a memory or a subject for good."),
    "snapshot": CommandEntry(
        f"{_COMMANDS}.prompts:snapshot", "Print the block at the start of a session."
    ),
    "brief": CommandEntry(
        f"{_COMMANDS}.prompts:brief", "Print the brief for an agent's first step."
    ),
    "page": CommandEntry(f"{_COMMANDS}.prompts:page", "Print all that is known about an asset."),
    "entry": CommandEntry(
        f"{_COMMANDS}.entries:app", "Store, search, list and delete typed entries."
    ),
    "session": CommandEntry(
        f"{_COMMANDS}.sessions:app", "Begin, end and see the sessions of agents."
    ),
    "history": CommandEntry(f"{_COMMANDS}.history:app", "Import trades."),
    "prices": CommandEntry(f"{_COMMANDS}.prices:app", "Import, fetch and list prices."),
    "jobs": CommandEntry(f"{_COMMANDS}.jobs:app", "See, retry, redrive and pause jobs."),
    "budget": CommandEntry(f"{_COMMANDS}.budget:app", "See what models cost; stop all spending."),
    "llm": CommandEntry(f"{_COMMANDS}.llm:app", "Check that the model answers."),
    "switch": CommandEntry(
        f"{_COMMANDS}.switches:app", "Turn model tasks on or off, or run them in shadow mode."
    ),
    "store": CommandEntry(f"{_COMMANDS}.store:app", "Back up, restore and check the files."),
    "config": CommandEntry(
        f"{_COMMANDS}.config:app", "Show every setting and where it comes from."
    ),
    "doctor": CommandEntry(
        f"{_COMMANDS}.doctor:doctor", "Find faults, and say how to repair them."
    ),
}

ABOVE: Final[Mapping[str, str]] = {
    "up": "Run everything in one process, without a server.",
    "worker": "Run the fleet's jobs.",
    "dispatcher": "Send due jobs to the fleet and tick the schedule.",
    "fleet": "Show the processes that run jobs, and the obstacles.",
    "health": "Check that this host's processes are alive.",
    "cron": "See the schedule.",
    "demo": "Show Afterword on real prices: one page, no network.",
}
"""Help of the commands outside `pipeline`, which are not imported to print a list."""


class CommandGroup(TyperGroup):
    """A group of commands; without a subcommand it shows its help."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments, or show the help if there are none."""
        return super().parse_args(ctx, args or ["--help"])


class Lazy(CommandGroup):
    """The outermost group: it knows names and help, and imports only the command that is used."""

    def list_commands(self, _ctx: Any) -> list[str]:
        """Return the name of every command, those outside `pipeline` last."""
        return list(_entries())

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import one command, and add the shared options to it."""
        # Found in the table: searching the installed packages would be slow.
        known = OWN if cmd_name in OWN else _entries()
        if cmd_name not in known:
            near = "".join(f", did you mean {name}?" for name in get_close_matches(cmd_name, known))
            ctx.fail(f"no command {cmd_name!a}{near}")
        command = _loaded(cmd_name, known[cmd_name].place)
        share(command)
        return command

    def format_commands(self, _ctx: Any, formatter: Any) -> None:
        """Write the list of commands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in _entries().items()])


def section(help: str) -> typer.Typer:
    """Return an empty group of commands, for a command file to fill."""
    app = typer.Typer(cls=CommandGroup, help=help, add_completion=False, rich_markup_mode=None)
    app.callback()(
        lambda: None
    )  # without a callback, typer reduces a group with one command to that command
    return app


def _entries() -> dict[str, CommandEntry]:
    found = {point.name: point.value for point in entry_points(group="afterword.commands")}
    order = [*(name for name in ABOVE if name in found), *sorted(found.keys() - ABOVE.keys())]
    above = {
        name: CommandEntry(found[name], ABOVE.get(name, f"From {found[name]}.")) for name in order
    }
    return dict(OWN) | above


def _loaded(name: str, place: str) -> Any:
    module, _, attribute = place.partition(":")
    found = getattr(import_module(module), attribute)
    if not isinstance(found, typer.Typer):
        app = typer.Typer(add_completion=False, rich_markup_mode=None)
        app.command(name)(found)
        found = app
    return get_command(found)

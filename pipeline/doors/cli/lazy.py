"""Which commands there are, each imported only when it is asked for."""

import gc
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
    """Where a command lies (`module:name`) and its line of help."""

    place: str
    help: str


_COMMANDS: Final = "afterword.pipeline.doors.commands"

OWN: Final[Mapping[str, CommandEntry]] = {
    "memory": CommandEntry(
        f"{_COMMANDS}.memory:app", "Write, search, edit, delete and purge memories."
    ),
    "fact": CommandEntry(
        f"{_COMMANDS}.facts:app", "See what the agent holds true, and undo a decision."
    ),
    "profile": CommandEntry(
        f"{_COMMANDS}.profile:app", "Set, list and drop what every prompt says of the user."
    ),
    "edges": CommandEntry(f"{_COMMANDS}.edges:app", "See which memories are about what."),
    "role": CommandEntry(
        f"{_COMMANDS}.roles:app", "Record decisions, and learn from their outcome."
    ),
    "forget": CommandEntry(f"{_COMMANDS}.forget:forget", "Erase a memory or a subject for good."),
    "snapshot": CommandEntry(
        f"{_COMMANDS}.prompts:snapshot", "Print the block a session starts with."
    ),
    "brief": CommandEntry(
        f"{_COMMANDS}.prompts:brief", "Print what to know before the first step."
    ),
    "page": CommandEntry(f"{_COMMANDS}.prompts:page", "Print all that is known about an asset."),
    "entry": CommandEntry(
        f"{_COMMANDS}.entries:app", "Store, search, list and delete typed entries."
    ),
    "session": CommandEntry(
        f"{_COMMANDS}.sessions:app", "Begin, end and see the sessions of agents."
    ),
    "history": CommandEntry(f"{_COMMANDS}.history:app", "Import what was traded."),
    "prices": CommandEntry(
        f"{_COMMANDS}.prices:app", "Import and fetch what markets cost; list it."
    ),
    "jobs": CommandEntry(
        f"{_COMMANDS}.jobs:app", "See what must happen later; retry, redrive, pause it."
    ),
    "budget": CommandEntry(f"{_COMMANDS}.budget:app", "See what models cost; stop all spending."),
    "llm": CommandEntry(f"{_COMMANDS}.llm:app", "Ask the model whether it answers."),
    "switch": CommandEntry(f"{_COMMANDS}.switches:app", "Turn tasks on, off, or into the shadow."),
    "store": CommandEntry(f"{_COMMANDS}.store:app", "Back up, restore and check the files."),
    "config": CommandEntry(
        f"{_COMMANDS}.config:app", "Show every setting and where it comes from."
    ),
    "doctor": CommandEntry(
        f"{_COMMANDS}.doctor:doctor", "Look for what is wrong and say what to do."
    ),
}

ABOVE: Final[Mapping[str, str]] = {
    "up": "Run everything in one process, without a server.",
    "worker": "Run the fleet's jobs.",
    "dispatcher": "Send due jobs to the fleet and tick the schedule.",
    "fleet": "Show the processes that run jobs, and what keeps jobs from running.",
    "health": "Ask this host's processes whether they are alive.",
    "cron": "See what runs when.",
    "demo": "Show on real prices what Afterword does: one page, no network.",
}
"""Help of the commands of rooms above: those may not be imported to print a list."""


class CommandGroup(TyperGroup):
    """A group of commands; asked for nothing, it shows its help."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse, or show the help where nothing was asked."""
        return super().parse_args(ctx, args or ["--help"])


class Lazy(CommandGroup):
    """The outermost group: it knows names and help, and imports only what is invoked."""

    def list_commands(self, _ctx: Any) -> list[str]:
        """Return every command's name, those of rooms above last."""
        return list(_entries())

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import one command, and give it the options that all have."""
        # A command of our own is found without looking through what is installed.
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
    app.callback()(lambda: None)  # without one, typer melts a group of one command into it
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
    # Modules keep what they make: looking for garbage in it takes 40 of the 500 ms of a write.
    gc.disable()
    try:
        found = getattr(import_module(module), attribute)
    finally:
        gc.enable()
    if not isinstance(found, typer.Typer):
        app = typer.Typer(add_completion=False, rich_markup_mode=None)
        app.command(name)(found)
        found = app
    return get_command(found)

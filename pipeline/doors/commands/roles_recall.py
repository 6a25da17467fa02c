"""`afterword role recall`: what was learned, all of it or what fits a decision at hand."""

from dataclasses import replace
from typing import Annotated

import typer

from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.output import Cell, print_table
from afterword.pipeline.doors.cli.words import moment
from afterword.pipeline.doors.commands.roles_show import AsOf
from afterword.pipeline.doors.commands.search import search_options
from afterword.pipeline.recall.lessons.fragment import MAX_LESSONS
from afterword.pipeline.recall.lessons.lessons import role_lessons, skill_lessons

_NOTHING = "nothing that evidence confirms yet; --all shows hints and single cases"


def recall(
    ctx: typer.Context,
    role: Annotated[str, typer.Argument(metavar="ROLE", help="A role, or with --prompt a skill.")],
    like: Annotated[
        str, typer.Option(metavar="TEXT", help="A decision at hand: what fits it comes first.")
    ] = "",
    limit: Annotated[int, typer.Option(help=f"Most lessons, up to {MAX_LESSONS}.")] = 10,
    prompt: Annotated[
        bool, typer.Option("--prompt", help="All of a skill's roles, as its prompt holds them.")
    ] = False,
    everything: Annotated[
        bool, typer.Option("--all", help="Hints and lessons of single cases too, labelled so.")
    ] = False,
    as_of: AsOf = None,
) -> None:
    """Print what a role learned: what evidence confirms, and notes of persons."""
    call, at = Call(ctx), read_moment(as_of, "as_of")
    registry, stores = load_roles(call.settings.home), call.stores()
    store = stores.group(call.settings.group)
    options = replace(search_options(call, stores), limit=limit)
    choice, now = "all" if everything else call.settings.role_lessons, call.now()
    if prompt:
        text = skill_lessons(store, registry, role, like, options, now=now, choice=choice, as_of=at)
        call.answer({"skill": role, "text": text}, lambda: typer.echo(text or _NOTHING))
        return
    found = role_lessons(store, registry, role, like, options, now=now, choice=choice, as_of=at)
    rows: list[list[Cell]] = [
        [moment(one.known_at), one.label, one.about, one.text, "; ".join(one.why)] for one in found
    ]
    columns = ("known", "kind", "about", "lesson", "why")
    call.answer(found, lambda: print_table(columns, rows, _NOTHING))

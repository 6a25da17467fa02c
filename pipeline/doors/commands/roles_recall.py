"""`afterword role recall`: what was learned, the latest of it or what fits a decision at hand."""

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
    as_of: AsOf = None,
) -> None:
    """Print the lessons of a role, the latest first."""
    call, at = Call(ctx), read_moment(as_of, "as_of")
    registry, stores = load_roles(call.settings.home), call.stores()
    store = stores.group(call.settings.group)
    options = replace(search_options(call, stores), limit=limit)
    if prompt:
        text = skill_lessons(store, registry, role, like, options, as_of=at)
        call.answer({"skill": role, "text": text}, lambda: typer.echo(text or "no lessons yet"))
        return
    found = role_lessons(store, registry, role, like, options, as_of=at)
    rows: list[list[Cell]] = [
        [moment(one.reflected_at), one.classification, one.asset or "", one.text] for one in found
    ]
    columns = ("learned", "class", "asset", "lesson")
    call.answer(found, lambda: print_table(columns, rows, "no lessons yet"))

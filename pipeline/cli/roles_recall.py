"""`afterword role recall`: what was learned, the latest of it or what fits a decision at hand."""

from typing import Annotated

import typer

from pipeline.cli.call import Call
from pipeline.cli.moments import read_moment
from pipeline.cli.output import Cell, print_table
from pipeline.cli.roles_show import AsOf
from pipeline.cli.search import means
from pipeline.cli.words import moment
from pipeline.recall.lessons import role_lessons, skill_lessons
from pipeline.roles.recall import MAX_LESSONS
from pipeline.skills.discover import load_roles


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
    registry, shelf = load_roles(call.settings.home), call.shelf()
    store, by = shelf.group(call.settings.group), means(call, shelf)
    if prompt:
        text = skill_lessons(store, registry, role, like, limit, as_of=at, means=by)
        call.answer({"skill": role, "text": text}, lambda: typer.echo(text or "no lessons yet"))
        return
    found = role_lessons(store, registry, role, like, limit, as_of=at, means=by)
    rows: list[list[Cell]] = [
        [moment(one.reflected_at), one.classification, one.asset or "", one.text] for one in found
    ]
    columns = ("learned", "class", "asset", "lesson")
    call.answer(found, lambda: print_table(columns, rows, "no lessons yet"))

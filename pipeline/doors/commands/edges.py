"""`afterword edges`: which memories are about what, found by rule and never by a model."""

from typing import Annotated, Any, Final, cast

import typer

from afterword.pipeline.domain.edges.read import (
    KINDS,
    MAX_NEIGHBOURS,
    edges_of_memory,
    name_entity,
    neighbourhood,
    say_waiting,
    top_entities,
)
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.moments import AsOf, read_moment
from afterword.pipeline.doors.cli.names import memory_name
from afterword.pipeline.doors.cli.output import Cell, print_line, print_table
from afterword.pipeline.rules.masking import mask
from afterword.pipeline.views.words import moment, shorten

app = section("See which memories are about what.")

MAX_SHOWN: Final = 120
"""Characters of a memory's text in a table; `--json` has all of it."""

Kind = Annotated[str | None, typer.Option(help=f"What it is: {', '.join(KINDS)}.")]
Limit = Annotated[int, typer.Option(help=f"Most rows shown, up to {MAX_NEIGHBOURS:,}.")]


@app.command()
def of(
    ctx: typer.Context,
    entity: Annotated[str, typer.Argument(metavar="ENTITY", help="Such as BTC or bitcoin.")],
    kind: Kind = None,
    limit: Limit = 20,
    as_of: AsOf = None,
) -> None:
    """Show the memories about an entity, what was done before what is mentioned.

    Example: afterword edges of BTC
    """
    call = Call(ctx)
    found = neighbourhood(
        call.store(), *name_entity(entity, cast(Any, kind)), limit, read_moment(as_of, "as_of")
    )
    rows: list[list[Cell]] = [
        [
            str(about.memory.id),
            ", ".join(about.edge_types),
            moment(about.memory.known_at),
            shorten(about.memory.content, MAX_SHOWN),
        ]
        for about in found.memories
    ]

    def show() -> None:
        nothing = f"nothing is known of {found.kind} {mask(found.key)}"
        print_table(("id", "says", "known", "text"), rows, nothing)
        if found.beside:
            named = ", ".join(f"{one.key} ({one.edges:,})" for one in found.beside)
            print_line(f"named together with {named}")
        if found.waiting:
            print_line(say_waiting(found.waiting))

    call.answer(found, show)


@app.command()
def top(ctx: typer.Context, kind: Kind = None, limit: Limit = 20, as_of: AsOf = None) -> None:
    """Show the entities most is known about.

    Example: afterword edges top --limit 10
    """
    call = Call(ctx)
    found = top_entities(call.store(), limit, cast(Any, kind), read_moment(as_of, "as_of"))
    rows: list[list[Cell]] = [[one.kind, one.key, one.edges] for one in found]
    call.answer(found, lambda: print_table(("kind", "entity", "edges"), rows, "no edges yet"))


@app.command("of-memory")
def of_memory(
    ctx: typer.Context,
    memory: Annotated[str, typer.Argument(metavar="ID", help="A memory's number, or its uid.")],
) -> None:
    """Show what one memory is about, the strongest first.

    Example: afterword edges of-memory 1
    """
    call = Call(ctx)
    found = edges_of_memory(call.store(), memory_name(memory))
    rows: list[list[Cell]] = [[one.edge_type, one.entity_kind, one.entity_key] for one in found]
    call.answer(
        [edge._asdict() for edge in found],
        lambda: print_table(("says", "kind", "entity"), rows, f"{memory} has no edges"),
    )

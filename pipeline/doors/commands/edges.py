"""`afterword edges`: which memories are about what, found by rule and never by a model."""

from typing import Annotated, Any, cast

import typer

from afterword.pipeline.domain.edges.read import (
    ENTITY_KINDS,
    MAX_NEIGHBOURS,
    edges_of_memory,
    name_entity,
    neighbourhood,
    top_entities,
)
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.options import AsOf, most_shown
from afterword.pipeline.doors.commands.memory.options import MemoryName, memory_name
from afterword.pipeline.views.memory.edges import memory_edges, neighbourhood_of, top_entities_list

app = section("See which memories are about what.")

_Kind = Annotated[str | None, typer.Option(help=f"What it is: {', '.join(ENTITY_KINDS)}.")]
_Limit = Annotated[int, most_shown("rows", MAX_NEIGHBOURS)]


@app.command()
def of(
    ctx: typer.Context,
    entity: Annotated[str, typer.Argument(metavar="ENTITY", help="Such as BTC or bitcoin.")],
    kind: _Kind = None,
    limit: _Limit = 20,
    as_of: AsOf = None,
) -> None:
    """Show the memories about an entity, what was done before what is mentioned.

    Example: afterword edges of BTC
    """
    call = Call(ctx)
    memories = neighbourhood(
        call.store(), *name_entity(entity, cast(Any, kind)), limit, read_moment(as_of, "as_of")
    )
    call.answer(memories, lambda: neighbourhood_of(memories))


@app.command()
def top(ctx: typer.Context, kind: _Kind = None, limit: _Limit = 20, as_of: AsOf = None) -> None:
    """Show the entities most is known about.

    Example: afterword edges top --limit 10
    """
    call = Call(ctx)
    entities = top_entities(call.store(), limit, cast(Any, kind), read_moment(as_of, "as_of"))
    call.answer(entities, lambda: top_entities_list(entities))


@app.command("of-memory")
def of_memory(ctx: typer.Context, memory: MemoryName) -> None:
    """Show what one memory is about, the strongest first.

    Example: afterword edges of-memory 1
    """
    call = Call(ctx)
    edges = edges_of_memory(call.store(), memory_name(memory))
    call.answer([edge._asdict() for edge in edges], lambda: memory_edges(edges, memory))

"""`afterword memory search` and `why`: find memories, and explain a result."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from afterword.pipeline.areas import AREAS
from afterword.pipeline.core.store import Stores
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.options import AsOf, most_shown
from afterword.pipeline.doors.commands.memory.options import (
    After,
    Before,
    OnlyCategory,
    OnlySession,
    OnlyTags,
    OnlyType,
    SearchQuery,
    Superseded,
    memory_name,
)
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.recall.lineage.trace import lineage_readers, trace
from afterword.pipeline.recall.search.model import MAX_HITS, Scope
from afterword.pipeline.recall.search.options import SearchOptions
from afterword.pipeline.views.memory.lineage import lineage_view
from afterword.pipeline.views.memory.search import place_in_search, search_results

# A search loads numpy. The commands that only take these options, or stand beside `search` in a
# group, must not wait for it.
if TYPE_CHECKING:
    from afterword.pipeline.gateway.embedding.model import Embedder


def find(
    ctx: typer.Context,
    query: SearchQuery = "",
    limit: Annotated[int, most_shown("memories", MAX_HITS)] = 20,
    category: OnlyCategory = None,
    type_: OnlyType = None,
    tag: OnlyTags = None,
    session: OnlySession = None,
    after: After = None,
    before: Before = None,
    superseded: Superseded = False,
    min_relevance: Annotated[
        float,
        typer.Option(metavar="SHARE", help="Only what covers this much of the query, 0 to 1."),
    ] = 0.0,
    as_of: AsOf = None,
    explain: Annotated[bool, typer.Option("--explain", help="Say why each one came.")] = False,
) -> None:
    """Find memories by their text, the most relevant first; without a query, the newest.

    Example: afterword memory search "which slippage for swaps" --explain
    """
    from afterword.pipeline.recall.search.search import search

    call, at = Call(ctx), read_moment(as_of, "as_of")
    scope = _scope(category, type_, tag, session, after, before, superseded)
    stores = call.stores()
    options = replace(
        search_options(call, stores), limit=limit, explain=explain, min_relevance=min_relevance
    )
    hits = search(stores.group(call.settings.group), query, scope, options, as_of=at)
    call.answer(hits, lambda: search_results(hits, is_explained=explain))


def why_found(
    ctx: typer.Context,
    memory: Annotated[str, typer.Argument(metavar="ID", help="A memory's number, or any uid.")],
    query: Annotated[str | None, typer.Option(help="What was searched for.")] = None,
    category: OnlyCategory = None,
    type_: OnlyType = None,
    tag: OnlyTags = None,
    session: OnlySession = None,
    after: After = None,
    before: Before = None,
    superseded: Superseded = False,
    as_of: AsOf = None,
) -> None:
    """Say where a memory comes from; with a query, why it came back or what kept it out.

    Without a query, ID may name a decision, trip, fill, trade, pattern or method as
    well, a tag as tag:risk, a text as profile:custom_prompt, or a portrait's line.

    Example: afterword memory why 1 --query "slippage"
    """
    from afterword.pipeline.recall.search.why import why

    call, at = Call(ctx), read_moment(as_of, "as_of")
    scope = _scope(category, type_, tag, session, after, before, superseded)
    if query is None:
        if at is not None:
            accepted = "--query with what was searched for; without one, no --as-of"
            raise InvalidInputError("as_of", "is given without a query", accepted)
        if scope != Scope():
            accepted = "what was searched for, since the other options narrow a search"
            raise InvalidInputError("query", "is missing", accepted)
        steps = trace(call.store(), memory_name(memory), lineage_readers(AREAS), call.now())
        call.answer(steps, lambda: lineage_view(steps))
        return
    stores = call.stores()
    store, options = stores.group(call.settings.group), search_options(call, stores)
    place = why(store, memory_name(memory), query, scope, options, as_of=at)
    call.answer(place, lambda: place_in_search(place))


def _scope(
    category: str | None,
    type_: str | None,
    tags: Sequence[str] | None,
    session: str | None,
    after: str | None,
    before: str | None,
    superseded: bool,
) -> Scope:
    moments = (read_moment(after, "after"), read_moment(before, "before"))
    return Scope(category, type_, tuple(tags or ()), session, *moments, superseded)


def search_options(call: Call, stores: Stores) -> SearchOptions:
    """Return the options of a search that the settings name."""
    from afterword.pipeline.recall.search.vectors import VectorIndex

    settings = call.settings
    return SearchOptions(
        embedder=_embedder(call, stores),
        index=VectorIndex(settings.recall_index_mb << 20),
        fusion=settings.recall_fusion,
        embed_timeout_s=settings.recall_embed_timeout_s,
    )


def _embedder(call: Call, stores: Stores) -> "Embedder | None":
    from afterword.pipeline.doors.cli.services import budget_of
    from afterword.pipeline.gateway.embedding.build import build_embedder

    settings, clock = call.settings, call.roots.clock
    budget, timeout_s = budget_of(call, stores), settings.recall_embed_timeout_s
    return build_embedder(settings, stores.instance, budget, clock, "agent", timeout_s)

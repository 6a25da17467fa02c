"""`afterword memory search` and `why`: find memories, and explain a result."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Final

import typer

from afterword.pipeline.core.store import Stores
from afterword.pipeline.domain.memory.model import Memory
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.moments import AsOf, read_moment
from afterword.pipeline.doors.cli.names import memory_name
from afterword.pipeline.doors.cli.output import Cell, print_fields, print_line, print_table
from afterword.pipeline.recall.search.model import MAX_HITS, Explanation, Hit, Scope
from afterword.pipeline.recall.search.options import SearchOptions
from afterword.pipeline.views.words import moment, shorten

# A search loads numpy. The commands that only take these options, or stand beside `search` in a
# group, must not wait for it.
if TYPE_CHECKING:
    from afterword.pipeline.gateway.embedding.model import Embedder
    from afterword.pipeline.recall.search.why import HitExplanation

MAX_SHOWN: Final = 160
"""Characters of a memory's text in a table; `--json` has all of it."""

_LEGEND: Final = {
    "own": "the memory itself: 0 to 1 for an arm, its weight for a term",
    "window": "the memory and the rows just before and after it in its session, likewise",
    "session": "all rows of its session, likewise",
    "answer": "what the memory got from the question that it answers",
    "all": "the sum of an arm; the arms together, times the factor for assets, are the score",
}
"""What each column of an explanation says."""

Category = Annotated[str | None, typer.Option(help="Only memories of this category.")]
Type = Annotated[str | None, typer.Option("--type", help="Only entries of this type.")]
Tag = Annotated[list[str] | None, typer.Option(help="Only with this tag; repeated: with all.")]
Session = Annotated[
    str | None, typer.Option("--session-id", help="Only what was said in this session.")
]
After = Annotated[
    str | None, typer.Option(metavar="MOMENT", help="Only what happened then or later.")
]
Before = Annotated[str | None, typer.Option(metavar="MOMENT", help="Only what happened earlier.")]
Superseded = Annotated[
    bool, typer.Option("--include-superseded", help="Also what was replaced since.")
]


def find(
    ctx: typer.Context,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="Words, or a question.")] = "",
    limit: Annotated[int, typer.Option(help=f"Most memories found, up to {MAX_HITS}.")] = 20,
    category: Category = None,
    type_: Type = None,
    tag: Tag = None,
    session: Session = None,
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
    columns = ("fits", "id", "category", "updated", "text")
    call.answer(hits, lambda: print_table(columns, [_row(hit) for hit in hits], "nothing found"))
    if explain and not call.json:
        for hit in hits:
            if hit.explanation:
                print_explanation(f"memory {hit.memory.id}", hit.explanation)
        if hits:
            print_legend()


def why_found(
    ctx: typer.Context,
    memory: Annotated[str, typer.Argument(metavar="ID", help="A memory's number, or its uid.")],
    query: Annotated[str, typer.Option(help="What was searched for.")],
    category: Category = None,
    type_: Type = None,
    tag: Tag = None,
    session: Session = None,
    after: After = None,
    before: Before = None,
    superseded: Superseded = False,
    as_of: AsOf = None,
) -> None:
    """Say why a memory came back for a query, or what kept it out.

    Example: afterword memory why 1 --query "slippage"
    """
    from afterword.pipeline.recall.search.why import why

    call, at = Call(ctx), read_moment(as_of, "as_of")
    scope = _scope(category, type_, tag, session, after, before, superseded)
    stores = call.stores()
    store, options = stores.group(call.settings.group), search_options(call, stores)
    found = why(store, memory_name(memory), query, scope, options, as_of=at)
    call.answer(found, lambda: _print_why(found))


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
    from afterword.pipeline.gateway.budget import Budget, caps_of
    from afterword.pipeline.gateway.embedding.build import build_embedder

    settings, clock = call.settings, call.roots.clock
    budget = Budget(stores.instance, caps_of(settings), clock, call.roots.ids)
    timeout_s = settings.recall_embed_timeout_s
    return build_embedder(settings, stores.instance, budget, clock, "agent", timeout_s)


def _row(hit: Hit) -> list[Cell]:
    memory = hit.memory
    text = shorten(marked_text(memory), MAX_SHOWN)
    fits = f"{hit.relevance:.2f}"
    if hit.by_neighbours:
        text = f"(by what stands beside it) {text}"
    return [fits, str(memory.id), memory.category, moment(memory.updated_at), text]


def marked_text(memory: Memory) -> str:
    """Return the text of a memory, behind a mark if it is flagged."""
    mark = f"(flagged: {', '.join(memory.flagged)}) " if memory.flagged else ""
    return mark + memory.content


def _print_why(found: "HitExplanation") -> None:
    name = f"memory {found.memory.id}"
    if found.rank is None:
        print_line(f"{name} was not found: {'; '.join(found.reasons)}")
    else:
        print_line(f"{name} is number {found.rank:,} of {found.found:,}")
    if found.explanation:
        print_explanation(name, found.explanation)
        print_legend()


def print_explanation(name: str, explanation: Explanation) -> None:
    """Print the share of each arm and each term in a memory's score."""
    rows: list[list[Cell]] = [
        [
            f"{arm.arm}, number {arm.rank:,}" if arm.rank else arm.arm,
            *(f"{part:.2f}" for part in (arm.own, arm.window, arm.session, arm.answer, arm.score)),
        ]
        for arm in explanation.arms
    ]
    rows += [
        [
            f"  {term.term}",
            *(f"{part:.2f}" for part in (term.own, term.window, term.session)),
            "",
            "",
        ]
        for term in explanation.terms
    ]
    factor = f"{explanation.boost:.1f} for {explanation.overlap} shared assets"
    print_line(f"{name}: {explanation.fused:.2f} x {factor}")
    print_table(("arm", *_LEGEND), rows)


def print_legend() -> None:
    """Print what each column of an explanation says."""
    print_fields({f"  {name}": meaning for name, meaning in _LEGEND.items()})

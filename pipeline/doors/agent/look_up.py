"""The tools that look something up: by its moment, by its words, by what it is about."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Final

from afterword.pipeline.domain.memory.read import read_memories
from afterword.pipeline.doors.agent import model
from afterword.pipeline.doors.agent.arguments import (
    Category,
    Limit,
    Query,
    ReadLimit,
    Tag,
    Type,
    checked,
    described,
)
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.doors.agent.model import AgentMemory, Brief, FoundMemory
from afterword.pipeline.recall.prompts.brief import read_brief

CONVERSATION: Final = "personalization"
"""The category on-demand recall of the user is bound to (R3)."""


@checked
def memory_read(
    door: Door,
    category: Annotated[Category | None, described("Only memories of this category.")] = None,
    limit: ReadLimit = 20,
    *,
    as_of: datetime | None = None,
) -> list[AgentMemory]:
    """Return what was remembered last, newest first; of one category, or of all.

    Raises:
        InvalidInputError: no such category, or a limit out of 1..1000.
    """
    rows = read_memories(door.store, category, limit, as_of=as_of)
    return [model.remembered(row, door.group) for row in rows]


@checked
def memory_search(
    door: Door,
    query: Query = "",
    limit: Limit = 20,
    *,
    category: Annotated[Category | None, described("Only memories of this category.")] = None,
    type: Annotated[Type | None, described("Only entries of this type.")] = None,
    tags: Annotated[Sequence[Tag], described("Only what has all of these tags.")] = (),
    session: Annotated[str | None, described("Only what was written in this session.")] = None,
    include_superseded: Annotated[bool, described("Also what was replaced since.")] = False,
    after: datetime | None = None,
    before: datetime | None = None,
    as_of: datetime | None = None,
) -> list[FoundMemory]:
    """Return what fits a query, best first; without a query, what was remembered last.

    Args:
        query: any text, or R1's query language; 500 characters are read.
        limit: 1 to 100.
        type: only entries of this type.
        tags: only memories that have all of them.
        session: only what was written in the session of this name.
        include_superseded: also what was replaced since.
        after: only what happened at this moment or later; `before`: only what did earlier.
        as_of: find what stood at this moment.

    Raises:
        InvalidInputError: an argument is wrong; never because of the query.
    """
    from afterword.pipeline.recall.search.search import (
        search,  # numpy: only an agent that searches loads it
    )

    hits = search(
        door.store,
        query,
        limit=limit,
        category=category,
        type=type,
        tags=tags,
        session_id=session,
        after=after,
        before=before,
        include_superseded=include_superseded,
        as_of=as_of,
        fusion=door.means.fusion,
        embedder=door.means.embedder,
        index=door.index,
        patience_s=door.means.patience_s,
    )
    return [model.found(hit, door.group) for hit in hits]


@checked
def search_conversation_memory(door: Door, query: Query, limit: Limit = 10) -> list[FoundMemory]:
    """Return what is known about the user that fits a query: `personalization` only (R3).

    Raises:
        InvalidInputError: a limit out of 1..100.
    """
    return memory_search(door, query, limit, category=CONVERSATION)


@checked
def memory_brief(
    door: Door,
    include_provenance: Annotated[bool, described("Tell where each entry comes from.")] = False,
    *,
    as_of: datetime | None = None,
) -> Brief:
    """Return the current entries as a brief, this session's own among them.

    Args:
        include_provenance: tell of each entry where it comes from.
    """
    made = read_brief(
        door.store,
        door.clock,
        door.brief_limits,
        include_provenance=include_provenance,
        as_of=as_of,
    )
    return model.brief(made)


@checked
def memory_compiled_page(
    door: Door,
    asset: Annotated[str, described("A symbol such as BTC or EUR/USD, or a name.")],
    include_hard_constraints: Annotated[bool, described("With the rules that always hold.")] = True,
) -> str:
    """Return all that is known about an asset, as one page.

    Args:
        asset: a symbol in any form, such as `BTC` or `EUR/USD`, or a name.

    Raises:
        InvalidInputError: an asset of no known class.
    """
    return door.pages.page(asset, include_hard_constraints=include_hard_constraints)

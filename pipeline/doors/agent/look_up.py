"""The tools that look memories up: the newest, by a query, about an asset, as a brief."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Final

from afterword.pipeline.domain.memory.read import read_memories
from afterword.pipeline.doors.agent import lesson_model, model
from afterword.pipeline.doors.agent.arguments import (
    Category,
    Limit,
    Query,
    ReadLimit,
    Tag,
    Type,
    described,
)
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.doors.agent.lesson_model import Brief
from afterword.pipeline.doors.agent.model import AgentMemory, FoundMemory
from afterword.pipeline.recall.lessons.tell import tell_lessons
from afterword.pipeline.recall.prompts.brief import read_brief
from afterword.pipeline.recall.prompts.prompt_lessons import by_role
from afterword.pipeline.recall.search.model import Scope

_CONVERSATION: Final = "personalization"
"""The only category that on-demand recall of the user reads (R3)."""


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
    return [model.remembered(row, door.store.name) for row in rows]


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
    min_relevance: Annotated[float, described("Only what covers this much of the query.")] = 0.0,
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
        min_relevance: only what covers this much of the query, 0 to 1.
        after: only what happened at this moment or later; `before`: only what did earlier.
        as_of: find what was visible at this moment.

    Raises:
        InvalidInputError: an argument is wrong; never because of the query.
    """
    from afterword.pipeline.recall.search.search import search  # numpy: loaded by a search

    scope = Scope(category, type, tags, session, after, before, include_superseded)
    options = replace(door.search_options, limit=limit, min_relevance=min_relevance)
    hits = search(door.store, query, scope, options, as_of=as_of)
    return [model.found(hit, door.store.name) for hit in hits]


def search_conversation_memory(door: Door, query: Query, limit: Limit = 10) -> list[FoundMemory]:
    """Return what is known about the user that fits a query: `personalization` only (R3).

    Raises:
        InvalidInputError: a limit out of 1..100.
    """
    return memory_search(door, query, limit, category=_CONVERSATION)


def memory_brief(
    door: Door,
    include_provenance: Annotated[bool, described("Tell where each entry comes from.")] = False,
    *,
    as_of: datetime | None = None,
) -> Brief:
    """Return the current entries, this session's own among them, and what past decisions taught.

    Args:
        include_provenance: return also where each entry comes from.
    """
    made = read_brief(
        door.store,
        door.clock,
        door.brief_limits,
        include_provenance=include_provenance,
        choice=door.start_choice,
        as_of=as_of,
    )
    if as_of is None:
        tell_lessons(door.writer, by_role(made.lessons))
    return lesson_model.brief(made)


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

"""What is remembered: a search that says why each memory came, or the newest."""

from dataclasses import replace
from typing import Literal

from afterword.pipeline.domain.memory.checks import MAX_CONTENT
from afterword.pipeline.domain.memory.model import MEMORY_CATEGORIES, TYPES
from afterword.pipeline.domain.memory.read import deleted_memories
from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.model import PageContent, PageField, PageForm
from afterword.pipeline.doors.web.trader.fields import select
from afterword.pipeline.recall.search.model import MAX_QUERY, Scope
from afterword.pipeline.recall.search.search import search
from afterword.pipeline.views.memory.memory import memory_list
from afterword.pipeline.views.memory.search import search_results

MEMORIES_SHOWN = 20
"""Memories on one page."""

AlsoShown = Literal["replaced", "deleted"]
"""What a page shows beside what stands: replaced memories too; or the deleted ones alone."""


def memories(
    by: PageCaller,
    query: str = "",
    category: str | None = None,
    type: str | None = None,
    tag: str | None = None,
    also: AlsoShown | None = None,
) -> PageContent:
    """Return the memories that fit, and why each came; or those that were deleted."""
    filters = [
        PageField("query", "Search", value=query, most=MAX_QUERY),
        select("category", "Category", MEMORY_CATEGORIES, category),
        select("type", "Typed", TYPES, type),
        PageField("tag", "Tag", value=tag or "", most=50),
        PageField("also", "Show", "select", also or "", _ALSO),
    ]
    if also == "deleted":
        listed = memory_list(deleted_memories(by.store(), MEMORIES_SHOWN))
    else:
        tags = () if tag is None else (tag,)
        scope = Scope(category, type, tags, include_superseded=also == "replaced")
        options = by.parts.search_options(by.group)
        options = replace(options, limit=MEMORIES_SHOWN, explain=bool(query))
        hits = search(by.store(), query, scope, options)
        listed = search_results(hits, is_explained=bool(query))
    return PageContent([_new_memory(), listed], filters=filters)


_ALSO = (("", "what stands"), ("replaced", "what was replaced, too"), ("deleted", "the deleted"))


def _new_memory() -> PageForm:
    text = PageField("content", "What to remember", "textarea", is_required=True, most=MAX_CONTENT)
    note = "It counts as your own word: no consolidation changes it, and you can edit it."
    return PageForm("/memory/write", "Remember it", [text], note=note, summary="Write a memory")

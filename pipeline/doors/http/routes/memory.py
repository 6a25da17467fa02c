"""The owner's door to what is remembered: list, write, edit, delete, restore, why."""

from dataclasses import replace
from typing import Annotated, Any

from fastapi import Query
from pydantic import Field

from afterword.pipeline.areas import AREAS
from afterword.pipeline.clock import from_micros
from afterword.pipeline.domain.memory.delete import delete_memory, restore_memory
from afterword.pipeline.domain.memory.edit import edit_memory
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.purge import retention_of
from afterword.pipeline.domain.memory.read import get_memory
from afterword.pipeline.domain.memory.write import prepare, write_one
from afterword.pipeline.doors.http.caller import By
from afterword.pipeline.doors.http.routes.asked import (
    AsOfMoment,
    RequestForm,
    Thing,
    at,
    thing,
)
from afterword.pipeline.doors.http.routes.listing import AfterPage, ListPage
from afterword.pipeline.recall.lineage.trace import lineage_readers, trace
from afterword.pipeline.recall.search.model import MAX_HITS, Scope
from afterword.pipeline.recall.search.pages import place_of, search_page


class NewMemoryForm(RequestForm):
    """A memory in the owner's words."""

    content: str = Field(examples=["Prefers weekly charts"])
    category: str = "personalization"
    metadata: dict[str, Any] = Field(default_factory=dict)
    tags: list[str] = Field(default_factory=list, max_length=100)


class EditedMemoryForm(RequestForm):
    """What changes; the rest stays."""

    content: str | None = None
    metadata: dict[str, Any] | None = None
    tags: list[str] | None = Field(None, max_length=100)


def list_memories(
    by: By,
    query: Annotated[str, Query(description="Any text; without it, the newest.")] = "",
    category: Annotated[str | None, Query(description="Only of this category.")] = None,
    type: Annotated[str | None, Query(description="Only entries of this type.")] = None,
    tag: Annotated[list[str], Query(description="Only with all of these tags.")] = [],  # noqa: B006
    session: Annotated[str | None, Query(description="Only what this session wrote.")] = None,
    include_superseded: Annotated[bool, Query(description="Also what was replaced.")] = False,
    limit: Annotated[int, Query(description="How many at most.", ge=1, le=MAX_HITS)] = 20,
    after: AfterPage = None,
    as_of: AsOfMoment = None,
) -> Any:
    """Find memories by their text, the most relevant first; without a query, the newest.

    Deleted ones are never among them. The best hundred fit a query; the newest have no end.
    """
    scope = Scope(category, type, tuple(tag), session, None, None, include_superseded)
    page = ListPage("memories", limit, after, by.group, query, scope, as_of)
    options = replace(by.parts.search_options(by.group), limit=limit)
    moment, place = at(as_of), page.place(int, int)
    began = by.now() if place is None else from_micros(place[0])
    hits = search_page(by.store(), query, scope, options, as_of=moment, after=place)
    return page.answer(hits, lambda hit: place_of(hit, query, moment, began))


def get_one(by: By, memory: Thing) -> Any:
    """Return one memory, superseded or not."""
    return get_memory(by.store(), thing(memory))


def write(by: By, form: NewMemoryForm) -> Any:
    """Write what the owner wants remembered; it is protected from consolidation, and editable."""
    new = NewMemory(
        form.category,
        form.content,
        form.metadata,
        source="user_manual",
        origin="owner",
        tags=tuple(form.tags),
    )
    prepared = prepare(new, by.parts.ids(), "owner")
    return by.write_as_owner(lambda writer: write_one(writer, prepared))


def edit(by: By, memory: Thing, form: EditedMemoryForm) -> Any:
    """Write a memory anew: one that the owner wrote by hand. The answer has its new id.

    The old words stay readable as of their time.
    """
    return by.write_as_owner(lambda writer: edit_memory(writer, thing(memory), **form.given()))


def delete(by: By, memory: Thing) -> Any:
    """Take a memory out of every read; for 30 days it can be restored."""
    return by.write_as_owner(lambda writer: _deleted(writer, memory))


def _deleted(writer: Any, memory: str) -> dict[str, Any]:
    delete_memory(writer, thing(memory))
    return {"memory": thing(memory), "deleted": True}


def restore(by: By, memory: Thing) -> Any:
    """Put a deleted memory back."""
    retention = retention_of(by.settings).deleted

    def run(writer: Any) -> dict[str, Any]:
        restore_memory(writer, thing(memory), retention=retention)
        return {"memory": thing(memory), "deleted": False}

    return by.write_as_owner(run)


def why(by: By, memory: Thing) -> Any:
    """Say where a memory, decision, trade, pattern or method comes from."""
    return {"steps": trace(by.store(), thing(memory), lineage_readers(AREAS), by.now())}

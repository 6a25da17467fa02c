"""`afterword entry`: short typed notes, written by their owner or in a session of an agent."""

from dataclasses import replace
from typing import Annotated

import typer

from afterword.pipeline.domain.memory.delete import delete_memory
from afterword.pipeline.domain.memory.entries import new_entry, store_entry
from afterword.pipeline.domain.memory.model import TYPES
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions.model import limits_of
from afterword.pipeline.domain.sessions.sessions import in_session
from afterword.pipeline.doors.agent import write
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.options import AsOf, most_shown
from afterword.pipeline.doors.commands.memory.options import (
    OnlySession,
    OnlyTags,
    OnlyType,
    SearchQuery,
    Superseded,
    Tags,
    memory_name,
)
from afterword.pipeline.doors.commands.memory.search import search_options
from afterword.pipeline.doors.commands.prompts import brief
from afterword.pipeline.recall.search.model import MAX_HITS, Scope
from afterword.pipeline.recall.search.options import SearchOptions
from afterword.pipeline.recall.search.search import search
from afterword.pipeline.views.memory.entries import (
    entries_found,
    entry_list,
    entry_stored,
    entry_written,
)
from afterword.pipeline.views.memory.memory import memory_deleted

app = section("Store, search, list and delete typed entries.")
app.command()(brief)

_Limit = Annotated[int, most_shown("entries", MAX_HITS)]
_AgentSession = Annotated[
    str | None,
    typer.Option(metavar="HANDLE", help="As the agent, in this session and within its limits."),
]


@app.command()
def store(
    ctx: typer.Context,
    type: Annotated[
        str,
        typer.Argument(metavar="TYPE", help=f"One of {', '.join(TYPES)}."),
    ],
    content: Annotated[str, typer.Argument(metavar="TEXT", help="What to remember.")],
    tag: Tags = None,
    supersedes: Annotated[
        str | None, typer.Option(metavar="UID", help="The entry whose place it takes.")
    ] = None,
    session: _AgentSession = None,
) -> None:
    """Remember one entry.

    Example: afterword entry store preference "Prefers weekly charts"
    """
    call = Call(ctx)
    new = new_entry(type, content, tag or (), actor="owner")  # a refused entry makes no group
    if session is None:
        written = store_entry(call.owner(create=True), new, supersedes=supersedes)
        call.answer(written, lambda: entry_written(written, new.category))
        return
    by, limits = _agent(call, session), limits_of(call.settings)
    stored = write.store_entry(by, limits, type, content, tag or (), supersedes)
    call.answer(stored, lambda: entry_stored(stored.id, stored.hint))


@app.command("search")
def find(
    ctx: typer.Context,
    query: SearchQuery = "",
    type_: OnlyType = None,
    tag: OnlyTags = None,
    session: OnlySession = None,
    superseded: Superseded = False,
    limit: _Limit = 20,
    as_of: AsOf = None,
) -> None:
    """Find entries, the most relevant first.

    Example: afterword entry search charts --type preference
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    stores = call.stores()
    options = replace(search_options(call, stores), limit=limit)
    scope = _scope(type_, tag, session, superseded)
    hits = search(stores.group(call.settings.group), query, scope, options, as_of=at)
    call.answer(hits, lambda: entries_found(hits))


@app.command("ls")
def list_(
    ctx: typer.Context,
    type_: OnlyType = None,
    tag: OnlyTags = None,
    session: OnlySession = None,
    superseded: Superseded = False,
    limit: _Limit = 20,
    as_of: AsOf = None,
) -> None:
    """List the entries made last.

    Example: afterword entry ls --tag charts
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    scope = _scope(type_, tag, session, superseded)
    hits = search(call.store(), "", scope, SearchOptions(limit=limit), as_of=at)
    entries = [hit.memory for hit in hits]
    call.answer(entries, lambda: entry_list(entries))


@app.command()
def delete(
    ctx: typer.Context,
    entry: Annotated[str, typer.Argument(metavar="ID", help="Its uid, or as owner its number.")],
    session: _AgentSession = None,
) -> None:
    """Take an entry out of every read; `memory restore` puts it back for a while.

    Example: afterword entry delete 1
    """
    call = Call(ctx)
    if session is None:
        delete_memory(call.owner(), memory_name(entry))
    else:
        write.delete_entry(_agent(call, session), limits_of(call.settings), entry)
    call.answer({"entry": entry, "deleted": True}, lambda: memory_deleted(entry))


def _scope(
    type_: str | None, tag: list[str] | None, session: str | None, superseded: bool
) -> Scope:
    return Scope(
        type=type_,
        tags=tuple(tag or ()),
        session_id=session,
        include_superseded=superseded,
        typed=True,
    )


def _agent(call: Call, handle: str) -> Writer:
    """Return the agent that writes in a session."""
    return in_session(replace(call.owner(), actor="agent"), handle)

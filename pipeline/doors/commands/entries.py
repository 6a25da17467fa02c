"""`afterword entry`: short typed notes, written by their owner or in a session of an agent."""

from dataclasses import replace
from typing import Annotated, Final

import typer

from afterword.pipeline.domain.memory.delete import delete_memory
from afterword.pipeline.domain.memory.entries import new_entry, store_entry
from afterword.pipeline.domain.memory.model import TYPES, Memory
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions.model import limits_of
from afterword.pipeline.domain.sessions.sessions import in_session
from afterword.pipeline.doors.agent import write
from afterword.pipeline.doors.agent.model import StoredMemory
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.moments import AsOf, read_moment
from afterword.pipeline.doors.cli.names import memory_name
from afterword.pipeline.doors.cli.output import Cell, print_line, print_table
from afterword.pipeline.doors.commands.memory_written import answer_written
from afterword.pipeline.doors.commands.prompts import brief
from afterword.pipeline.doors.commands.search import Session as InSession
from afterword.pipeline.doors.commands.search import Superseded, Tag, Type, search_options
from afterword.pipeline.recall.search.model import MAX_HITS, Scope
from afterword.pipeline.recall.search.options import SearchOptions
from afterword.pipeline.recall.search.search import search
from afterword.pipeline.views.words import moment, shorten

app = section("Store, search, list and delete typed entries.")
app.command()(brief)

MAX_SHOWN: Final = 160
"""Characters of an entry in a table; `--json` has all of it."""

_COLUMNS = ("id", "type", "made", "state", "text")

Limit = Annotated[int, typer.Option(help=f"Most entries shown, up to {MAX_HITS}.")]
Session = Annotated[
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
    tag: Annotated[list[str] | None, typer.Option(help="A tag; may be repeated.")] = None,
    supersedes: Annotated[
        str | None, typer.Option(metavar="UID", help="The entry whose place it takes.")
    ] = None,
    session: Session = None,
) -> None:
    """Remember one entry.

    Example: afterword entry store preference "Prefers weekly charts"
    """
    call = Call(ctx)
    new = new_entry(type, content, tag or (), actor="owner")  # a refused entry makes no group
    if session is None:
        written = store_entry(call.owner(create=True), new, supersedes=supersedes)
        answer_written(call, written, new, f"entry {written.uid} is written")
        return
    by, limits = _agent(call, session), limits_of(call.settings)
    stored = write.store_entry(by, limits, type, content, tag or (), supersedes)
    call.answer(stored, lambda: _print_stored(stored))


@app.command("search")
def find(
    ctx: typer.Context,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="Words, or a question.")] = "",
    type_: Type = None,
    tag: Tag = None,
    session: InSession = None,
    superseded: Superseded = False,
    limit: Limit = 20,
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
    rows = [[f"{hit.relevance:.2f}", *_row(hit.memory)] for hit in hits]
    call.answer(hits, lambda: print_table(("fits", *_COLUMNS), rows, "nothing found"))


@app.command("ls")
def list_(
    ctx: typer.Context,
    type_: Type = None,
    tag: Tag = None,
    session: InSession = None,
    superseded: Superseded = False,
    limit: Limit = 20,
    as_of: AsOf = None,
) -> None:
    """List the entries made last.

    Example: afterword entry ls --tag charts
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    scope = _scope(type_, tag, session, superseded)
    hits = search(call.store(), "", scope, SearchOptions(limit=limit), as_of=at)
    found = [hit.memory for hit in hits]
    rows = [_row(memory) for memory in found]
    call.answer(found, lambda: print_table(_COLUMNS, rows, "no entries"))


@app.command()
def delete(
    ctx: typer.Context,
    entry: Annotated[str, typer.Argument(metavar="ID", help="Its uid, or as owner its number.")],
    session: Session = None,
) -> None:
    """Take an entry out of every read; `memory restore` puts it back for a while.

    Example: afterword entry delete 1
    """
    call = Call(ctx)
    if session is None:
        delete_memory(call.owner(), memory_name(entry))
    else:
        write.delete_entry(_agent(call, session), limits_of(call.settings), entry)
    call.answer({"entry": entry, "deleted": True}, lambda: print_line(f"{entry} is deleted"))


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


def _row(entry: Memory) -> list[Cell]:
    state = "superseded" if entry.superseded_at else ""
    text = shorten(entry.content, MAX_SHOWN)
    return [entry.uid, entry.type or "", moment(entry.created_at), state, text]


def _print_stored(stored: StoredMemory) -> None:
    print_line(f"entry {stored.id} is written")
    if stored.hint:
        print_line(stored.hint)


def _agent(call: Call, handle: str) -> Writer:
    """Return the agent that writes in a session."""
    return in_session(replace(call.owner(), actor="agent"), handle)

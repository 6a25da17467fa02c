"""`afterword entry`: short typed notes, written by their owner or in a session of an agent."""

from typing import Annotated, Any, Final

import typer

from afterword.pipeline.domain.memory.delete import delete_memory
from afterword.pipeline.domain.memory.entries import new_entry, store_entry
from afterword.pipeline.domain.memory.model import TYPES, Memory
from afterword.pipeline.domain.sessions.model import limits_of
from afterword.pipeline.doors.agent import write
from afterword.pipeline.doors.agent.write import Writer
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.names import memory_name
from afterword.pipeline.doors.cli.output import Cell, print_line, print_table
from afterword.pipeline.doors.cli.words import moment, shorten
from afterword.pipeline.doors.commands.prompts import brief
from afterword.pipeline.doors.commands.search import AsOf, Superseded, Tag, Type, shared
from afterword.pipeline.doors.commands.search import Session as InSession
from afterword.pipeline.recall.search.model import MAX_HITS
from afterword.pipeline.recall.search.search import search

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
    """Remember one entry."""
    call = Call(ctx)
    new = new_entry(type, content, tag or (), actor="owner")  # a refused entry makes no group
    written: Any
    if session is None:
        written = store_entry(
            call.store(create=True),
            new,
            call.roots.clock,
            call.roots.ids,
            supersedes=supersedes,
            embedding_enabled=call.embeds,
        )
        uid = written.uid
    else:
        written = write.store_entry(_writer(call, session), type, content, tag or (), supersedes)
        uid = written.id
    call.answer(written, lambda: print_line(f"entry {uid} is written"))


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
    """Find entries, the most relevant first."""
    call = Call(ctx)
    stores = call.stores()
    hits = search(
        stores.group(call.settings.group),
        query,
        limit=limit,
        type=type_,
        tags=tag or (),
        session_id=session,
        include_superseded=superseded,
        typed=True,
        **shared(call, stores, as_of),
    )
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
    """List the entries made last."""
    call, at = Call(ctx), read_moment(as_of, "as_of")
    hits = search(
        call.store(),
        "",
        limit=limit,
        type=type_,
        tags=tag or (),
        session_id=session,
        include_superseded=superseded,
        typed=True,
        as_of=at,
    )
    found = [hit.memory for hit in hits]
    rows = [_row(memory) for memory in found]
    call.answer(found, lambda: print_table(_COLUMNS, rows, "no entries"))


@app.command()
def delete(
    ctx: typer.Context,
    entry: Annotated[str, typer.Argument(metavar="ID", help="Its uid, or as owner its number.")],
    session: Session = None,
) -> None:
    """Take an entry out of every read; `memory restore` puts it back for a while."""
    call = Call(ctx)
    if session is None:
        delete_memory(call.store(), memory_name(entry), call.roots.clock, actor="owner")
    else:
        write.delete_entry(_writer(call, session), entry)
    call.answer({"entry": entry, "deleted": True}, lambda: print_line(f"{entry} is deleted"))


def _row(entry: Memory) -> list[Cell]:
    state = "superseded" if entry.superseded_at else ""
    text = shorten(entry.content, MAX_SHOWN)
    return [entry.uid, entry.type or "", moment(entry.created_at), state, text]


def _writer(call: Call, handle: str) -> Writer:
    return Writer(
        call.store(),
        handle,
        call.roots.clock,
        call.roots.ids,
        limits_of(call.settings),
        call.embeds,
    )

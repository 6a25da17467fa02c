"""`afterword memory`: the owner's door to what is remembered."""

import json
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from pipeline.cli.call import Call
from pipeline.cli.lazy import section
from pipeline.cli.memory_lines import read_lines
from pipeline.cli.output import Cell, print_line, print_table
from pipeline.cli.words import moment, shorten
from pipeline.errors import InvalidInputError
from pipeline.memory.checks import check_memory
from pipeline.memory.delete import delete_memory, restore_memory
from pipeline.memory.json_object import object_text
from pipeline.memory.model import Memory, NewMemory
from pipeline.memory.read import MAX_READ, read_memories
from pipeline.memory.write import write_memories, write_memory
from pipeline.recall.search import MAX_HITS, search

app = section("Write, search, read, delete, restore memories.")

MAX_SHOWN: Final = 160
"""Characters of a memory's text in a table; `--json` has all of it."""

_COLUMNS = ("id", "category", "updated", "text")

Which = Annotated[str, typer.Argument(metavar="ID", help="A memory's number, or its uid.")]
Category = Annotated[str | None, typer.Option(help="Only memories of this category.")]


@app.command()
def write(
    ctx: typer.Context,
    category: Annotated[
        str, typer.Argument(metavar="CATEGORY", help="Such as preference or lesson.")
    ] = "",
    content: Annotated[str, typer.Argument(metavar="TEXT", help="What to remember.")] = "",
    meta: Annotated[str, typer.Option(metavar="JSON", help="An object kept with it.")] = "",
    tag: Annotated[list[str] | None, typer.Option(help="A tag; may be repeated.")] = None,
    source: Annotated[str | None, typer.Option(help="Such as user_manual.")] = None,
    typed: Annotated[
        bool, typer.Option("--typed", help="A typed entry, which its owner may delete.")
    ] = False,
    file: Annotated[
        Path | None,
        typer.Option(help="Instead: a JSON object a line, all or none; - is standard input."),
    ] = None,
) -> None:
    """Remember one thing, or all lines of a file."""
    call = Call(ctx)
    if file is not None:
        _write_lines(call, file, category, content, meta, tag, source, typed)
        return
    new = NewMemory(
        category,
        content,
        _object(meta),
        source=source,
        origin="owner",
        type=category if typed else None,
        tags=tag or (),
    )
    # Asked before the store is opened: a refused memory makes no group.
    check_memory(new, "owner")
    store, roots = call.store(create=True), call.roots
    written = write_memory(
        store, new, roots.clock, roots.ids, actor="owner", embedding_enabled=call.embeds
    )
    call.answer(written, lambda: print_line(f"memory {written.id} ({written.uid}) is written"))


@app.command("search")
def find(
    ctx: typer.Context,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="Words, or a question.")],
    limit: Annotated[int, typer.Option(help=f"Most memories found, up to {MAX_HITS}.")] = 20,
    category: Category = None,
) -> None:
    """Find memories by their text, the most relevant first."""
    call = Call(ctx)
    hits = search(call.store(), query, limit=limit, category=category)
    rows = [[f"{hit.relevance:.2f}", *_row(hit.memory)] for hit in hits]
    call.answer(hits, lambda: print_table(("fits", *_COLUMNS), rows, "nothing found"))


@app.command()
def read(
    ctx: typer.Context,
    category: Category = None,
    limit: Annotated[int, typer.Option(help=f"Most memories read, up to {MAX_READ}.")] = 20,
) -> None:
    """Read the memories that were last updated."""
    call = Call(ctx)
    found = read_memories(call.store(), category, limit)
    rows = [_row(memory) for memory in found]
    call.answer(found, lambda: print_table(_COLUMNS, rows, "nothing is remembered"))


@app.command()
def delete(ctx: typer.Context, memory: Which) -> None:
    """Take a memory out of every read; for 30 days it can be restored."""
    call = Call(ctx)
    delete_memory(call.store(), _name(memory), call.roots.clock, actor="owner")
    call.answer(
        {"memory": _name(memory), "deleted": True}, lambda: print_line(f"{memory} is deleted")
    )


@app.command()
def restore(ctx: typer.Context, memory: Which) -> None:
    """Put a deleted memory back."""
    call = Call(ctx)
    store, clock = call.store(), call.roots.clock
    restore_memory(store, _name(memory), clock, actor="owner", embedding_enabled=call.embeds)
    call.answer(
        {"memory": _name(memory), "deleted": False}, lambda: print_line(f"{memory} is back")
    )


def _write_lines(call: Call, file: Path, *others: object) -> None:
    if any(others):
        raise InvalidInputError("file", "is given beside a memory", "one of the two")
    news, problems = read_lines(file)
    if problems:
        raise ExceptionGroup(f"{file}", problems)
    written = write_memories(
        call.store(create=True),
        news,
        call.roots.clock,
        call.roots.ids,
        actor="owner",
        embedding_enabled=call.embeds,
        max_ready=call.settings.jobs_max_ready,
    )
    call.answer(written, lambda: print_line(f"{len(written):,} memories are written"))


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text or "{}")
    except (ValueError, RecursionError) as error:
        raise InvalidInputError("meta", f"is not JSON ({error})", "a JSON object") from None
    object_text(found, "meta")
    return dict(found)


def _name(memory: str) -> str | int:
    is_number = memory.isascii() and memory.isdigit() and len(memory) < 19
    return int(memory) if is_number else memory


def _row(memory: Memory) -> list[Cell]:
    text = shorten(memory.content, MAX_SHOWN)
    return [str(memory.id), memory.category, moment(memory.updated_at), text]

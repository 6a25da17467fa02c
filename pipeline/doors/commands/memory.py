"""`afterword memory`: the owner's door to what is remembered."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from afterword.pipeline.domain.memory.delete import delete_memory, restore_memory
from afterword.pipeline.domain.memory.edit import edit_memory
from afterword.pipeline.domain.memory.flags import MAX_LISTED, clear_flag, list_flagged
from afterword.pipeline.domain.memory.json_object import object_text
from afterword.pipeline.domain.memory.model import (
    CATEGORIES,
    DEFAULT_CATEGORY,
    NewMemory,
)
from afterword.pipeline.domain.memory.purge import expired, purge_expired, retention_of
from afterword.pipeline.domain.memory.read import MAX_READ, read_memories
from afterword.pipeline.domain.memory.write import prepare, write_one
from afterword.pipeline.domain.sessions.import_memories import import_memories
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.moments import AsOf, read_moment
from afterword.pipeline.doors.cli.names import memory_name
from afterword.pipeline.doors.commands.memory_lines import read_lines
from afterword.pipeline.doors.commands.memory_options import MemoryName, OnlyCategory, Tags
from afterword.pipeline.doors.commands.search import find, why_found
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.views.memory.memory import (
    flag_cleared,
    flagged_list,
    memories_imported,
    memories_purged,
    memory_deleted,
    memory_edited,
    memory_list,
    memory_restored,
    memory_written,
)

app = section("Write, search, edit, delete, unflag and purge memories.")

app.command("search")(find)
app.command("why")(why_found)


@app.command()
def write(
    ctx: typer.Context,
    category: Annotated[
        str | None,
        typer.Argument(
            metavar="CATEGORY", help=f"Such as preference or lesson; missing: {DEFAULT_CATEGORY}."
        ),
    ] = None,
    content: Annotated[
        str | None, typer.Argument(metavar="TEXT", help="What to remember.", show_default=False)
    ] = None,
    meta: Annotated[str, typer.Option(metavar="JSON", help="An object kept with it.")] = "",
    tag: Tags = None,
    source: Annotated[str | None, typer.Option(help="Such as user_manual.")] = None,
    typed: Annotated[
        bool, typer.Option("--typed", help="A typed entry, which its owner may delete.")
    ] = False,
    file: Annotated[
        Path | None,
        typer.Option(help="Instead: a JSON object a line, all or none; - is standard input."),
    ] = None,
) -> None:
    """Remember one thing, or all lines of a file.

    Example: afterword memory write "the desk closes at 22:00 UTC"

    Example: afterword memory write preference "use 0.5% slippage on swaps"

    Example: afterword memory write --file memories.jsonl
    """
    call = Call(ctx)
    if file is not None:
        _write_lines(call, file, category, content, meta, tag, source, typed)
        return
    category, content = _category_and_text(category, content)
    new = NewMemory(
        category,
        content,
        _object(meta),
        source=source,
        origin="owner",
        type=category if typed else None,
        tags=tag or (),
    )
    # Checked before the store is opened: a refused memory makes no group.
    prepared = prepare(new, call.roots.ids(), "owner")
    written = write_one(call.owner(create=True), prepared)
    call.answer(written, lambda: memory_written(written, new.category))


@app.command()
def read(
    ctx: typer.Context,
    category: OnlyCategory = None,
    limit: Annotated[int, typer.Option(help=f"Most memories read, up to {MAX_READ}.")] = 20,
    as_of: AsOf = None,
) -> None:
    """Read the memories that were last updated.

    Example: afterword memory read --category preference --limit 5
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    found = read_memories(call.store(), category, limit, as_of=at)
    call.answer(found, lambda: memory_list(found))


@app.command()
def delete(ctx: typer.Context, memory: MemoryName) -> None:
    """Take a memory out of every read; for 30 days it can be restored.

    Of a typed entry, or a personalization you wrote by hand. What was observed or derived stays:
    `afterword forget --memory ID` erases it for good.

    Example: afterword memory delete 1
    """
    call = Call(ctx)
    delete_memory(call.owner(), memory_name(memory))
    answer = {"memory": memory_name(memory), "deleted": True}
    call.answer(answer, lambda: memory_deleted(memory))


@app.command()
def restore(ctx: typer.Context, memory: MemoryName) -> None:
    """Put a deleted memory back.

    Example: afterword memory restore 1
    """
    call = Call(ctx)
    retention = retention_of(call.settings).deleted
    restore_memory(call.owner(), memory_name(memory), retention=retention)
    answer = {"memory": memory_name(memory), "deleted": False}
    call.answer(answer, lambda: memory_restored(memory))


@app.command()
def edit(
    ctx: typer.Context,
    memory: MemoryName,
    content: Annotated[
        str | None, typer.Argument(metavar="TEXT", help="The new text; missing, it stays.")
    ] = None,
    meta: Annotated[str, typer.Option(metavar="JSON", help="Instead of the object kept.")] = "",
    tag: Annotated[list[str] | None, typer.Option(help="Instead of the tags; repeated.")] = None,
) -> None:
    """Write anew what you wrote by hand; the old words stay readable as of their time.

    Example: afterword memory edit 1 "trades from Porto"
    """
    call = Call(ctx)
    edited = edit_memory(
        call.owner(),
        memory_name(memory),
        content=content,
        metadata=_object(meta) if meta else None,
        tags=tag or None,
    )
    call.answer(edited, lambda: memory_edited(edited, memory))


@app.command()
def flagged(
    ctx: typer.Context,
    limit: Annotated[int, typer.Option(help=f"Most texts listed, up to {MAX_LISTED}.")] = 50,
) -> None:
    """List the texts that read like orders to the agent, and so stay out of prompts.

    Example: afterword memory flagged
    """
    call = Call(ctx)
    found = list_flagged(call.store(), limit)
    call.answer(found, lambda: flagged_list(found))


@app.command()
def unflag(
    ctx: typer.Context,
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="As `flagged` lists it, or a memory's number.")
    ],
) -> None:
    """Let prompts show a flagged text after all; the scan does not flag it again.

    Example: afterword memory unflag memory:1
    """
    call = Call(ctx)
    cleared = clear_flag(call.owner(), name)
    call.answer({"name": cleared, "flagged": False}, lambda: flag_cleared(cleared))


@app.command()
def purge(
    ctx: typer.Context,
    apply: Annotated[
        bool, typer.Option("--apply", help="Remove them; without it, only count.")
    ] = False,
) -> None:
    """Remove for good what was deleted or superseded for longer than it is kept; facts stay.

    Example: afterword memory purge --apply
    """
    call = Call(ctx)
    store, kept = call.store(), retention_of(call.settings)
    if apply:
        removed = purge_expired(store, call.now(), kept, actor="owner")
    else:
        removed = expired(store, call.now(), kept)
    call.answer(removed, lambda: memories_purged(removed, is_applied=apply))


def _category_and_text(first: str | None, second: str | None) -> tuple[str, str]:
    """Return the category and the text of the arguments; one argument alone is the text.

    Raises:
        InvalidInputError: the one argument is a category.
    """
    if second is not None or first is None:
        return first or DEFAULT_CATEGORY, second or ""
    if first in CATEGORIES:
        accepted = f"a text after it, as in `afterword memory write {first} TEXT`"
        raise InvalidInputError("content", f"is missing after the category {first}", accepted)
    return DEFAULT_CATEGORY, first


def _write_lines(call: Call, file: Path, *others: object) -> None:
    if any(others):
        raise InvalidInputError("file", "is given beside a memory", "one of the two")
    lines, problems = read_lines(file, call.roots.ids)
    if problems:
        raise ExceptionGroup(f"{file}", problems)
    max_ready = call.settings.jobs_max_ready
    done = import_memories(call.owner(create=True), lines, max_ready=max_ready)
    call.answer(done, lambda: memories_imported(lines, done))


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text or "{}")
    except (ValueError, RecursionError) as error:
        raise InvalidInputError("meta", f"is not JSON ({error})", "a JSON object") from None
    object_text(found, "meta")
    return dict(found)

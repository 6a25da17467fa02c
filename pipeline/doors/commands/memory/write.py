"""`afterword memory write` and `edit`: what its owner wants remembered."""

from pathlib import Path
from typing import Annotated, Any

import typer

from afterword.pipeline.domain.memory.edit import edit_memory
from afterword.pipeline.domain.memory.json_object import object_text
from afterword.pipeline.domain.memory.model import DEFAULT_CATEGORY, MEMORY_CATEGORIES, NewMemory
from afterword.pipeline.domain.memory.write import prepare, write_one
from afterword.pipeline.domain.sessions.import_memories import import_memories
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.json_text import read_object
from afterword.pipeline.doors.cli.options import LinesFile
from afterword.pipeline.doors.commands.memory.lines import read_memory_lines
from afterword.pipeline.doors.commands.memory.options import MemoryName, Tags, memory_name
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.views.memory.memory import memories_imported, memory_edited, memory_written


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
    file: LinesFile = None,
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


def _category_and_text(first: str | None, second: str | None) -> tuple[str, str]:
    """Return the category and the text of the arguments; one argument alone is the text.

    Raises:
        InvalidInputError: the one argument is a category.
    """
    if second is not None or first is None:
        return first or DEFAULT_CATEGORY, second or ""
    if first in MEMORY_CATEGORIES:
        accepted = f"a text after it, as in `afterword memory write {first} TEXT`"
        raise InvalidInputError("content", f"is missing after the category {first}", accepted)
    return DEFAULT_CATEGORY, first


def _write_lines(call: Call, file: Path, *others: object) -> None:
    if any(others):
        raise InvalidInputError("file", "is given beside a memory", "one of the two")
    lines = read_memory_lines(file, call.roots.ids)
    max_ready = call.settings.jobs_max_ready
    done = import_memories(call.owner(create=True), lines, max_ready=max_ready)
    call.answer(done, lambda: memories_imported(lines, done))


def _object(text: str) -> dict[str, Any]:
    metadata = read_object(text or "{}", "meta")
    object_text(metadata, "meta")  # checked before any file is opened
    return metadata

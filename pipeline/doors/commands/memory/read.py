"""`afterword memory read` and `show`: the memories that were last updated, and one of them."""

from typing import Annotated

import typer

from afterword.pipeline.domain.memory.read import (
    MAX_MEMORIES_READ,
    deleted_memories,
    memory_story,
    read_memories,
)
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.options import AsOf, most_shown
from afterword.pipeline.doors.commands.memory.options import MemoryName, OnlyCategory, memory_name
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.views.memory.memory import memory_list, memory_shown


def read(
    ctx: typer.Context,
    category: OnlyCategory = None,
    limit: Annotated[int, most_shown("memories", MAX_MEMORIES_READ)] = 20,
    deleted: Annotated[
        bool, typer.Option("--deleted", help="Instead: what was deleted and can be restored.")
    ] = False,
    as_of: AsOf = None,
) -> None:
    """Read the memories that were last updated.

    Example: afterword memory read --category preference --limit 5
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    if deleted:
        if category is not None or at is not None:
            raise InvalidInputError("deleted", "is given beside another choice", "--deleted alone")
        gone = deleted_memories(call.store(), limit)
        call.answer(gone, lambda: memory_list(gone))
        return
    memories = read_memories(call.store(), category, limit, as_of=at)
    call.answer(memories, lambda: memory_list(memories))


def show(ctx: typer.Context, memory: MemoryName) -> None:
    """Show one memory, also a deleted one: what it replaced, and what replaced it.

    Example: afterword memory show 1
    """
    call = Call(ctx)
    story = memory_story(call.store(), memory_name(memory))
    call.answer(story, lambda: memory_shown(story))

"""`afterword memory read`: the memories that were last updated."""

from typing import Annotated

import typer

from afterword.pipeline.domain.memory.read import MAX_MEMORIES_READ, read_memories
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.options import AsOf, most_shown
from afterword.pipeline.doors.commands.memory.options import OnlyCategory
from afterword.pipeline.views.memory.memory import memory_list


def read(
    ctx: typer.Context,
    category: OnlyCategory = None,
    limit: Annotated[int, most_shown("memories", MAX_MEMORIES_READ)] = 20,
    as_of: AsOf = None,
) -> None:
    """Read the memories that were last updated.

    Example: afterword memory read --category preference --limit 5
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    memories = read_memories(call.store(), category, limit, as_of=at)
    call.answer(memories, lambda: memory_list(memories))

"""`afterword memory delete`, `restore` and `purge`: take memories out of reads."""

from typing import Annotated

import typer

from afterword.pipeline.domain.memory.delete import delete_memory, restore_memory
from afterword.pipeline.domain.memory.purge import expired, purge_expired, retention_of
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.commands.memory.options import MemoryName, memory_name
from afterword.pipeline.views.memory.memory import memories_purged, memory_deleted, memory_restored


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


def restore(ctx: typer.Context, memory: MemoryName) -> None:
    """Put a deleted memory back.

    Example: afterword memory restore 1
    """
    call = Call(ctx)
    retention = retention_of(call.settings).deleted
    restore_memory(call.owner(), memory_name(memory), retention=retention)
    answer = {"memory": memory_name(memory), "deleted": False}
    call.answer(answer, lambda: memory_restored(memory))


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
    store, retention = call.store(), retention_of(call.settings)
    if apply:
        removed = purge_expired(store, call.now(), retention, actor="owner")
    else:
        removed = expired(store, call.now(), retention)
    call.answer(removed, lambda: memories_purged(removed, is_applied=apply))

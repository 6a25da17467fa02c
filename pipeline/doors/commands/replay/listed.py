"""`afterword replay ls` and `rm`: the replays of a home."""

import typer

from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.commands.replay.options import ReplayName
from afterword.pipeline.operations.replay.run import list_replays
from afterword.pipeline.views.replay.run import replay_list, replay_removed


def list_(ctx: typer.Context) -> None:
    """List the replays of this home.

    Example: afterword replay ls
    """
    call = Call(ctx)
    replays = list_replays(call.stores())
    call.answer(replays, lambda: replay_list(replays))


def rm(ctx: typer.Context, name: ReplayName) -> None:
    """Remove a replay; groups are not touched.

    Example: afterword replay rm sol
    """
    call = Call(ctx)
    call.stores().remove_replay(name)
    call.answer({"removed": name}, lambda: replay_removed(name))

"""`afterword moods`."""

import typer
from moods import rows
from moods.view import mood_list

from afterword.pipeline.core.store import reading
from afterword.pipeline.doors.cli.call import Call


def moods(ctx: typer.Context) -> None:
    """Say which moods there were.

    Example: afterword moods
    """
    call = Call(ctx)
    with reading(call.store()) as conn:
        counts = rows.count_moods(conn)
    call.answer(counts, lambda: mood_list(counts))

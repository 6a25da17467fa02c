"""`afterword learning`: how tasks were done, what turns did with it, and the reviews of turns."""

from typing import Annotated

import typer

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.learnings import read_rows
from afterword.pipeline.domain.learnings.delete import delete_learning
from afterword.pipeline.domain.learnings.read import (
    MAX_LISTED_LEARNINGS,
    learning_story,
    list_learnings,
    list_reviews,
)
from afterword.pipeline.domain.memory.visibility import read_moment as checked_read
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.options import AsOf, most_shown
from afterword.pipeline.views.methods.learnings import (
    learning_deleted,
    learning_list,
    learning_shown,
    learnings_suggested,
    review_list,
)

app = section("How tasks were done: list, show and delete what turns taught.")

_Name = Annotated[
    str, typer.Argument(metavar="LEARNING", help="Its id, or its number in the list.")
]


@app.command("ls")
def list_(
    ctx: typer.Context,
    sort: Annotated[
        str, typer.Option(help="rate (worked less failed), used, new or shown.")
    ] = "rate",
    state: Annotated[str | None, typer.Option(help="Only: active, waiting, deleted.")] = None,
    limit: Annotated[int, most_shown("learnings", MAX_LISTED_LEARNINGS)] = 50,
    as_of: AsOf = None,
) -> None:
    """List learnings, those that worked most often first.

    Example: afterword learning ls --sort used
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    with reading(call.store()) as conn:
        listed = list_learnings(conn, sort=sort, state=state, limit=limit, as_of=at)
        counts = read_rows.counts(conn, checked_read(conn, at))
    call.answer({"learnings": listed, "counts": counts}, lambda: learning_list(listed, counts))


@app.command()
def show(ctx: typer.Context, learning: _Name, as_of: AsOf = None) -> None:
    """Show one learning: its steps, its turns, and whether it helps.

    Example: afterword learning show 3
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    with reading(call.store()) as conn:
        story = learning_story(conn, learning, at)
    call.answer(story, lambda: learning_shown(story))


@app.command()
def suggest(
    ctx: typer.Context,
    message: Annotated[str, typer.Argument(help="What a user might ask for.")],
    as_of: AsOf = None,
) -> None:
    """Print the block that a turn with this message would be shown; nothing is written.

    Example: afterword learning suggest "open a long with a stop"
    """
    from afterword.pipeline.recall.learnings.tell import preview_learnings

    call, at = Call(ctx), read_moment(as_of, "as_of")
    with reading(call.store()) as conn:
        suggested = preview_learnings(conn, message, call.settings.learning_top_k, at)
    call.answer(suggested, lambda: learnings_suggested(suggested))


@app.command()
def reviews(
    ctx: typer.Context,
    limit: Annotated[int, most_shown("reviews", MAX_LISTED_LEARNINGS)] = 20,
    as_of: AsOf = None,
) -> None:
    """List the reviews of turns, and why one taught nothing.

    Example: afterword learning reviews --limit 5
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    with reading(call.store()) as conn:
        listed = list_reviews(conn, limit, at)
    call.answer(listed, lambda: review_list(listed))


@app.command()
def rm(ctx: typer.Context, learning: _Name) -> None:
    """Delete a misleading learning; a useful one is learned again.

    Example: afterword learning rm 3
    """
    call = Call(ctx)
    deleted = delete_learning(call.owner(), learning)
    call.answer(deleted, lambda: learning_deleted(deleted))

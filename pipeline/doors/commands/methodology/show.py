"""`afterword methodology ls`, `show` and `suggest`: methods, with their record in both gates."""

from typing import Annotated

import typer

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.memory.visibility import read_moment as checked_read
from afterword.pipeline.domain.methodologies.checks import require_learning
from afterword.pipeline.domain.methodologies.read import (
    MAX_LISTED_METHODS,
    count_methodologies,
    list_methodologies,
    methodology_story,
)
from afterword.pipeline.domain.synthesis.luck import expected_luck
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.options import AsOf, most_shown
from afterword.pipeline.doors.commands.methodology.options import MethodName
from afterword.pipeline.views.methods.methods import method_list, method_suggested
from afterword.pipeline.views.methods.story import method_story


def list_(
    ctx: typer.Context,
    asset_class: Annotated[str | None, typer.Option("--class", help="Only this class.")] = None,
    state: Annotated[
        str | None,
        typer.Option(
            help="Only: new, trying, promising, graduated, demoted, flagged, merged, deleted."
        ),
    ] = None,
    source: Annotated[
        str | None, typer.Option(help="Only: written, cases, pattern, import, placebo.")
    ] = None,
    limit: Annotated[int, most_shown("methods", MAX_LISTED_METHODS)] = 50,
    as_of: AsOf = None,
) -> None:
    """List methods with their state and record, and say how many of them are expected to be luck.

    Example: afterword methodology ls --state graduated
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    with reading(call.store()) as conn:
        checked_read(conn, at)
        listed = list_methodologies(
            conn, asset_class=asset_class, state=state, source=source, limit=limit, as_of=at
        )
        counts = count_methodologies(conn, at)
        placebos = sum(count_methodologies(conn, at, placebos=True).values())
        luck = expected_luck(conn, at)

    answer = {"methodologies": listed, "counts": counts, "placebos": placebos}
    answer |= {"luck": None if luck is None else luck._asdict()}
    call.answer(answer, lambda: method_list(listed, counts, placebos, luck))


def show(ctx: typer.Context, method: MethodName, as_of: AsOf = None) -> None:
    """Show one method as a plan, with its record in both gates and what happened to it.

    Example: afterword methodology show 12
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    with reading(call.store()) as conn:
        checked_read(conn, at)
        story = methodology_story(conn, method, at)
    call.answer(story, lambda: method_story(story))


def suggest(
    ctx: typer.Context,
    asset: Annotated[str, typer.Argument(help="What a decision is about, such as SOL.")],
    as_of: AsOf = None,
) -> None:
    """Print the block of graduated methods that an agent is shown for an asset, and keep the hint.

    Example: afterword methodology suggest BTC
    """
    from afterword.pipeline.recall.methods.suggest import suggest_methods

    call, at = Call(ctx), read_moment(as_of, "as_of")
    require_learning(call.settings.learning_enabled)
    suggested = suggest_methods(call.owner(), asset, call.settings.methodology_top_k, as_of=at)
    call.answer(suggested, lambda: method_suggested(suggested))

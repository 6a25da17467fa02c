"""`afterword role pattern`: the twelve questions of a role and class, and what they count."""

from typing import Annotated, Final, cast, get_args

import typer

from afterword.pipeline.domain.memory.checks import check_limit, check_word
from afterword.pipeline.domain.patterns.model import PatternKey
from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.options import AsOf, OnlyAsset, most_shown
from afterword.pipeline.doors.commands.roles.options import RoleOrAll
from afterword.pipeline.operations.roles.hypotheses import (
    HypothesisLine,
    HypothesisStory,
    hypothesis_story,
    list_hypotheses,
)
from afterword.pipeline.rules.evidence.model import HYPOTHESES, Side
from afterword.pipeline.rules.market.symbols import normalise_symbol
from afterword.pipeline.rules.setup import Direction, Trend
from afterword.pipeline.views.roles.pattern import pattern_list, pattern_story

_MOST_DECISIONS: Final = 1_000
"""Decisions of one answer."""

app = section("The patterns that decisions show, and the decisions behind each.")


@app.command("ls")
def list_(
    ctx: typer.Context,
    role: RoleOrAll = "",
    everything: Annotated[
        bool, typer.Option("--all", help="All twelve questions of each class, also unanswered.")
    ] = False,
    as_of: AsOf = None,
) -> None:
    """List what was told apart from luck, hints, and what no longer holds.

    Example: afterword role pattern ls --all
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    registry = load_roles(call.settings.home)
    roles = [registry.role(role)] if role else list(registry)
    lines: list[HypothesisLine] = []
    if call.has_group():
        lines = list_hypotheses(call.store(), roles, call.settings.pattern_error, at)
    shown = [line for line in lines if everything or line.state != "single"]
    call.answer(shown, lambda: pattern_list(shown, is_counted=bool(lines)))


@app.command()
def show(
    ctx: typer.Context,
    role: Annotated[str, typer.Argument(metavar="ROLE", help="As `pattern ls` names it.")],
    asset_class: Annotated[str, typer.Argument(metavar="CLASS", help="As `pattern ls` names it.")],
    direction: Annotated[str, typer.Argument(metavar="DIRECTION", help="long or short.")],
    trend: Annotated[
        str, typer.Argument(metavar="TREND", help="The move before: down, flat or up.")
    ],
    side: Annotated[
        str | None,
        typer.Argument(metavar="[SIDE]", help="failing or works; if missing, the likelier one."),
    ] = None,
    limit: Annotated[int, most_shown("decisions", _MOST_DECISIONS)] = 20,
    asset: OnlyAsset = None,
    as_of: AsOf = None,
) -> None:
    """Show one pattern: its numbers in words, the texts it had, and the decisions it counts.

    Example: afterword role pattern show market.spot.momentum major_crypto long up
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    check_limit(limit, _MOST_DECISIONS)
    check_word(direction, get_args(Direction), "direction")
    check_word(trend, get_args(Trend), "trend")
    if side is not None:
        check_word(side, get_args(Side), "side")
    asked_role = load_roles(call.settings.home).role(role)
    store, level = call.store(), call.settings.pattern_error

    about = normalise_symbol(asset) if asset else ""
    setup = cast(Direction, direction), cast(Trend, trend)

    def story(which: Side) -> HypothesisStory:
        key = PatternKey(asked_role.id, asset_class, *setup, which)
        return hypothesis_story(store, asked_role, key, level, limit, about, at)

    sides = get_args(Side) if side is None else (cast(Side, side),)
    likelier = max(map(story, sides), key=_likeliness)
    call.answer(likelier, lambda: pattern_story(likelier, len(HYPOTHESES) / level, about))


def _likeliness(story: HypothesisStory) -> tuple[bool, float]:
    return story.line.state != "single", story.line.evidence

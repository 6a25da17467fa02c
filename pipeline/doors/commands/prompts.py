"""`afterword snapshot`, `brief` and `page`: what an agent is shown, as it is shown to it."""

from typing import Annotated

import typer

from afterword.pipeline.areas import AREAS
from afterword.pipeline.domain.patterns.ageing import Ageing
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.options import AsOf
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.recall.page.compile import Pages
from afterword.pipeline.recall.page.sections import sections_of
from afterword.pipeline.recall.prompts.brief import read_brief
from afterword.pipeline.recall.prompts.frozen import Surface, read_frozen
from afterword.pipeline.recall.prompts.limits import limits_of
from afterword.pipeline.recall.prompts.prompt_lessons import LessonChoice, choice_at_start
from afterword.pipeline.recall.prompts.snapshot import read_snapshot
from afterword.pipeline.views.memory.prompts import (
    brief_text,
    not_shown,
    not_shown_words,
    page_text,
    shown_text,
    snapshot_text,
)

_ShownSession = Annotated[
    str | None, typer.Option(help="Instead: what this session, by handle or uid, was shown.")
]


def snapshot(ctx: typer.Context, session: _ShownSession = None, as_of: AsOf = None) -> None:
    """Print the block a session would start with, or the one a session was shown.

    Example: afterword snapshot
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    _check_one(session, as_of)
    if session is not None:
        _answer_shown(call, session, "snapshot")
        return
    settings = call.settings
    text = read_snapshot(
        call.store(),
        at,
        max_chars=settings.snapshot_max_chars,
        choice=_choice(call),
        ageing=Ageing(at or call.now(), settings.pattern_unplayed_days),
    )
    call.answer({"text": text}, lambda: snapshot_text(text))


def brief(
    ctx: typer.Context,
    session: _ShownSession = None,
    as_of: AsOf = None,
    provenance: Annotated[
        bool, typer.Option("--provenance", help="In --json: where each entry comes from.")
    ] = False,
) -> None:
    """Print what an agent should know before its first step.

    Example: afterword brief

    Example: afterword entry brief
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    _check_one(session, as_of)
    if session is not None:
        _answer_shown(call, session, "brief")
        return
    limits, choice = limits_of(call.settings), _choice(call)
    shown = read_brief(
        call.store(),
        call.roots.clock,
        limits,
        include_provenance=provenance,
        choice=choice,
        as_of=at,
    )
    call.answer(shown, lambda: brief_text(shown.text))


def page(
    ctx: typer.Context,
    asset: Annotated[str, typer.Argument(metavar="ASSET", help="Such as BTC or EUR/USD.")],
    as_of: AsOf = None,
    hard_constraints: Annotated[
        bool, typer.Option("--hard-constraints/--no-hard-constraints", help="Whether to show them.")
    ] = True,
) -> None:
    """Print all that is known about an asset.

    Example: afterword page BTC
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    pages = Pages(call.store(), call.roots.clock, sections_of(AREAS, _choice(call)))
    text = pages.page(asset, include_hard_constraints=hard_constraints, as_of=at)
    call.answer({"asset": pages.key(asset, as_of=at), "text": text}, lambda: page_text(text))


def _choice(call: Call) -> LessonChoice:
    return choice_at_start(call.settings.role_lessons, call.settings.lesson_holdout)


def _check_one(session: str | None, as_of: str | None) -> None:
    if session is not None and as_of is not None:
        raise InvalidInputError("as_of", "is given beside a session", "one of the two")


def _answer_shown(call: Call, session: str, surface: Surface) -> None:
    text = read_frozen(call.store(), session, surface)
    if text is None:
        answer = {"text": None, "note": not_shown_words(surface)}
        call.answer(answer, lambda: not_shown(surface))
        return
    call.answer({"text": text}, lambda: shown_text(text, surface))

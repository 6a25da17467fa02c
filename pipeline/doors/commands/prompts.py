"""`afterword snapshot`, `brief` and `page`: what an agent is shown, as it is shown to it."""

from typing import Annotated

import typer

from afterword.pipeline.areas import AREAS
from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.patterns.ageing import Ageing
from afterword.pipeline.domain.prices.keep_classes import classes_of
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.moments import AsOf, read_moment
from afterword.pipeline.doors.cli.output import print_line
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.recall.page.asset import read_asset
from afterword.pipeline.recall.page.compile import Pages
from afterword.pipeline.recall.page.sections import sections_of
from afterword.pipeline.recall.prompts.brief import read_brief
from afterword.pipeline.recall.prompts.frozen import Surface, read_frozen
from afterword.pipeline.recall.prompts.limits import limits_of
from afterword.pipeline.recall.prompts.prompt_lessons import LessonChoice, choice_at_start
from afterword.pipeline.recall.prompts.snapshot import read_snapshot

Session = Annotated[
    str | None, typer.Option(help="Instead: what this session, by handle or uid, was shown.")
]


def snapshot(ctx: typer.Context, session: Session = None, as_of: AsOf = None) -> None:
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
    call.answer({"text": text}, lambda: _print(text, "nothing is remembered"))


def brief(
    ctx: typer.Context,
    session: Session = None,
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
    found = read_brief(
        call.store(),
        call.roots.clock,
        limits,
        include_provenance=provenance,
        choice=choice,
        as_of=at,
    )
    call.answer(found, lambda: _print(found.text, "no typed entry and no lesson yet"))


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
    with reading(call.store()) as conn:
        about = read_asset(asset, classes_of(conn, at))
    pages = Pages(call.store(), call.roots.clock, sections_of(AREAS, _choice(call)))
    text = pages.page(asset, include_hard_constraints=hard_constraints, as_of=at)
    call.answer({"asset": about.key, "text": text}, lambda: _print(text.rstrip("\n"), ""))


def _choice(call: Call) -> LessonChoice:
    return choice_at_start(call.settings.role_lessons, call.settings.lesson_holdout)


def _check_one(session: str | None, as_of: str | None) -> None:
    if session is not None and as_of is not None:
        raise InvalidInputError("as_of", "is given beside a session", "one of the two")


def _answer_shown(call: Call, session: str, surface: Surface) -> None:
    text = read_frozen(call.store(), session, surface)
    if text is None:
        missing = f"this session was shown no {surface} yet"
        call.answer({"text": None, "note": missing}, lambda: print_line(missing))
        return
    call.answer({"text": text}, lambda: _print(text, f"this session's {surface} is empty"))


def _print(text: str, empty: str) -> None:
    typer.echo(text or empty)  # its lines hold nothing that could steer a terminal

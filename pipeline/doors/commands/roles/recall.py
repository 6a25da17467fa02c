"""`afterword role recall`: what was learned, all of it or what fits a decision at hand."""

from dataclasses import replace
from typing import Annotated

import typer

from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.options import AsOf, most_shown
from afterword.pipeline.doors.commands.memory.search import search_options
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.recall.lessons.fragment import MAX_LESSONS, render
from afterword.pipeline.recall.lessons.lessons import role_lessons, skill_lessons
from afterword.pipeline.recall.lessons.tell import tell_lessons
from afterword.pipeline.recall.prompts.prompt_lessons import LessonsOfRole
from afterword.pipeline.views.blocks import Paragraph, Verbatim, View
from afterword.pipeline.views.roles.listed import NOTHING_RECALLED, recalled


def recall(
    ctx: typer.Context,
    role: Annotated[str, typer.Argument(metavar="ROLE", help="A role, or with --prompt a skill.")],
    like: Annotated[
        str, typer.Option(metavar="TEXT", help="A decision at hand: what fits it comes first.")
    ] = "",
    limit: Annotated[int, most_shown("lessons", MAX_LESSONS)] = 10,
    prompt: Annotated[
        bool, typer.Option("--prompt", help="All of a skill's roles, as its prompt holds them.")
    ] = False,
    everything: Annotated[
        bool, typer.Option("--all", help="Hints and lessons of single cases too, labelled so.")
    ] = False,
    key: Annotated[
        str | None,
        typer.Option(metavar="KEY", help="Keep what is told for the decision of this key."),
    ] = None,
    as_of: AsOf = None,
) -> None:
    """Print what a role learned: what evidence confirms, and notes of persons.

    Example: afterword role recall market.spot --prompt
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    if key is not None and at is not None:
        raise InvalidInputError("key", "is given beside a moment of the past", "one of the two")
    settings, registry, stores = call.settings, load_roles(call.settings.home), call.stores()
    store = stores.group(settings.group)
    options = replace(search_options(call, stores), limit=limit)
    choice, now = "all" if everything else settings.role_lessons, call.now()
    question, days = (store, registry, role, like, options), settings.pattern_unplayed_days
    if prompt:
        chosen = skill_lessons(*question, now=now, choice=choice, as_of=at, unplayed_days=days)
    else:
        lessons = role_lessons(*question, now=now, choice=choice, as_of=at, unplayed_days=days)
        chosen = [LessonsOfRole(role, lessons)]
    told = tell_lessons(call.owner(), chosen, key, settings.lesson_holdout)
    if prompt:
        text = render(told)
        block = Verbatim(text) if text else Paragraph(NOTHING_RECALLED)
        call.answer({"skill": role, "text": text}, lambda: View([block]))
        return
    (shown,) = told
    call.answer(shown.lessons, lambda: recalled(shown.lessons))

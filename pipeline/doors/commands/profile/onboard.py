"""`afterword profile onboard`: say who you are, by options or by answering questions."""

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from afterword.pipeline.domain.profile.answers import CAPITAL, ONBOARDING_QUESTIONS, checked_answers
from afterword.pipeline.domain.profile.onboarding import complete_onboarding, onboarding_status
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.user_tags.schema import LABELS, MARKETS_TAG
from afterword.pipeline.views.memory.onboarding import (
    onboarding_done,
    onboarding_state,
    question_view,
)

Answer = str | Sequence[str]


def onboard(
    ctx: typer.Context,
    finance_knowledge: Annotated[
        str | None, typer.Option(metavar="LEVEL", help="level_1 (Beginner) to level_4 (Expert).")
    ] = None,
    frequency: Annotated[
        str | None, typer.Option(metavar="WORD", help="passive, weekly, daily or active.")
    ] = None,
    risk: Annotated[
        str | None, typer.Option(metavar="WORD", help="conservative, balanced or aggressive.")
    ] = None,
    market: Annotated[
        list[str] | None, typer.Option(metavar="WORD", help="Such as memes; may be repeated.")
    ] = None,
    capital: Annotated[
        str | None, typer.Option(metavar="AMOUNT", help="Such as $1k-5k; kept as a memory.")
    ] = None,
    status: Annotated[
        bool, typer.Option("--status", help="Instead: show what was answered.")
    ] = False,
) -> None:
    """Say who you are: your answers count before whatever is concluded of you.

    Without an answer it asks, on a terminal. The same answers again change nothing.

    Example: afterword profile onboard --risk conservative --market memes
    """
    call = Call(ctx)
    given: dict[str, Answer | None] = {
        "finance_knowledge": finance_knowledge,
        "frequency": frequency,
        "risk": risk,
        MARKETS_TAG: market or None,
        CAPITAL: capital,
    }
    if status:
        if any(answer is not None for answer in given.values()):
            raise InvalidInputError("status", "is asked for beside an answer", "one of the two")
        state = onboarding_status(call.store())
        call.answer(state, lambda: onboarding_state(state))
        return
    if all(answer is None for answer in given.values()) and not call.json and sys.stdin.isatty():
        given = {question: _asked(call, question) for question in ONBOARDING_QUESTIONS}
    checked_answers(given)  # before the store is opened: a refused answer makes no group
    result = complete_onboarding(call.owner(create=True), given)
    call.answer(result, lambda: onboarding_done(result))


def _asked(call: Call, question: str) -> Answer | None:
    """Ask until the answer is one of the choices; an empty one is no answer."""
    call.say(question_view(question))
    while True:
        said = typer.prompt("Answer, or Enter for none", default="", show_default=False).strip()
        if not said:
            return None
        answer = _chosen(question, said)
        try:
            checked_answers({question: answer})
        except InvalidInputError as problem:
            typer.echo(str(problem), err=True)
        else:
            return answer


def _chosen(question: str, said: str) -> Answer:
    """Return the values of what was said: a number of the list, or a value itself."""
    if question == CAPITAL:
        return said
    choices = dict(enumerate(LABELS[question], start=1))
    words = [word.strip() for word in said.split(",")] if question == MARKETS_TAG else [said]
    values = [choices.get(int(word), word) if word.isdecimal() else word for word in words]
    return values if question == MARKETS_TAG else values[0]

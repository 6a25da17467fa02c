"""`afterword profile show` and `portrait`: all that is known of the user, and what prompts say."""

from typing import Annotated

import typer

from afterword.pipeline.domain.profile.portrait import read_portrait
from afterword.pipeline.domain.rebuilds.status import read_rebuilds
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.options import AsOf
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.recall.prompts.frozen import read_frozen
from afterword.pipeline.recall.prompts.personalization import read_personalization
from afterword.pipeline.recall.prompts.turn_preview import preview_turn
from afterword.pipeline.views.memory.portrait import (
    personalization_text,
    portrait_facts,
    portrait_view,
    turn_preview_text,
)
from afterword.pipeline.views.memory.prompts import not_shown, not_shown_words, shown_text


def show(ctx: typer.Context, as_of: AsOf = None) -> None:
    """Show tags, what your trades say, memories about you, the custom prompt and the profile.

    Example: afterword profile show
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    store, now = call.store(), call.now()
    portrait = read_portrait(store, now, at)
    # When rebuilds run is state without a history: a read of the past tells nothing of it.
    rebuilds = read_rebuilds(store, call.settings, now) if at is None else None
    call.answer(portrait_facts(portrait, rebuilds), lambda: portrait_view(portrait, rebuilds))


def portrait(
    ctx: typer.Context,
    session: Annotated[
        str | None, typer.Option(help="Instead: what this session, by handle or uid, was shown.")
    ] = None,
    message: Annotated[
        str | None, typer.Option(help="Instead: what a turn with this message is told beside.")
    ] = None,
    as_of: AsOf = None,
) -> None:
    """Print what prompts are told of you, or what a session was told.

    With AFTERWORD_CHAT_INTENT_GATING_ENABLED, a session is told the core, and each
    turn the tags that its message needs.

    Example: afterword profile portrait
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    if message is not None:
        if session is not None:
            raise InvalidInputError("message", "is given beside a session", "one of the two")
        preview = preview_turn(call.store(), message, call.now(), at)
        call.answer(preview, lambda: turn_preview_text(preview))
        return
    if session is None:
        gated = call.settings.chat_intent_gating_enabled
        text = read_personalization(call.store(), call.now(), at, gated=gated)
        call.answer({"text": text}, lambda: personalization_text(text))
        return
    if at is not None:
        raise InvalidInputError("as_of", "is given beside a session", "one of the two")
    shown = read_frozen(call.store(), session, "personalization")
    if shown is None:
        answer = {"text": None, "note": not_shown_words("personalization")}
        call.answer(answer, lambda: not_shown("personalization"))
        return
    call.answer({"text": shown}, lambda: shown_text(shown, "personalization"))

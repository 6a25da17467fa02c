"""What the prompt of an agent's session begins with: brief, snapshot, portrait, page."""

from typing import Annotated, Any, Final

from fastapi import Path, Query

from afterword.pipeline.domain.sessions.model import limits_of
from afterword.pipeline.doors.agent.instructions import instructions
from afterword.pipeline.doors.agent.lesson_model import brief as brief_of
from afterword.pipeline.doors.agent.plugin import skill_text
from afterword.pipeline.doors.http.caller import By
from afterword.pipeline.errors import UnavailableError
from afterword.pipeline.recall.prompts.brief import brief_in_time
from afterword.pipeline.recall.prompts.limits import limits_of as brief_limits_of
from afterword.pipeline.recall.prompts.prompt_lessons import choice_at_start

_LATE: Final = "the brief was late or failed; start without it"


def brief(by: By) -> Any:
    """Return the brief that this session starts with: the same bytes for the whole session.

    If it is late, the answer is 503, and the agent starts without it.
    """
    text = by.agent().start_brief()
    if text is None:
        raise UnavailableError(_LATE)
    return {"text": text}


def host_brief(by: By) -> Any:
    """Return the brief of the group as it is now, for a host that starts an agent (R4's getBrief).

    It begins no session. If it is late, the answer is 503, and the agent starts without it.
    """
    settings = by.settings
    choice = choice_at_start(settings.role_lessons, settings.lesson_holdout)
    made = brief_in_time(by.store(), by.parts.clock, brief_limits_of(settings), choice=choice)
    if made is None:
        raise UnavailableError(_LATE)
    return brief_of(made)


def snapshot(by: By) -> Any:
    """Return the block of memories that this session starts with, frozen for the session."""
    return {"text": by.agent().snapshot()}


def personalization(by: By) -> Any:
    """Return who the user is, for this session's prompt, frozen for the session."""
    return {"text": by.agent().personalization()}


def instruct(by: By) -> Any:
    """Return the text that tells a model how to use its memory."""
    agent = by.agent()
    return {"text": instructions(limits_of(by.settings), agent.roles)}


def skill(by: By) -> str:
    """Return the skill file of the memory, as markdown (R4's `skill/memory.md`)."""
    return skill_text(limits_of(by.settings))


def page(
    by: By,
    asset: Annotated[str, Path(description="A symbol such as BTC, or a name.", max_length=64)],
    include_hard_constraints: Annotated[
        bool, Query(description="With the rules that always hold.")
    ] = True,
) -> str:
    """Return all that is known about an asset, as one page of markdown."""
    return by.agent().memory_compiled_page(asset, include_hard_constraints=include_hard_constraints)

"""What a session of an agent starts with, as its prompt has it."""

from afterword.pipeline.domain.patterns.ageing import Ageing
from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.model import PageContent
from afterword.pipeline.recall.prompts.personalization import read_personalization
from afterword.pipeline.recall.prompts.prompt_lessons import choice_at_start
from afterword.pipeline.recall.prompts.snapshot import read_snapshot
from afterword.pipeline.views.memory.portrait import personalization_text
from afterword.pipeline.views.memory.prompts import snapshot_text


def prompt(by: PageCaller) -> PageContent:
    """Return the snapshot of the memory, and the portrait of the user."""
    settings, now = by.settings, by.now()
    snapshot = read_snapshot(
        by.store(),
        None,
        max_chars=settings.snapshot_max_chars,
        choice=choice_at_start(settings.role_lessons, settings.lesson_holdout),
        ageing=Ageing(now, settings.pattern_unplayed_days),
    )
    gated = settings.chat_intent_gating_enabled
    portrait = read_personalization(by.store(), now, None, gated=gated)
    return PageContent([snapshot_text(snapshot), personalization_text(portrait)])

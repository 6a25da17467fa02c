"""Declares reflection: its tasks for a model, and the choice of the judge."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaSection, SwitchTask

AREA: Final = Area(
    name="reflection",
    switches=(
        SwitchTask("classify_entry", "Judge decisions once their outcome is known."),
        SwitchTask("draft_lesson", "Draft a lesson from a decision that teaches one."),
    ),
    sections=(AreaSection("afterword.pipeline.recall.page.sections:REFLECTIONS", order=40),),
    settings=("role_judge", "role_questions_at_once"),
)

"""The values of the tools that tell what past decisions taught; see `model`."""

from dataclasses import dataclass

from afterword.pipeline.clock import iso
from afterword.pipeline.recall.prompts.brief_block import BriefEntry, MemoryBrief
from afterword.pipeline.recall.prompts.prompt_lessons import PromptLesson
from afterword.pipeline.rules.masking import mask


@dataclass(frozen=True, slots=True)
class RoleLesson:
    """What a role learned: a pattern of its record, a person's note, or the lesson of one case; or
    what the user's own trades show.

    Args:
        kind: `pattern`, `note`, `case` or `trades`.
        decision: uid of the decision of a note or a case.
        label: `failing` or `works` for what evidence confirms; `hint`, `note` with the person's
            mark, or `one case`; of trades `worse`, `better`, `loses` or `earns`.
        about: the assets it may be told of.
        trend: the move before: `down`, `flat` or `up`; None if unknown.
        why: why it came in answer to a question.
    """

    kind: str
    decision: str | None
    role: str
    label: str
    lesson: str
    about: str
    direction: str
    trend: str | None
    known_at: str
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Brief:
    """What to know before the first step: the current entries, the most useful first, and lessons.

    Args:
        entry_count: visible typed entries; count.
        brief_count: those of them in this brief; count.
        text: entries and lessons as a prompt shows them.
        lessons: what past decisions taught.
    """

    entries: tuple[BriefEntry, ...]
    generated_at: str
    entry_count: int
    brief_count: int
    text: str
    lessons: tuple[RoleLesson, ...]


def learned(lesson: PromptLesson) -> RoleLesson:
    """Return a lesson as an agent sees it."""
    return RoleLesson(
        kind=lesson.kind,
        decision=lesson.uid,
        role=lesson.role_id,
        label=lesson.label,
        lesson=mask(lesson.text),
        about=mask(lesson.about),
        direction=lesson.direction,
        trend=lesson.trend,
        known_at=iso(lesson.known_at),
        why=lesson.why,
    )


def brief(made: MemoryBrief) -> Brief:
    """Return a brief as an agent sees it."""
    return Brief(
        entries=made.entries,
        generated_at=iso(made.generated_at),
        entry_count=made.entry_count,
        brief_count=made.brief_count,
        text=made.text,
        lessons=tuple(map(learned, made.lessons)),
    )

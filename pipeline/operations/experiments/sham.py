"""Sham memory: as many lessons and methods of equal form, and none about the decision.

Beside it, memory shows whether what it says matters, and not that a prompt is longer or sounds
careful. Every line is true and says what it is about; it is only of no use here:

- a lesson of another asset, known by then;
- where there are too few: one of its asset in another direction, that was known 30 days or longer.

A lesson stands in for one of the same kind, preferably with the same label, and is cut to its
length. Which of those that fit is drawn for each decision, by a seed.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.methodologies.model import FORGOTTEN, Methodology
from afterword.pipeline.domain.methodologies.read import list_methodologies
from afterword.pipeline.domain.prices.keep_classes import classes_of
from afterword.pipeline.operations.experiments.past import PastDecision
from afterword.pipeline.operations.experiments.recollection import MemoryRules, Recollection
from afterword.pipeline.recall.methods.block import MethodLine, method_line
from afterword.pipeline.recall.prompts.prompt_lessons import PromptLesson, prompt_lessons
from afterword.pipeline.recall.prompts.sanitize import sanitize
from afterword.pipeline.rules.market.classes import StatedClasses

POOL: Final = 200
"""Lessons, the latest of each kind, from which those of a sham are drawn."""

SHIFT: Final = timedelta(days=30)
"""How long a lesson of the same asset must have been known."""

_NEVER_TOLD: Final = frozenset({"merged", "deleted"})


def sham_of(
    conn: Connection,
    past: PastDecision,
    real: Recollection,
    rules: MemoryRules,
    as_of: datetime,
    seed: int,
) -> Recollection | None:
    """Return a sham for a memory; None if too little was known then to make one of equal form.

    Args:
        real: the memory that it stands beside.
        as_of: only what could be told at this moment.
    """
    lessons = _lessons(conn, past, real, rules, as_of, seed)
    methods = _methods(conn, past, real, as_of, seed)
    if lessons is None or methods is None:
        return None
    return replace(real, lessons=lessons, methods=methods, about="other assets")


def is_about(lesson: PromptLesson, asset_key: str | None, classes: StatedClasses) -> bool:
    """Return whether a lesson says anything of an asset, or of the class it belongs to."""
    if asset_key in lesson.assets or (not lesson.assets and lesson.kind != "pattern"):
        return True  # a lesson of a decision about no asset may be of use for any
    if asset_key is None or (lesson.assets and not lesson.is_class):
        return False
    return lesson.asset_class in classes.names(asset_key)


def _lessons(
    conn: Connection,
    past: PastDecision,
    real: Recollection,
    rules: MemoryRules,
    as_of: datetime,
    seed: int,
) -> tuple[PromptLesson, ...] | None:
    if not real.lessons:
        return ()
    decision = past.decision
    classes = classes_of(conn, as_of)
    shown = {sanitize(lesson.text) for lesson in real.lessons}
    pool = prompt_lessons(conn, None, rules.choice, POOL, to_micros(as_of))
    pool = [lesson for lesson in pool if sanitize(lesson.text) not in shown]
    others = [lesson for lesson in pool if not is_about(lesson, decision.asset_key, classes)]
    shifted = [
        lesson
        for lesson in pool
        if is_about(lesson, decision.asset_key, classes)
        and lesson.direction not in ("neutral", decision.direction)
        and lesson.known_at <= as_of - SHIFT
    ]
    chosen: list[PromptLesson] = []
    texts: set[str] = set()
    for wanted in real.lessons:
        length = len(sanitize(wanted.text))
        fitting = [
            _Candidate(
                tier, replace(lesson, text=sanitize(lesson.text, max(length, 2))), lesson.text
            )
            for tier, tried in enumerate((others, shifted))
            for lesson in tried
            if lesson.kind == wanted.kind
        ]
        fitting = [candidate for candidate in fitting if candidate.lesson.text not in texts]
        if not fitting:
            return None
        best = min(fitting, key=lambda candidate: candidate.rank(wanted, f"{seed} {decision.uid}"))
        texts.add(best.lesson.text)
        chosen.append(best.lesson)
    return tuple(chosen)


class _Candidate:
    """A lesson that may stand in for another, cut to its length."""

    __slots__ = ("lesson", "tier", "whole")

    def __init__(self, tier: int, lesson: PromptLesson, whole: str) -> None:
        self.tier, self.lesson, self.whole = tier, lesson, whole

    def rank(self, wanted: PromptLesson, seed: str) -> tuple[bool, int, int, int]:
        """Return what is compared, the least first; of equals, one is drawn."""
        shorter = max(0, len(sanitize(wanted.text)) - len(self.lesson.text))
        draw = _draw(f"{seed} {self.lesson.kind} {self.lesson.id} {self.whole}")
        return self.lesson.label != wanted.label, self.tier, shorter, draw


def _methods(
    conn: Connection, past: PastDecision, real: Recollection, as_of: datetime, seed: int
) -> tuple[MethodLine, ...] | None:
    if not real.methods or past.decision.asset_key is None:
        return ()
    of_class = classes_of(conn, as_of).of(past.decision.asset_key)
    shown = {method.uid for method in real.methods}
    known = [
        method
        for method in list_methodologies(conn, as_of=as_of)
        if method.uid not in shown
        and method.source != "placebo"
        and method.state not in _NEVER_TOLD
        and method.methodology != FORGOTTEN
    ]
    chosen: list[MethodLine] = []
    for wanted in real.methods:
        taken = {method.uid for method in chosen}
        left = [method for method in known if method.uid not in taken]
        line = _method(left, wanted, of_class, f"{seed} {past.decision.uid}")
        if line is None:
            return None
        chosen.append(line)
    return tuple(chosen)


def _method(
    known: Sequence[Methodology], wanted: MethodLine, of_class: str, seed: str
) -> MethodLine | None:
    """Return a method of another class, else one of its class that says the opposite."""
    others = [method for method in known if method.asset_class != of_class]
    opposed = [
        method
        for method in known
        if method.asset_class == of_class
        and method.state != "graduated"
        and method.direction != wanted.direction
    ]
    length = len(wanted.text)
    fitting = [
        (tier, max(0, length - len(line.text)), _draw(f"{seed} {line.uid}"), line)
        for tier, tried in enumerate((others, opposed))
        for line in map(method_line, tried)
    ]
    if not fitting:
        return None
    line = min(fitting, key=lambda fit: fit[:3])[3]
    phases = line.phases[: len(wanted.phases)]
    return line._replace(text=sanitize(line.text, max(length, 2)), phases=phases)


def _draw(text: str) -> int:
    """Return a whole number that looks drawn, the same one for a text in each run."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest())

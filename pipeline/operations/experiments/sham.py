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


def is_about(one: PromptLesson, asset_key: str | None, classes: StatedClasses) -> bool:
    """Return whether a lesson says anything of an asset, or of the class it belongs to."""
    if asset_key in one.assets or (not one.assets and one.kind != "pattern"):
        return True  # a lesson of a decision about no asset may be of use for any
    if asset_key is None or (one.assets and not one.is_class):
        return False
    return one.asset_class in classes.names(asset_key)


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
    shown = {sanitize(one.text) for one in real.lessons}
    pool = prompt_lessons(conn, None, rules.choice, POOL, to_micros(as_of))
    pool = [one for one in pool if sanitize(one.text) not in shown]
    others = [one for one in pool if not is_about(one, decision.asset_key, classes)]
    shifted = [
        one
        for one in pool
        if is_about(one, decision.asset_key, classes)
        and one.direction not in ("neutral", decision.direction)
        and one.known_at <= as_of - SHIFT
    ]
    chosen: list[PromptLesson] = []
    said: set[str] = set()
    for wanted in real.lessons:
        length = len(sanitize(wanted.text))
        fitting = [
            _Candidate(tier, replace(one, text=sanitize(one.text, max(length, 2))), one.text)
            for tier, tried in enumerate((others, shifted))
            for one in tried
            if one.kind == wanted.kind
        ]
        fitting = [one for one in fitting if one.lesson.text not in said]
        if not fitting:
            return None
        best = min(fitting, key=lambda one: one.rank(wanted, f"{seed} {decision.uid}"))
        said.add(best.lesson.text)
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
    shown = {one.uid for one in real.methods}
    known = [
        one
        for one in list_methodologies(conn, as_of=as_of)
        if one.uid not in shown
        and one.source != "placebo"
        and one.state not in _NEVER_TOLD
        and one.methodology != FORGOTTEN
    ]
    chosen: list[MethodLine] = []
    for wanted in real.methods:
        taken = {one.uid for one in chosen}
        left = [one for one in known if one.uid not in taken]
        found = _method(left, wanted, of_class, f"{seed} {past.decision.uid}")
        if found is None:
            return None
        chosen.append(found)
    return tuple(chosen)


def _method(
    known: Sequence[Methodology], wanted: MethodLine, of_class: str, seed: str
) -> MethodLine | None:
    """Return a method of another class, else one of its class that says the opposite."""
    others = [one for one in known if one.asset_class != of_class]
    opposed = [
        one
        for one in known
        if one.asset_class == of_class
        and one.state != "graduated"
        and one.direction != wanted.direction
    ]
    length = len(wanted.text)
    fitting = [
        (tier, max(0, length - len(line.text)), _draw(f"{seed} {line.uid}"), line)
        for tier, tried in enumerate((others, opposed))
        for line in map(method_line, tried)
    ]
    if not fitting:
        return None
    line = min(fitting, key=lambda one: one[:3])[3]
    phases = line.phases[: len(wanted.phases)]
    return line._replace(text=sanitize(line.text, max(length, 2)), phases=phases)


def _draw(text: str) -> int:
    """Return a whole number that looks drawn, the same one for a text in each run."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest())

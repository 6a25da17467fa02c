"""The section of a page with the outcomes of decisions about the asset."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.domain.decisions.model import Decision
from afterword.pipeline.domain.decisions.read_rows import about
from afterword.pipeline.recall.page.model import PageAsset, PageLine
from afterword.pipeline.recall.prompts.prompt_lesson_rows import shown_cases
from afterword.pipeline.recall.prompts.prompt_lessons import LessonChoice


@dataclass(frozen=True, slots=True)
class ReflectionSection:
    """The decisions reflected on last; waiting ones have no outcome to show yet (R1).

    A line says what became of a decision, and what a person noted of it. Its lesson is one case, so
    it is shown on request only, and never once its setup does not support it.

    Args:
        most: lines at most.
        choice: what of past decisions is shown.
    """

    most: int
    title: str = "Timeline"
    has_hard_constraints: bool = False
    choice: LessonChoice = "confirmed"

    def lines(
        self, conn: Connection, asset: PageAsset, as_of: int | None, _now: datetime, /
    ) -> Sequence[PageLine]:
        """Return them, the latest first."""
        decisions = about(conn, asset.key, self.most, as_of)
        shown: set[int] = set()
        if self.choice == "all":
            shown = shown_cases(conn, [decision.id for decision in decisions], as_of)
        return [_line(decision, has_lesson=decision.id in shown) for decision in decisions]


def _line(decision: Decision, *, has_lesson: bool) -> PageLine:
    assert decision.verdict is not None  # it is reflected on
    word = decision.verdict.classification or decision.verdict.outcome
    about = f"{decision.role_id}, {decision.direction} {decision.asset_key}"
    parts = [f"{about}: {decision.verdict.narrative}"]
    if decision.mark_note and decision.mark_note not in decision.verdict.narrative:
        parts.append(f"Note: {decision.mark_note}")
    if has_lesson:
        parts.append(f"One case: {decision.lesson}")
    return PageLine(word, " · ".join(parts), decision.reflected_at)

"""The section of a page with what the trades of the group show about the asset."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.recall.page.model import PageAsset, PageLine
from afterword.pipeline.recall.page.patterns import whole_sentences
from afterword.pipeline.recall.prompts.prompt_habits import habits
from afterword.pipeline.recall.prompts.sanitize import SHORT


@dataclass(frozen=True, slots=True)
class HabitSection:
    """What verdicts on trades name, of the asset, its class, or trades in any asset.

    Args:
        most: lines at most.
    """

    most: int
    title: str = "What your trades show"
    has_hard_constraints: bool = False

    def lines(
        self, conn: Connection, asset: PageAsset, as_of: int | None, _now: datetime, /
    ) -> Sequence[PageLine]:
        """Return them, what all accounts show together first."""
        lessons = habits(conn, as_of, asset_key=asset.key, most=self.most)
        return [
            PageLine(lesson.label, whole_sentences(lesson.text, SHORT), lesson.known_at)
            for lesson in lessons
        ]


HABITS: Final = HabitSection(5)

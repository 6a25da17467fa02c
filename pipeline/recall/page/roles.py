"""The section of a page with the outcomes of decisions about the asset."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.domain.decisions.model import Decision
from afterword.pipeline.domain.decisions.rows import about
from afterword.pipeline.recall.page.model import PageAsset, PageLine


@dataclass(frozen=True, slots=True)
class ReflectionSection:
    """The decisions reflected on last; waiting ones have no outcome to show yet (R1).

    Args:
        most: lines at most.
    """

    most: int
    title: str = "Timeline"
    has_hard_constraints: bool = False

    def lines(
        self, conn: Connection, asset: PageAsset, as_of: int | None, _now: datetime, /
    ) -> Sequence[PageLine]:
        """Return them, the latest first."""
        return [_line(one) for one in about(conn, asset.key, self.most, as_of)]


def _line(one: Decision) -> PageLine:
    assert one.verdict is not None  # it is reflected on
    word = one.verdict.classification or one.verdict.outcome
    result = one.lesson or one.verdict.narrative
    return PageLine(word, f"{one.role_id}, {one.direction}: {result}", one.reflected_at)

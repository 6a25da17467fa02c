"""The section of a page with the latest cases of the asset; nothing on a page edits one (R3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros
from afterword.pipeline.domain.cases.read_rows import latest_verdicts
from afterword.pipeline.recall.page.model import PageAsset, PageLine
from afterword.pipeline.rules.market.exact import PPB
from afterword.pipeline.rules.text.numbers import signed_percent


@dataclass(frozen=True, slots=True)
class CaseSection:
    """What came of the latest decisions that cite a methodology, over its own horizon.

    Which methodology it was is left out: what does not stand yet must not reach a prompt.

    Args:
        most: lines at most.
    """

    most: int
    title: str = "Trading cases"
    has_hard_constraints: bool = False

    def lines(
        self, conn: Connection, asset: PageAsset, as_of: int | None, _now: datetime, /
    ) -> Sequence[PageLine]:
        """Return them, the latest outcome first."""
        return [
            PageLine(
                verdict.verdict,
                f"{verdict.direction} {asset.key} over {_span(verdict.window_hours)} by a method: "
                f"{signed_percent(verdict.move_ppb / PPB)}",
                from_micros(verdict.exit_at),
            )
            for verdict in latest_verdicts(conn, asset.key, self.most, as_of)
        ]


def _span(hours: int) -> str:
    return "a day" if hours == 24 else f"{hours // 24} days"


CASES: Final = CaseSection(5)

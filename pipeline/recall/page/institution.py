"""The section of a page with the latest runs on the asset, and how they came out."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros
from afterword.pipeline.domain.institution.model import InstitutionRun
from afterword.pipeline.domain.institution.read import list_runs
from afterword.pipeline.recall.page.model import PageAsset, PageLine


@dataclass(frozen=True, slots=True)
class RunSection:
    """The latest runs on the asset: the direction, the confidence and the answers; no texts.

    Args:
        most: lines at most.
    """

    most: int
    title: str = "Institution runs"
    has_hard_constraints: bool = False

    def lines(
        self, conn: Connection, asset: PageAsset, as_of: int | None, now: datetime, /
    ) -> Sequence[PageLine]:
        """Return them, the latest first."""
        moment = None if as_of is None else from_micros(as_of)
        runs = list_runs(conn, asset.key, self.most, now, moment)
        return [PageLine("run", _words(run, asset), run.decided_at) for run in runs]


def _words(run: InstitutionRun, asset: PageAsset) -> str:
    answers = [
        f"{window.window_hours // 24} d {window.answer}"
        for window in run.windows
        if window.answer is not None
    ]
    came = f"answers: {', '.join(answers)}" if answers else "nothing is answered yet"
    days = f"{run.horizon_hours / 24:g} d"
    return f"{run.direction} {asset.key} within {days}, confidence {run.confidence:.2f}; {came}"


RUNS: Final = RunSection(3)

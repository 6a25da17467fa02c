"""The report on trades that are kept, without judging them anew."""

from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.trades import rows
from afterword.pipeline.domain.trades.judge import gather
from afterword.pipeline.domain.trades.model import TradesReport, TripOutcome
from afterword.pipeline.domain.trades.report import report_of


def kept_report(
    conn: Connection, at: datetime, account: str | None = None, *, is_past: bool = False
) -> tuple[TradesReport, tuple[TripOutcome, ...]]:
    """Return what the trades of a group show, by the verdict that stands, and all of them.

    Args:
        at: nothing later is read.
        is_past: whether to read what was stored then, instead of now.
    """
    material = gather(conn, at, account=account, is_past=is_past)
    last = rows.last_verdict(conn, account, to_micros(at) if is_past else None)
    report = report_of(
        material,
        last,
        is_kept=True,
        account=account,
        as_of=at if is_past else None,
        at=at,
        may_judge=False,
    )
    return report, material.outcomes

"""Which executions made a position smaller, and how many of them had a profit before fees."""

from datetime import datetime
from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.fills.accounts import of_account
from afterword.pipeline.operations.learn.report import FillWins

_WINS: Final = text(f"""
SELECT count(*) AS closing, sum(CAST(closed_pnl AS REAL) > 0) AS winning
FROM perps_fills
WHERE closed_pnl <> '' AND (CAST(closed_pnl AS REAL) <> 0 OR effect = 'close' OR dir LIKE 'Close%')
  AND {of_account()}
  AND (:until IS NULL OR 1000 * ts_ms <= :until) AND (:known_by IS NULL OR created_at <= :known_by)
""")


def fill_wins(
    conn: Connection,
    account: str | None,
    until: datetime | None = None,
    known_by: datetime | None = None,
) -> FillWins | None:
    """Return the closing fills; None where no venue says what a fill earned.

    Args:
        account: None for all of them.
        until: leaves out fills after this moment; `known_by` those stored later.
    """
    row = conn.execute(
        _WINS,
        {
            "account": account,
            "until": None if until is None else to_micros(until),
            "known_by": None if known_by is None else to_micros(known_by),
        },
    ).one()
    if not row.closing:
        return None
    return FillWins(row.closing, row.winning, row.winning / row.closing)

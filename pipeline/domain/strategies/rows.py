"""SQL over the runs of strategies."""

from dataclasses import replace
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store.codec import Codec
from afterword.pipeline.domain.fills.accounts import of_account
from afterword.pipeline.domain.strategies.model import StopReason, StrategyRun

_RUN: Final = Codec(StrategyRun, moments=("started_at", "stopped_at"), items=("symbols",))
_INSERT: Final = _RUN.insert("strategy_runs")
_RUNNING = text(f"SELECT {_RUN.columns}, id FROM strategy_runs WHERE status = 'running'")
_LIST = text(f"""
SELECT {_RUN.columns} FROM strategy_runs
WHERE (:at IS NULL OR started_at <= :at) AND (:strategy IS NULL OR strategy = :strategy)
ORDER BY status = 'running' OR coalesce(stopped_at > :at, 0) DESC, id DESC LIMIT :limit
""")
_STOP = text("""
UPDATE strategy_runs SET status = 'stopped', stopped_at = max(:now, started_at),
  stop_reason = :reason, realized_pnl_micro_usd = :pnl
WHERE id = :id AND status = 'running'
""")
_IS_KNOWN = text(f"""
SELECT EXISTS (SELECT 1 FROM accounts WHERE name = :account AND removed_at IS NULL)
  OR EXISTS (SELECT 1 FROM perps_fills WHERE {of_account()})
  OR EXISTS (SELECT 1 FROM closed_trades WHERE {of_account()})
""")


def running(conn: Connection) -> dict[int, StrategyRun]:
    """Return the runs that are not stopped, by row id."""
    return {row.id: _RUN.read(row) for row in conn.execute(_RUNNING)}


def listed(
    conn: Connection, limit: int, strategy: str | None = None, at: datetime | None = None
) -> list[StrategyRun]:
    """Return runs as they were at a moment: those that run, then the newest."""
    values = {
        "at": None if at is None else to_micros(at),
        "strategy": strategy,
        "limit": limit,
    }
    return [_as_known(_RUN.read(row), at) for row in conn.execute(_LIST, values)]


def insert(conn: Connection, run: StrategyRun) -> int:
    """Add a run and return its row id."""
    row_id: int | None = conn.exec_driver_sql(_INSERT, _RUN.write(run)).lastrowid
    assert row_id is not None, "an insert has a row"
    return row_id


def stop(
    conn: Connection, row_id: int, reason: StopReason, now: datetime, pnl: int | None = None
) -> None:
    """End a run.

    Args:
        pnl: what somebody says it brought; micro-USD.
    """
    conn.execute(_STOP, {"id": row_id, "reason": reason, "now": to_micros(now), "pnl": pnl})


def is_known_account(conn: Connection, account: str) -> bool:
    """Return whether there is an account of this name, or trades that are kept under it."""
    return bool(conn.execute(_IS_KNOWN, {"account": account}).scalar_one())


def _as_known(run: StrategyRun, at: datetime | None) -> StrategyRun:
    """Return a run as it was: what ended later was running."""
    if at is None or run.stopped_at is None or run.stopped_at <= at:
        return run
    return replace(
        run, status="running", stopped_at=None, stop_reason=None, realized_pnl_micro_usd=None
    )

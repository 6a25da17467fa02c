"""Start and stop a strategy, as its owner or an agent says."""

from dataclasses import replace

from sqlalchemy import Connection

from afterword.pipeline.clock import iso
from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.accounts import rows as account_rows
from afterword.pipeline.domain.accounts.nudge import ask_for_sync
from afterword.pipeline.domain.memory.audit_log import ChangedRow, record
from afterword.pipeline.domain.memory.checks import check_word, short_repr
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.recorded_trades.model import GivenNumber
from afterword.pipeline.domain.strategies import rows
from afterword.pipeline.domain.strategies.checks import (
    checked_run,
    profit_micro_usd,
    strategy_name,
)
from afterword.pipeline.domain.strategies.model import (
    STOP_REASONS,
    NewStrategyRun,
    StartedRun,
    StopReason,
    StrategyRun,
)
from afterword.pipeline.errors import InvalidInputError, NotFoundError


def start_strategy(by: Writer, new: NewStrategyRun) -> StartedRun:
    """Begin a run; of a strategy that is running, the same again changes nothing.

    Raises:
        InvalidInputError: an argument is wrong; or it is running, with other values.
    """
    checked = checked_run(new, by.clock())
    with writing(by.store) as conn:
        run = replace(checked, started_at=by.clock())
        known = _running(conn, run.strategy)
        if known is not None:
            return StartedRun(_same(known[1], run), is_new=False)
        if run.account is not None and not rows.is_known_account(conn, run.account):
            accepted = "a name that `afterword account ls` or `afterword trades ls` shows, or none"
            raise InvalidInputError("account", "must have trades, or be an account", accepted)
        touched = ChangedRow(rows.insert(conn, run), by.session)
        record(conn, run.started_at, by.actor, "strategy.start", "strategy_runs", [touched])
    return StartedRun(run, is_new=True)


def stop_strategy(
    by: Writer,
    strategy: str,
    reason: StopReason = "user_manual",
    realized_pnl_usd: GivenNumber | None = None,
) -> StrategyRun:
    """End the run of a strategy.

    Args:
        realized_pnl_usd: what it brought; only of a run without an account, whose trades would say
            so.

    Raises:
        NotFoundError: it is not running.
        InvalidInputError: an argument is wrong.
    """
    name = strategy_name(strategy)
    check_word(reason, STOP_REASONS, "reason")
    pnl = None if realized_pnl_usd is None else profit_micro_usd(realized_pnl_usd, "pnl")
    with writing(by.store) as conn:
        known = _running(conn, name)
        if known is None:
            problem = f"strategy: {short_repr(name)} is not running"
            raise NotFoundError(f"{problem}; afterword strategy ls lists those that are")
        row_id, run = known
        if pnl is not None and run.account is not None:
            raise InvalidInputError("pnl", f"follows from the trades of {run.account}", "no pnl")
        now = max(by.clock(), run.started_at)  # a clock may step back; a run does not
        rows.stop(conn, row_id, reason, now, pnl)
        touched = ChangedRow(row_id, by.session, {"reason": reason})
        record(conn, now, by.actor, "strategy.stop", "strategy_runs", [touched])
        if run.account is not None and account_rows.named(conn, run.account) is not None:
            ask_for_sync(conn, now)  # its last trades are at the venue
    return replace(
        run, status="stopped", stopped_at=now, stop_reason=reason, realized_pnl_micro_usd=pnl
    )


def _running(conn: Connection, strategy: str) -> tuple[int, StrategyRun] | None:
    open_runs = rows.running(conn).items()
    return next(((row_id, run) for row_id, run in open_runs if run.strategy == strategy), None)


def _same(known: StrategyRun, run: StrategyRun) -> StrategyRun:
    """Return the run that is open.

    Raises:
        InvalidInputError: it has other values.
    """
    if replace(run, started_at=known.started_at) == known:
        return known
    problem = f"is running since {iso(known.started_at)}, with other markets, capital or account"
    raise InvalidInputError("strategy", problem, "the same values; or stop it first")

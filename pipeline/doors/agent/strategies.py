"""For the program around a model: when strategies run, and what each run brought."""

from dataclasses import dataclass
from datetime import datetime

from afterword.pipeline.clock import iso
from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.fills.money import exact_usd
from afterword.pipeline.domain.memory.checks import check_limit
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.domain.strategies.model import (
    NewStrategyRun,
    ProfitBasis,
    RunResult,
    RunStatus,
    StopReason,
)
from afterword.pipeline.domain.strategies.read import MOST_RUNS, list_runs, runs_of
from afterword.pipeline.domain.strategies.reconcile import reconcile_runs
from afterword.pipeline.domain.strategies.runs import start_strategy, stop_strategy
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.recall.prompts.sanitize import shown_name

Dollars = str | int | float
"""An amount of USD; as text it is kept to the last digit."""


@dataclass(frozen=True, slots=True)
class AgentStrategyRun:
    """One run of a strategy (R3's `strategy_runs`); amounts are exact text, in USD.

    Args:
        stop_reason: None while it runs.
        realized_pnl_usd: what it brought after fees and funding; None where nothing says it.
        basis: what that is known by: the account's round trips, somebody's word, or nothing.
        trips: round trips that it is the sum of; `left_out` are not in it.
    """

    strategy: str
    symbols: tuple[str, ...]
    account: str | None
    allocated_capital_usd: str
    started_at: str
    status: RunStatus
    stopped_at: str | None
    stop_reason: StopReason | None
    realized_pnl_usd: str | None
    basis: ProfitBasis
    trips: int
    left_out: int


def strategies(
    door: Door,
    *,
    running: list[str] | None = None,
    limit: int = 20,
    as_of: datetime | None = None,
) -> list[AgentStrategyRun]:
    """Return the runs of strategies: those that run, then the newest.

    Args:
        running: all strategies that run now, as their platform lists them: open runs of others are
            closed as `other`, unless they began in the last two minutes. None closes nothing.
        limit: most of them, 1 to 200.
        as_of: as they were known at this moment; not with `running`.

    Raises:
        InvalidInputError: an argument is wrong; nothing was closed.
    """
    check_limit(limit, MOST_RUNS)
    if running is not None:
        if as_of is not None:
            raise InvalidInputError("running", "cannot be given with as_of", "one of the two")
        reconcile_runs(door.writer, running)
    with reading(door.store) as conn:
        read_moment(conn, as_of)
        return [_shown(run) for run in list_runs(conn, limit, as_of)]


def strategy_start(
    door: Door,
    strategy: str,
    symbols: list[str],
    allocated_capital_usd: Dollars,
    *,
    account: str | None = None,
) -> AgentStrategyRun:
    """Record that a strategy was enabled; of one that runs, the same again changes nothing.

    Args:
        strategy: the name or id by which it is listed while it runs.
        symbols: the markets it trades, in any written form.
        account: the name its trades are kept under: they say what it brings.

    Raises:
        InvalidInputError: an argument is wrong; or it is running, with other values.
    """
    new = NewStrategyRun(
        strategy=strategy,
        symbols=tuple(symbols),
        allocated_capital_usd=allocated_capital_usd,
        account=account,
    )
    start_strategy(door.writer, new)
    return _newest(door, strategy)


def strategy_stop(
    door: Door,
    strategy: str,
    *,
    reason: StopReason = "user_manual",
    realized_pnl_usd: Dollars | None = None,
) -> AgentStrategyRun:
    """Record that a strategy was disabled, and what it brought if no account says so.

    Raises:
        NotFoundError: it is not running.
        InvalidInputError: an argument is wrong, or its account says what it brought.
    """
    stop_strategy(door.writer, strategy, reason, realized_pnl_usd)
    return _newest(door, strategy)


def _newest(door: Door, strategy: str) -> AgentStrategyRun:
    with reading(door.store) as conn:
        return _shown(runs_of(conn, strategy)[0])


def _shown(run: RunResult) -> AgentStrategyRun:
    pnl = run.realized_pnl_micro_usd
    return AgentStrategyRun(
        strategy=shown_name(run.strategy),
        symbols=tuple(map(shown_name, run.symbols)),
        account=None if run.account is None else shown_name(run.account),
        allocated_capital_usd=exact_usd(run.allocated_capital_micro_usd),
        started_at=iso(run.started_at),
        status=run.status,
        stopped_at=None if run.stopped_at is None else iso(run.stopped_at),
        stop_reason=run.stop_reason,
        realized_pnl_usd=None if pnl is None else exact_usd(pnl),
        basis=run.basis,
        trips=run.trips,
        left_out=run.left_out,
    )

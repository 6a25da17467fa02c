"""One run of a strategy, from when it was enabled until it was disabled."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, NamedTuple, get_args

from afterword.pipeline.domain.recorded_trades.model import GivenNumber

StopReason = Literal[
    "user_manual",
    "insufficient_balance",
    "drawdown_protection",
    "liquidated",
    "strategy_expired",
    "other",
]
"""Why a run ended (R3); `other` where nobody said, as for a run that was found ended."""

STOP_REASONS: Final = get_args(StopReason)

RunStatus = Literal["running", "stopped"]

ProfitBasis = Literal["trips", "given", "unknown"]
"""What a profit is known by: the account's round trips, somebody's word, or nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewStrategyRun:
    """A run that begins now.

    Args:
        strategy: the name or id by which it is listed while it runs.
        symbols: the markets it trades, in any written form.
        allocated_capital_usd: above 0.
        account: the name its trades are kept under; None if they are not.
    """

    strategy: str
    symbols: tuple[str, ...]
    allocated_capital_usd: GivenNumber
    account: str | None = None


@dataclass(frozen=True, slots=True)
class StrategyRun:
    """A run; moments are aware UTC.

    Args:
        stopped_at: None while it runs; `stop_reason` likewise.
        realized_pnl_micro_usd: what somebody said it brought; None of a run with an account, whose
            trades say so.
    """

    strategy: str
    symbols: tuple[str, ...]
    account: str | None
    allocated_capital_micro_usd: int
    started_at: datetime
    status: RunStatus = "running"
    stopped_at: datetime | None = None
    stop_reason: StopReason | None = None
    realized_pnl_micro_usd: int | None = None


class StartedRun(NamedTuple):
    """What starting a strategy did.

    Args:
        is_new: False if it was running already, with the same values.
    """

    run: StrategyRun
    is_new: bool


@dataclass(frozen=True, slots=True)
class RunResult(StrategyRun):
    """A run, and what it brought as far as that is known: `realized_pnl_micro_usd`, after fees.

    Args:
        basis: what the profit is known by.
        trips: round trips that it is the sum of; count.
        left_out: trips that are not in it: fills of theirs are missing, or they are not in dollars.
    """

    basis: ProfitBasis = "unknown"
    trips: int = 0
    left_out: int = 0

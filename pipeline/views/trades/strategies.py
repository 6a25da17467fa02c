"""When strategies ran, and what each run brought."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from afterword.pipeline.domain.strategies.model import (
    RunResult,
    StartedRun,
    StrategyRun,
)
from afterword.pipeline.rules.market.decimals import plain
from afterword.pipeline.views.blocks import Block, Fields, Paragraph, Section, Table, View
from afterword.pipeline.views.numbers import count, usd
from afterword.pipeline.views.words import moment, one_line, shorten

_CENT_MICRO_USD: Final = 10_000
_COLUMNS: Final = ("strategy", "markets", "capital", "started", "stopped", "state", "profit")


def strategy_list(runs: Sequence[RunResult], closed: int) -> View:
    """Return runs below each other.

    Args:
        closed: runs that were found ended; count.
    """
    blocks: list[Block] = [Table(_COLUMNS, list(map(_row, runs)), "no strategy ran yet")]
    if closed:
        words = "was closed: it does" if closed == 1 else "were closed: they do"
        blocks.append(Paragraph(f"{count(closed, 'run')} {words} not run any more."))
    return View(blocks)


def strategy_page(runs: Sequence[RunResult]) -> View:
    """Return the runs of one strategy, each with what its profit is known by."""
    return View([Section("", [Fields(_fields(run))]) for run in runs])


def strategy_started(started: StartedRun) -> View:
    """Return what starting a strategy did."""
    run = started.run
    state = "runs from now on" if started.is_new else f"runs since {moment(run.started_at)}"
    return View([Paragraph(f"{_name(run)} {state}, with {_capital(run)} in {_markets(run)}.")])


def strategy_stopped(run: RunResult) -> View:
    """Return how a run ended."""
    ended = f"{_name(run)} is stopped ({run.stop_reason})."
    return View([Paragraph(f"{ended} {_profit_words(run)}")])


def _row(run: RunResult) -> list[str]:
    stopped = "" if run.stopped_at is None else moment(run.stopped_at)
    state = run.status if run.stop_reason is None else f"{run.status}: {run.stop_reason}"
    profit = usd(run.realized_pnl_micro_usd)
    moments = moment(run.started_at), stopped
    return [_name(run), _markets(run), _capital(run), *moments, state, profit]


def _fields(run: RunResult) -> dict[str, str]:
    fields = {
        "strategy": _name(run),
        "markets": _markets(run),
        "account": "none" if run.account is None else one_line(run.account),
        "allocated capital": _capital(run),
        "started": moment(run.started_at),
    }
    if run.stopped_at is not None:
        fields["stopped"] = f"{moment(run.stopped_at)}, {run.stop_reason}"
    return fields | {"profit": _profit_words(run)}


def _profit_words(run: RunResult) -> str:
    brought = f"It brought {usd(run.realized_pnl_micro_usd)}"
    if run.basis == "given":
        return f"{brought}, as was said when it stopped."
    if run.account is None:
        return "Nobody said what it brought, and it names no account whose trades would say so."
    account = one_line(run.account)
    if run.basis == "unknown":
        said = f"No trip of {account} that was entered while it ran can be counted yet."
    else:
        said = f"{brought} by {count(run.trips, 'round trip')} of {account} entered while it ran."
    if not run.left_out:
        return said
    why = "fills of theirs are missing, or they are not in dollars"
    return f"{said} {count(run.left_out, 'trip')} cannot be counted: {why}."


def _name(run: StrategyRun) -> str:
    return one_line(run.strategy)


def _markets(run: StrategyRun) -> str:
    return shorten(", ".join(run.symbols), 60)


def _capital(run: StrategyRun) -> str:
    """Return what a run may use; less than a cent is told exactly, since it is not nothing."""
    micro_usd = run.allocated_capital_micro_usd
    if 0 < micro_usd < _CENT_MICRO_USD:
        return f"${plain(Decimal(micro_usd).scaleb(-6))}"
    return usd(micro_usd)

"""The steps of the demo, and their report."""

import json
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from afterword.pipeline.clock import Clock, Monotonic
from afterword.pipeline.core.jobs.inspect import open_jobs, totals
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.edges import rows as edge_rows
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.history.import_fills import import_fills
from afterword.pipeline.domain.memory import rows as memory_rows
from afterword.pipeline.domain.trips.chain import chain_fills
from afterword.pipeline.domain.trips.round_trips import round_trips
from afterword.pipeline.domain.venues.hyperliquid_api import parse_fills
from afterword.pipeline.doors.cli.progress import Told
from afterword.pipeline.errors import UnavailableError
from afterword.pipeline.ids import IdSource
from afterword.schedules.demo.decided import DecisionStory, decide
from afterword.schedules.demo.learnt import TradesStory, learn_demo
from afterword.schedules.demo.methods import MethodsStory, try_methods
from afterword.schedules.demo.prices import demo_bars
from afterword.schedules.demo.recalled import (
    DemoAnswer,
    answer_questions,
    next_prompt,
    store_entries,
)
from afterword.schedules.demo.replayed import ReplayStory, replay_year
from afterword.schedules.demo.taught import TaughtStory, go_through_turns, later_turn
from afterword.schedules.demo.trades import demo_fills
from afterword.schedules.demo.weighed import RecordStory, weigh_record
from afterword.schedules.up import Up

NOW: Final = datetime(2013, 3, 2, tzinfo=UTC)
"""The clock of the demo: one day after its last price, so that its page is always the same."""

ACCOUNT: Final = "demo"

FILLS_FILE: Final = "demo-fills.json"
"""Name of the file with the fills in the demo's home, to try `afterword history import`."""

JOBS_TIMEOUT_S: Final = 90.0
"""Longest wait for the jobs; seconds."""


@dataclass(frozen=True, slots=True)
class Trades:
    """The trades that were imported.

    Args:
        fills: executions; count.
        round_trips: positions that were opened and closed; count.
        won: round trips with a profit after fees; count.
        net_micro_usd: profit of all round trips after fees; micro-USD.
    """

    fills: int
    round_trips: int
    won: int
    net_micro_usd: int


@dataclass(frozen=True, slots=True)
class Report:
    """The results of the demo.

    Args:
        first_day, last_day: first and last day of the prices.
        jobs: runs by outcome; count.
        edges: edges from memories to entities; count.
        prompt: the brief of the agent's next session.
        taught: what two of its turns taught.
        learnt: what its trades show.
        replay: what a replay of the prices came to.
    """

    home: Path
    assets: tuple[str, ...]
    first_day: str
    last_day: str
    trades: Trades
    memories: int
    jobs: dict[str, int]
    edges: int
    answers: tuple[DemoAnswer, ...]
    decision: DecisionStory
    record: RecordStory
    methods: MethodsStory
    prompt: str
    taught: TaughtStory
    learnt: TradesStory
    replay: ReplayStory


def run_demo(up: Up, on_progress: Told, stopwatch: Monotonic, ids: IdSource) -> Report:
    """Judge a decision, import trades, replay a year, run every job, ask, read the next prompt.

    Args:
        up: not started yet; its clock shows `NOW`.

    Raises:
        UnavailableError: the prices are missing, or the jobs do not end.
    """
    context = up.context
    home, clock = context.settings.home, context.runtime.clock
    bars, raw_fills = demo_bars(), demo_fills()
    store = context.stores.group(context.settings.group, create=True)
    methods = try_methods(store, context.decisions.roles, clock, ids)
    decision = decide(store, context.decisions.roles, ids)
    weighed = weigh_record(store, context.decisions.roles, clock, ids)
    (home / FILLS_FILE).write_text(json.dumps(raw_fills, indent=1) + "\n")
    trades = _import_trades(store, parse_fills(raw_fills, ACCOUNT, FILLS_FILE), clock, ids)
    store_entries(store, clock, ids)
    go_through_turns(store, clock, ids)
    replayed = replay_year(context.stores, clock(), on_progress)
    up.start()
    _wait_for_jobs(up, store, on_progress, stopwatch)
    with reading(store) as conn:
        jobs: dict[str, int] = {}
        for total in totals(conn):
            jobs[total.outcome] = jobs.get(total.outcome, 0) + total.jobs
        memories, edges = memory_rows.count(conn), edge_rows.count(conn)
    return Report(
        home=home,
        assets=tuple(sorted(bars)),
        first_day=min(days[0].day for days in bars.values()).isoformat(),
        last_day=max(days[-1].day for days in bars.values()).isoformat(),
        trades=trades,
        memories=memories,
        jobs=jobs,
        edges=edges,
        answers=answer_questions(store),
        decision=decision,
        record=weighed,
        methods=methods,
        prompt=next_prompt(store, clock, ids),
        taught=later_turn(store, clock, ids),
        learnt=learn_demo(home, store, context.stores, context.settings, clock, ids),
        replay=replayed,
    )


def _import_trades(store: Store, fills: list[Fill], clock: Clock, ids: IdSource) -> Trades:
    imported = import_fills(store, fills, clock, ids)
    nets = [
        trip.net_micro_usd for chain in chain_fills(fills) for trip in round_trips(chain).closed
    ]
    won = sum(net > 0 for net in nets)
    return Trades(imported.fills_new, imported.trips_new, won, sum(nets))


def _wait_for_jobs(up: Up, store: Store, on_progress: Told, stopwatch: Monotonic) -> None:
    """Wait until no job is open."""
    started = stopwatch()
    most = left = _open_jobs(store)
    while left:
        if stopwatch() - started > JOBS_TIMEOUT_S or not up.is_alive():
            raise UnavailableError(
                f"{left} jobs did not end; list them with "
                f"`afterword --home {up.context.settings.home} jobs ls`"
            )
        time.sleep(0.01)
        left = _open_jobs(store)
        on_progress("jobs", most - left, most)


def _open_jobs(store: Store) -> int:
    with reading(store) as conn:
        return open_jobs(conn)

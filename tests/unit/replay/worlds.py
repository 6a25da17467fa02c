"""Files of made prices, and replays of them, for the tests of this folder."""

import gzip
import json
import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import Store, Stores
from afterword.pipeline.domain.reflection.heuristic import HeuristicJudge
from afterword.pipeline.domain.reflection.judge import DecisionJudge
from afterword.pipeline.operations.replay.model import ReplayStatus
from afterword.pipeline.operations.replay.plan import ReplayPlan
from afterword.pipeline.operations.replay.prepare import prepare_replay
from afterword.pipeline.operations.replay.read_inputs import read_inputs
from afterword.pipeline.operations.replay.run import roles_for, run_replay

BEGIN = datetime(2024, 1, 1, tzinfo=UTC)
NOW = datetime(2026, 1, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)


def price_file(
    folder: Path,
    symbol: str = "SOLUSDT",
    days: int = 45,
    seed: int = 1,
    hours: int = 4,
    differs_on: int | None = None,
) -> Path:
    """Write a walk of prices from `BEGIN` on; a longer one begins like a shorter one.

    Args:
        differs_on: a day on which the price falls by a tenth, and stays there.
    """
    chance, close = random.Random(f"{symbol} {seed}"), 100.0
    differs_on_hour = -1 if differs_on is None else differs_on * 24
    lines = ["t_open_ms,open,high,low,close,volume"]
    for number in range(days * 24 // hours):
        first, close = close, close * (1 + chance.gauss(0, 0.012))
        if number * hours == differs_on_hour:
            close *= 0.9
        high, low = max(first, close) * 1.002, min(first, close) * 0.998
        opened = to_micros(BEGIN + number * hours * HOUR) // 1000
        lines.append(f"{opened},{first:.4f},{high:.4f},{low:.4f},{close:.4f},1")
    path = folder / f"{symbol}_2024_{hours}h.csv.gz"
    folder.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress("\n".join([*lines, ""]).encode()))
    return path


def fill(
    number: int, coin: str, at: datetime, px: str, held: int, move: int, pnl: str = "0.0"
) -> dict[str, object]:
    """Return a fill as Hyperliquid's API has it.

    Args:
        number: its id.
        held: units before it, negative for a short; `move` how many it adds or takes.
        pnl: what the closed part earned before fees, as the venue states it.
    """
    return {
        "coin": coin,
        "px": px,
        "sz": str(abs(move)),
        "side": "B" if move > 0 else "A",
        "time": to_micros(at) // 1000,
        "startPosition": str(held),
        "dir": "Open Long" if move > 0 else "Close Long",
        "closedPnl": pnl,
        "hash": f"0x{number:064x}",
        "oid": number,
        "crossed": True,
        "fee": "0.1",
        "tid": number,
        "feeToken": "USDC",
    }


def trader(hours: int, coins: Sequence[str] = ("SOL",), seed: int = 1) -> list[dict[str, object]]:
    """Return the fills of a trader who buys ten minutes past each hour, and sells at twenty to."""
    chance, found = random.Random(seed), []
    prices = dict.fromkeys(coins, 100.0)
    for half in range(2 * hours):
        for coin in coins:
            prices[coin] *= 1 + chance.gauss(0, 0.012)
            at, held = BEGIN + half * HOUR / 2 + HOUR / 6, half % 2
            px = f"{prices[coin]:.4f}"
            found.append(fill(len(found) + 1, coin, at, px, held, -1 if held else 1))
    return found


def export_of(fills: Sequence[dict[str, object]], path: Path) -> Path:
    """Write fills as an export."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(fills))
    return path


def plan_of(*prices: Path, **parts: object) -> ReplayPlan:
    """Return a plan of two rules that decide each day, and are judged after a day."""
    rules = (("momentum", '{"lookback_hours": 96}'), ("breakout", '{"lookback_hours": 96}'))
    plan = ReplayPlan(prices=prices, rules=rules, horizon_hours=24, placebos=False)  # type: ignore[arg-type]
    return replace(plan, **parts)  # type: ignore[arg-type]


def prepared(stores: Stores, name: str, plan: ReplayPlan) -> Store:
    """Make a replay that has not begun."""
    store = stores.replay(name, create=True)
    inputs = read_inputs(plan, NOW, lambda *_: None)
    prepare_replay(store, roles_for(stores.home, plan.horizon_hours), plan, inputs, lambda *_: None)
    return store


def replayed(
    stores: Stores,
    name: str,
    plan: ReplayPlan,
    slice_days: int = 30,
    judge: DecisionJudge | None = None,
) -> ReplayStatus:
    """Make a replay, and run it to its end."""
    store = prepared(stores, name, plan)
    return gone_on(stores, store, plan, slice_days, judge)


def gone_on(
    stores: Stores,
    store: Store,
    plan: ReplayPlan,
    slice_days: int = 30,
    judge: DecisionJudge | None = None,
) -> ReplayStatus:
    """Run a prepared replay to its end."""
    registry = roles_for(stores.home, plan.horizon_hours)
    return run_replay(store, registry, judge or HeuristicJudge(), lambda _: None, slice_days)


def rows_of(store: Store, tables: Sequence[str]) -> dict[str, list[tuple[object, ...]]]:
    """Return all rows of tables, with their moments and numbers."""
    from afterword.pipeline.core.store import reading

    with reading(store) as conn:
        return {
            table: [tuple(row) for row in conn.exec_driver_sql(f"SELECT * FROM {table}")]
            for table in tables
        }

"""The speed of a replay: the whole loop over 100,000 decisions, beside the bare rows it writes.

Three rules and their placebos decide each day on sixteen made markets; each decision is measured
over six windows, judged, counted for its method, and audited. Processor time counts, since the
promise is about one idle core. Twice the time must take about twice as long.
"""

import gzip
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import Store, StoreOptions, Stores, reading
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.domain.reflection.heuristic import HeuristicJudge
from afterword.pipeline.operations.replay.ids import DerivedIds
from afterword.pipeline.operations.replay.loop import SliceReport
from afterword.pipeline.operations.replay.model import ReplayStatus
from afterword.pipeline.operations.replay.plan import ReplayPlan
from afterword.pipeline.operations.replay.prepare import prepare_replay
from afterword.pipeline.operations.replay.read_inputs import read_inputs
from afterword.pipeline.operations.replay.run import roles_for, run_replay, status_of
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.timing import Spent, spent

MARKETS: Final = (
    *("BTC", "ETH", "SOL", "DOGE", "AVAX", "LINK", "UNI", "AAVE"),
    *("LTC", "XRP", "BCH", "SUI", "PEPE", "DOT", "ATOM", "NEAR"),
)
BEGIN: Final = datetime(2020, 1, 1, tzinfo=UTC)
NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)
RULES: Final = (("momentum", "{}"), ("mean_reversion", "{}"), ("breakout", "{}"))

COPIED: Final = ("role_memory", "outcomes")
"""What the floor writes: the decisions with their verdicts, and their outcomes."""

A_WRITE: Final = 1_000
"""Rows of one transaction of the floor."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """A replay that has ended.

    Args:
        prepared, ran: what reading and keeping the inputs took, and what the loop took.
        outcomes: how many were measured.
    """

    status: ReplayStatus
    prepared: Spent
    ran: Spent
    passes: int
    outcomes: int

    @property
    def cpu_s(self) -> float:
        """What all of it took; seconds of processor time."""
        return self.prepared.cpu_s + self.ran.cpu_s


def ask(days: int, slice_days: int) -> Answer:
    """Replay half the time and the whole, and write the rows of the whole without the loop."""
    with TemporaryDirectory() as folder, _stores(Path(folder)) as stores:
        half = _replayed(stores, "half", days // 2, slice_days)
        whole = _replayed(stores, "whole", days, slice_days)
        floor = _copied(stores.replay("whole"), Path(folder, "floor.sqlite"))
    outcomes = whole.outcomes
    return Answer(
        "replay",
        {
            "cpu_s_for_600000_outcomes": whole.cpu_s / outcomes * 600_000,
            "cpu_s": whole.cpu_s,
            "prepare_cpu_s": whole.prepared.cpu_s,
            "run_s": whole.ran.wall_s,
            "run_cpu_ms_a_pass": whole.ran.cpu_s * 1000 / whole.passes,
            "events_per_cpu_s": whole.status.events / whole.ran.cpu_s,
            "growth_per_outcome": whole.cpu_s / outcomes / (half.cpu_s / half.outcomes),
        },
        {
            "cpu_s_for_600000_outcomes": Target(at_most=60),
            "growth_per_outcome": Target(at_most=1.25),
        },
        {"bare_rows_cpu_s": floor.cpu_s, "bare_rows_s": floor.wall_s},
        {
            "days": days,
            "passes": whole.passes,
            "decisions": whole.status.recorded,
            "outcomes": outcomes,
            "events": whole.status.events,
            "slice_days": slice_days,
        },
    )


@contextmanager
def _stores(home: Path) -> Iterator[Stores]:
    stores = Stores(home, StoreOptions("NORMAL"), lambda: NOW, DerivedIds(1))
    try:
        yield stores
    finally:
        stores.close()


def _replayed(stores: Stores, name: str, days: int, slice_days: int) -> Replayed:
    """Make a replay over files of made prices, and run it to its end."""
    files = [_price_file(stores.home / name, market, days) for market in MARKETS]
    plan = ReplayPlan(prices=tuple(files), rules=RULES, horizon_hours=24)
    registry = roles_for(stores.home, plan.horizon_hours)
    store = stores.replay(name, create=True)
    slices: list[SliceReport] = []

    def prepare() -> None:
        inputs = read_inputs(plan, NOW, lambda *_: None)
        prepare_replay(store, registry, plan, inputs, lambda *_: None)

    def run() -> None:
        run_replay(store, registry, HeuristicJudge(), slices.append, slice_days)

    prepared, ran = spent(prepare), spent(run)
    outcomes, passes = (
        sum(getattr(one, name) for one in slices) for name in ("outcomes", "passes")
    )
    found = Replayed(status_of(store), prepared, ran, passes, outcomes)
    took = f"prepared in {prepared.cpu_s:.1f} s, ran in {ran.cpu_s:.1f} s"
    note(f"{name}: {took}, state {found.status.state_hash}")
    return found


def _price_file(folder: Path, market: str, days: int) -> Path:
    """Write an hourly walk of prices."""
    chance, close = Random(market), 100.0
    lines = ["t_open_ms,open,high,low,close,volume"]
    opened = to_micros(BEGIN) // 1000
    for hour in range(days * 24):
        first, close = close, close * (1 + chance.gauss(0, 0.006))
        high, low = max(first, close) * 1.002, min(first, close) * 0.998
        lines.append(f"{opened + hour * 3_600_000},{first:.4f},{high:.4f},{low:.4f},{close:.4f},1")
    folder.mkdir(exist_ok=True)
    path = folder / f"{market}USDT_1h.csv.gz"
    path.write_bytes(gzip.compress("\n".join([*lines, ""]).encode()))
    return path


def _copied(store: Store, path: Path) -> Spent:
    """Write the decisions and outcomes of a replay to a bare file, each row hashed."""
    with reading(store) as conn:
        tables = {name: conn.exec_driver_sql(f"SELECT * FROM {name}").fetchall() for name in COPIED}
    with closing(dbapi.connect(str(path), isolation_level=None)) as bare:
        bare.execute("PRAGMA journal_mode = WAL")
        bare.execute("PRAGMA synchronous = NORMAL")
        return spent(lambda: _write_all(bare, tables))


def _write_all(bare: Any, tables: Mapping[str, Sequence[Sequence[Any]]]) -> None:
    for name, rows in tables.items():
        _write(bare, name, rows)


def _write(bare: Any, name: str, rows: Sequence[Sequence[Any]]) -> None:
    places = ", ".join("?" * len(rows[0]))
    bare.execute(f"CREATE TABLE {name} ({', '.join(f'c{one}' for one in range(len(rows[0])))})")
    digest = hashlib.sha256()
    for begin in range(0, len(rows), A_WRITE):
        part = [tuple(row) for row in rows[begin : begin + A_WRITE]]
        bare.execute("BEGIN IMMEDIATE")
        bare.executemany(f"INSERT INTO {name} VALUES ({places})", part)
        bare.execute("COMMIT")
        for row in part:
            digest.update(repr(row).encode())


if __name__ == "__main__":
    answers(
        ask,
        days=(int, 1_096, "days of made prices; 1,096 days are 100,000 decisions"),
        slice_days=(int, 90, "simulated days of one transaction"),
    )

"""The speed of outcomes: from memory, through the store, and by the command `role reflect`.

Six windows a decision; a third of the decisions has a stop and a target. Processor time counts,
since the promises are about one idle core; on a busy machine compare with the floor of the same
run. What is measured month by month, as prices come, must
equal what is measured of everything at once.
"""

import os
import subprocess
import sys
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Any, Final

import numpy as np

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.jobs.claim import claim
from afterword.pipeline.core.jobs.lease import lease
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.domain.decisions import due_rows
from afterword.pipeline.domain.decisions.area import MEASURE_OUTCOMES
from afterword.pipeline.domain.decisions.measure_outcomes import (
    MEASURE_BATCH,
    measure_due,
    measure_outcomes,
)
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.record import MAX_DECISIONS, record_decisions
from afterword.pipeline.domain.outcomes.measure import USUAL_COSTS, OutcomeMeasurer
from afterword.pipeline.domain.outcomes.model import LADDER_HOURS, MeasuredOutcome, Subject
from afterword.pipeline.domain.prices.book import PriceBook
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.domain.prices.keep import keep_bars
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.skills import Manual, RoleRegistry
from afterword.pipeline.ids import seeded_uids
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.rules.market.exact import PPB, ppb_of, rounded
from afterword.pipeline.rules.market.outcome import STANCES
from afterword.pipeline.rules.market.windows import HOUR_US
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.roles import HOUR, role_of, skill_of
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.host import Host, a_host
from benchmarks.reflections import prepare
from benchmarks.timing import Spent, spent

ASSETS: Final = ("BTC", "ETH", "SOL", "DOGE", "AVAX", "LINK", "UNI", "AAVE")
BEGIN: Final = datetime(2023, 1, 1, tzinfo=UTC)
DAY: Final = 24 * HOUR
DAYS: Final = 2 * 365
WARM: Final = 30
"""Days of prices before the first decision."""

END: Final = BEGIN + DAYS * DAY
MONTH: Final = 30
ROLE: Final = role_of("bench.words", Manual(), min_age_hours=0)
"""No price judges it, so that the job measures all windows."""

REGISTRY: Final = RoleRegistry([skill_of(ROLE)])

COSTS: Final = ppb_of(USUAL_COSTS.round_trip)

_WITHOUT: Final = ("id", "known_at")
"""Columns that depend on when something was measured."""


def ask(decisions: int, stored: int, checked: int, reflected: int) -> Answer:
    """Measure from memory, through the store and by the command, and compare live with a replay."""
    chance = Random(20_230_101)
    prices = _prices(chance)
    subjects = _subjects(chance, prices, decisions)
    first = _first_read(prices)
    memory = _from_memory(prices, subjects)
    job, rows = _through_the_store(prices, subjects[: min(stored, decisions)])
    command = _by_the_command(reflected)
    looked, bare = _looked_up(prices, subjects), _bare_outcomes(prices, subjects)
    inserted = _inserted(rows)
    each = reflected / 100_000
    return Answer(
        "outcomes",
        {
            "memory_decisions_per_cpu_s": decisions / memory.cpu_s,
            "memory_decisions_per_s": decisions / memory.wall_s,
            "first_read_cpu_ms_a_series": 1000 * first.cpu_s / len(ASSETS),
            "store_decisions_per_cpu_s": stored / job.cpu_s,
            "store_decisions_per_s": stored / job.wall_s,
            "reflect_cpu_s": command.cpu_s,
            "reflect_s": command.wall_s,
            "live_differs": _differences(prices, _subjects(chance, prices, checked)),
        },
        targets={
            "memory_decisions_per_cpu_s": Target(at_least=15_000),
            "store_decisions_per_cpu_s": Target(at_least=5_000),
            "reflect_cpu_s": Target(at_most=60 * each),
            "live_differs": Target(at_most=0),
        },
        floor={
            "numpy_look_ups_decisions_per_cpu_s": decisions / looked.cpu_s,
            "bare_python_decisions_per_cpu_s": decisions / bare.cpu_s,
            "bare_inserts_decisions_per_cpu_s": stored / inserted.cpu_s,
            "bare_inserts_decisions_per_s": stored / inserted.wall_s,
        },
        sizes={
            "decisions": decisions,
            "stored": stored,
            "checked": checked,
            "reflected": reflected,
            "windows": len(LADDER_HOURS),
            "bars": len(ASSETS) * DAYS * 24,
        },
    )


def _prices(chance: Random) -> PriceBook:
    """Return hourly walks of two years, each bar with a range of its own."""
    bars: dict[Series, list[Bar]] = {}
    for asset in ASSETS:
        close, made = 100.0, []
        for hour in range(24 * DAYS):
            first, close = close, close * (1 + chance.gauss(0, 0.006))
            high = max(first, close) * (1 + abs(chance.gauss(0, 0.002)))
            low = min(first, close) * (1 - abs(chance.gauss(0, 0.002)))
            made.append(_bar(hour, first, high, low, close))
        bars[Series("bench", f"{asset}USDT", HOUR)] = made
    return PriceBook(bars)


def _bar(hour: int, *prices: float) -> Bar:
    first, high, low, close = (Decimal(f"{price:.4f}") for price in prices)
    return Bar(BEGIN + hour * HOUR, HOUR, first, high, low, close, Decimal(0))


def _subjects(chance: Random, prices: PriceBook, number: int) -> list[Subject]:
    """Return decisions whose longest window ends before the prices do, by asset and moment."""
    minutes = (DAYS - WARM) * 24 * 60 - LADDER_HOURS[-1] * 60 - 60
    found = []
    for _ in range(number):
        at = BEGIN + WARM * DAY + timedelta(minutes=chance.randrange(minutes))
        found.append(_subject(chance, prices, chance.choice(ASSETS), at))
    ordered = sorted(found, key=lambda one: (one.asset, one.decided_at))
    return [one._replace(id=row_id) for row_id, one in enumerate(ordered, start=1)]


def _subject(chance: Random, prices: PriceBook, asset: str, at: datetime) -> Subject:
    stance = chance.choice(STANCES)
    one = Subject("decision", 0, asset, stance, at)
    if stance == "neutral" or chance.random() < 0.5:
        return one
    (series,) = prices.series(asset)
    bar = prices.close_at(series, at, at)
    assert bar is not None
    below, above = (round(bar.close * Decimal(share), 4) for share in ("0.97", "1.05"))
    stop, target = (below, above) if stance == "long" else (above, below)
    return one._replace(stop_price=stop, target_price=target)


def _first_read(prices: PriceBook) -> Spent:
    """Count the windows of each series, as its first decision does; the bars are read already."""
    records = [prices.record(*prices.series(asset)) for asset in ASSETS]

    def count() -> None:
        for record in records:
            for hours in LADDER_HOURS:
                record.window(hours * HOUR_US, COSTS).as_of("long", to_micros(END))

    took = spent(count)
    note(f"first read of {len(records)} series: {_told(took)}")
    return took


def _bare_outcomes(prices: PriceBook, subjects: Sequence[Subject]) -> Spent:
    """Only find the exits, divide eight times, and make the tuple: one by one, as Python can."""
    ladders = {asset: prices.record(*prices.series(asset)).ladder for asset in ASSETS}
    blank = (None,) * (len(MeasuredOutcome._fields) - 9)

    def measure() -> None:
        for subject in subjects:
            ladder, decided = ladders[subject.asset], to_micros(subject.decided_at)
            closed, closes = ladder.closed, ladder.closes
            price = closes[bisect_left(closed, decided)]
            for hours in LADDER_HOURS:
                last = bisect_left(closed, decided + hours * HOUR_US)
                moves = [rounded((closes[last] - price) * PPB, price) for _ in range(8)]
                MeasuredOutcome._make((hours, *moves, *blank))

    return spent(measure)


def _from_memory(prices: PriceBook, subjects: Sequence[Subject]) -> Spent:
    """Measure all, some hundred at a time as the job does; the counts of the markets are there."""
    measurer = OutcomeMeasurer(prices, END)
    for one in {subject.asset: subject for subject in reversed(subjects)}.values():
        measurer.over(one, LADDER_HOURS)

    def measure() -> None:
        for start in range(0, len(subjects), MEASURE_BATCH):
            for one in subjects[start : start + MEASURE_BATCH]:
                found = measurer.over(one, LADDER_HOURS)
                assert len(found) == len(LADDER_HOURS)

    took = spent(measure)
    note(f"{len(subjects):,} decisions from memory: {_told(took)}")
    return took


def _looked_up(prices: PriceBook, subjects: Sequence[Subject]) -> Spent:
    """Only find entries and exits, and take differences of running sums: all markets at once."""
    by_asset = {
        asset: np.array([to_micros(one.decided_at) for one in subjects if one.asset == asset])
        for asset in ASSETS
    }
    ladders = {asset: prices.record(*prices.series(asset)).ladder for asset in ASSETS}
    closed = {asset: np.array(one.closed) for asset, one in ladders.items()}
    closes = {asset: np.array(one.closes) for asset, one in ladders.items()}
    squares = {asset: np.array(one.squares, dtype=float) for asset, one in ladders.items()}

    def look_up() -> None:
        for asset, decided in by_asset.items():
            entry = np.searchsorted(closed[asset], decided, side="right") - 1
            first = np.searchsorted(closed[asset], decided - ladders[asset].lookback)
            np.sqrt(squares[asset][entry] - squares[asset][first])
            for hours in LADDER_HOURS:
                last = np.searchsorted(closed[asset], decided + hours * HOUR_US, side="right") - 1
                closes[asset][last] / closes[asset][entry] - 1

    return spent(look_up)


def _through_the_store(
    prices: PriceBook, subjects: Sequence[Subject]
) -> tuple[Spent, Sequence[Sequence[Any]]]:
    """Record all, and run the job until nothing is due; return also what it wrote."""
    with _a_store() as (host, clock):
        clock.set(END)
        _keep_until(host.store, prices, BEGIN, clock)
        for start in range(0, len(subjects), MAX_DECISIONS):
            _record(host.store, subjects[start : start + MAX_DECISIONS], clock)
        took = spent(lambda: _run_job(host.store, clock))
        note(f"{len(subjects):,} decisions through the store: {_told(took)}")
        return took, _outcomes(host.store, MeasuredOutcome._fields)


def _run_job(store: Store, clock: Clock) -> None:
    """Run the job `measure_outcomes` as a worker does, again until nothing is due."""
    with writing(store) as conn:
        add(conn, MEASURE_OUTCOMES, {}, clock())
    while True:
        with writing(store) as conn:
            ids = [row.id for row in claim(conn, MEASURE_OUTCOMES.name, 1, clock())]
            leases = lease(conn, ids, "bench", clock, MEASURE_OUTCOMES)
        if not ids:
            return
        measure_outcomes(store, leases, REGISTRY, StoredPrices, clock, lambda *_: None)


def _inserted(rows: Sequence[Sequence[Any]]) -> Spent:
    """Insert the same rows by bare SQL, as many in a transaction, with what the driver offers."""
    with _a_store() as (host, _):
        conn = dbapi.connect(str(host.store.path), isolation_level=None)
        names, places = ", ".join(MeasuredOutcome._fields), ", ".join("?" * len(rows[0]))
        each = MEASURE_BATCH * len(LADDER_HOURS)

        def insert() -> None:
            for start in range(0, len(rows), each):
                conn.execute("BEGIN IMMEDIATE")
                line = f"INSERT INTO outcomes ({names}) VALUES ({places})"
                conn.executemany(line, rows[start : start + each])
                conn.execute("COMMIT")

        took = spent(insert)
        conn.close()
        return took


def _by_the_command(decisions: int) -> Spent:
    """Let `afterword role reflect` judge decisions of 250 days, and measure what else is due."""
    with a_host("NORMAL", fleet=False) as host:
        prepare(host.store, host.home, decisions, roles=4)
        note(f"{decisions:,} decisions are recorded")
        command = [sys.executable, "-m", "afterword", "--home", str(host.home), "role", "reflect"]
        env = os.environ | {"AFTERWORD_SYNCHRONOUS": "NORMAL"}
        took = spent(
            lambda: subprocess.run(command, env=env, check=True, stdout=subprocess.DEVNULL)
        )
        with reading(host.store) as conn:
            measured = sum(number for _, number in due_rows.ever_measured(conn))
        note(f"role reflect: {measured:,} outcomes of {decisions:,} decisions, {_told(took)}")
        return took


def _differences(prices: PriceBook, subjects: Sequence[Subject]) -> int:
    """Return how many outcomes differ if prices come month by month, and if all are there."""
    ordered = sorted(subjects, key=lambda one: one.decided_at)
    columns = [name for name in MeasuredOutcome._fields if name not in _WITHOUT]
    with _a_store() as (live, clock):
        for day in range(MONTH, DAYS + MONTH, MONTH):
            since, until = clock(), min(BEGIN + day * DAY, END)
            clock.set(until)
            _keep_until(live.store, prices, since, clock)
            _record(live.store, [one for one in ordered if since <= one.decided_at < until], clock)
            _measure(live.store, clock)
        found = _outcomes(live.store, columns)
    with _a_store() as (replay, clock):
        clock.set(END)
        _keep_until(replay.store, prices, BEGIN, clock)
        _record(replay.store, ordered, clock)
        _measure(replay.store, clock)
        expected = _outcomes(replay.store, columns)
    note(f"{len(expected):,} outcomes live and in a replay")
    return len({*found} ^ {*expected}) + abs(len(subjects) * len(LADDER_HOURS) - len(expected))


def _measure(store: Store, clock: Clock) -> None:
    measure_due(store, REGISTRY, StoredPrices, clock, lambda *_: None)


@contextmanager
def _a_store() -> Iterator[tuple[Host, ManualClock]]:
    with a_host("NORMAL", fleet=False) as host:
        yield host, ManualClock(BEGIN)


def _keep_until(store: Store, prices: PriceBook, since: datetime, clock: Clock) -> None:
    """Store the bars closed after a moment and by now."""
    for asset in ASSETS:
        (series,) = prices.series(asset)
        bars = prices.bars(series, since + timedelta(microseconds=1), clock(), clock())
        keep_bars(store, series, bars, clock)


def _record(store: Store, subjects: Sequence[Subject], clock: Clock) -> None:
    if not subjects:
        return
    news = [
        NewDecision(
            ROLE.id,
            f"{one.stance} {one.asset}",
            asset=one.asset,
            direction=one.stance,
            decided_at=one.decided_at,
            stop_price=one.stop_price,
            target_price=one.target_price,
        )
        for one in subjects
    ]
    record_decisions(store, REGISTRY, news, clock, _uids)


_uids: Final[Callable[[], str]] = seeded_uids(7)


def _outcomes(store: Store, columns: Sequence[str]) -> list[tuple[Any, ...]]:
    line = f"SELECT {', '.join(columns)} FROM outcomes ORDER BY subject_id, window_hours"
    with reading(store) as conn:
        return [tuple(row) for row in conn.exec_driver_sql(line)]


def _told(took: Spent) -> str:
    return f"{took.cpu_s:.2f} s of a processor, {took.wall_s:.2f} s in all"


if __name__ == "__main__":
    answers(
        ask,
        decisions=(int, 20_000, "decisions measured from memory"),
        stored=(int, 20_000, "of them, measured through the store"),
        checked=(int, 300, "decisions measured live and in a replay"),
        reflected=(int, 100_000, "decisions of `role reflect`"),
    )

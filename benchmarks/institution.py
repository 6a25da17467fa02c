"""How long a run takes to capture, and how long the ladders of many runs take to answer."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Any, Final

from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.decisions.measure_outcomes import MAX_MEASURED, measure_due
from afterword.pipeline.domain.institution.capture import capture_run, insert_run
from afterword.pipeline.domain.institution.checks import CheckedRun, check_run
from afterword.pipeline.domain.institution.given import read_run
from afterword.pipeline.domain.institution.reflect import reflect_runs
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.outcomes.model import LADDER_HOURS
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.domain.prices.keep import keep_bars
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.gateway.switches import Mode
from afterword.pipeline.ids import seeded_uids
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.testing.clock import ManualClock
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.host import a_host
from benchmarks.timing import percentile, seconds

ASSETS: Final = ("BTC", "ETH", "SOL", "DOGE", "AVAX")
HOUR: Final = timedelta(hours=1)
BEGIN: Final = datetime(2023, 1, 1, tzinfo=UTC)
WARM: Final = timedelta(days=60)
"""Prices before the first run."""

RUN_DAYS: Final = 120
"""Days in which runs are made; all their windows end within a year after them."""

SENTENCES: Final = (
    "Funding turned negative while open interest fell for the third day in a row.",
    "The close is above the range of the last two weeks, on twice the usual volume.",
    "Exchange balances keep falling, so that less is offered at these prices.",
    "The move of last week was one jump, and most of it was given back since.",
    "A stop below the low of Monday costs 4.2 % and leaves room for the usual noise.",
    "Rates may be cut in March; the market has priced most of that by now.",
)

ROUNDS: Final = 3
"""Rounds of bull and bear: a run has ten outputs."""


def checked(given: dict[str, Any], decided_at: datetime | None) -> CheckedRun:
    """Return a run as it may be kept."""
    return check_run(read_run(given, decided_at), "owner")


def given_run(number: int, chance: Random) -> dict[str, Any]:
    """Return a run of ten outputs with texts of some 300 characters."""

    def words() -> str:
        return " ".join(chance.sample(SENTENCES, 4))

    way, stance = chance.choice(("long", "short")), {"confidence": round(chance.random(), 2)}
    asset = ASSETS[number % len(ASSETS)]
    debate = [
        {
            "role": side,
            "form": "debate_argument",
            "output": {**stance, "side": side, "claim": words()},
        }
        for _ in range(ROUNDS)
        for side in ("bull", "bear")
    ]
    report = {**stance, "direction": way, "summary": words()}
    risk = {**stance, "level": "medium", "verdict": "approve", "reasons": words()}
    proposal = {**stance, "direction": way, "horizon_days": 7, "rationale": words()}
    decision = {**stance, "direction": way, "horizon_days": chance.choice((1, 7, 30, 90))}
    decision |= {"trigger": words(), "base_case": words(), "thesis": words()}
    outputs = [
        {"role": "analyst", "form": "analyst_report", "output": report},
        *debate,
        {"role": "risk", "form": "risk_assessment", "output": risk},
        {"role": "trader", "form": "trader_proposal", "output": proposal},
        {"role": "manager", "form": "portfolio_decision", "output": decision},
    ]
    return {"run": f"run-{number}", "asset": asset, "outputs": outputs}


def ask(runs: int, captured: int) -> Answer:
    """Capture runs one by one, then answer the ladders of many."""
    chance = Random(28)
    clock = ManualClock(BEGIN)
    with a_host(fleet=False) as host:
        by = Writer(host.store, clock, seeded_uids(28), "owner")
        capture_run(by, checked(given_run(-1, chance), None))
        takes = []
        for number in range(captured):
            given = given_run(number, chance)
            takes.append(seconds(lambda given=given: capture_run(by, checked(given, None))))  # type: ignore[misc]
        with reading(host.store) as conn:
            body = conn.exec_driver_sql("SELECT body FROM institution_role_outputs").scalar()

        def bare() -> None:
            with writing(host.store) as conn:
                conn.exec_driver_sql("CREATE TABLE IF NOT EXISTS bare (id INTEGER, body TEXT)")
                values = [(place, body) for place in range(20)]
                conn.exec_driver_sql("INSERT INTO bare VALUES (?, ?)", values)

        floor = [seconds(bare) for _ in range(captured)]
    with a_host(fleet=False) as host:
        _keep_prices(host.store, chance)
        clock.set(BEGIN + timedelta(days=RUN_DAYS + 400))
        by = Writer(host.store, clock, seeded_uids(28), "owner")
        for start in range(0, runs, 500):
            with writing(host.store) as conn:
                for number in range(start, min(start + 500, runs)):
                    made = BEGIN + chance.randrange(RUN_DAYS * 24) * HOUR
                    insert_run(conn, by, checked(given_run(number, chance), made), clock())
        measure_s = seconds(lambda: _measure(host.store, clock))
        clock.advance(minutes=1)
        ladder_s = seconds(lambda: reflect_runs(host.store, clock, Mode.ON))
        with reading(host.store) as conn:
            count = "SELECT count(*) FROM institution_reflections"
            answered = conn.exec_driver_sql(count).scalar_one()
        again_s = seconds(lambda: reflect_runs(host.store, clock, Mode.ON))
    windows = runs * len(LADDER_HOURS)
    note(f"{answered:,} of {windows:,} windows answered; measured in {measure_s:.1f} s")
    measured = {
        "capture_p50_ms": 1000 * percentile(takes, 0.5),
        "capture_p99_ms": 1000 * percentile(takes, 0.99),
        "ladder_s": ladder_s,
        "ladder_without_news_s": again_s,
        "measure_s": measure_s,
        "answered_share": answered / windows,
    }
    targets = {"capture_p50_ms": Target(at_most=10), "ladder_s": Target(at_most=10)}
    bare_ms = {"twenty_rows_p50_ms": 1000 * percentile(floor, 0.5)}
    sizes = {"runs": runs, "captured": captured}
    return Answer("institution", measured, targets, bare_ms, sizes=sizes)


def _measure(store: Store, clock: ManualClock) -> None:
    registry = RoleRegistry([])
    while True:
        done = measure_due(store, registry, StoredPrices, clock, lambda *_: None)
        if done.looked < MAX_MEASURED:
            return


def _keep_prices(store: Store, chance: Random) -> None:
    """Keep hourly prices of all assets, from before the first run until a year after the last."""
    end = BEGIN + timedelta(days=RUN_DAYS + 370)
    for asset in ASSETS:
        bars, price, at = [], 100.0, BEGIN - WARM
        while at < end:
            close = price * (1 + chance.gauss(0, 0.006))
            open_, shut = Decimal(f"{price:.4f}"), Decimal(f"{close:.4f}")
            bars.append(Bar(at, HOUR, open_, max(open_, shut), min(open_, shut), shut, Decimal(1)))
            price, at = close, at + HOUR
        keep_bars(store, Series("bench", asset, HOUR), bars, lambda: end)


if __name__ == "__main__":
    answers(
        ask,
        runs=(int, 10_000, "runs whose ladders are answered"),
        captured=(int, 300, "runs that are captured one by one"),
    )

"""A decision with a stop and a target is judged by which of them its market met first."""

import gzip
import json
import os
from collections import Counter
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from afterword.pipeline.domain.outcomes.measure import measure
from afterword.pipeline.domain.outcomes.model import MeasuredOutcome, Subject
from afterword.pipeline.domain.prices.book import PriceBook
from afterword.pipeline.domain.prices.csv_file import read_prices
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.rules.market.bars import Bar

SHARED = Path(os.environ.get("AFTERWORD_SHARED") or Path(__file__).parents[4] / "shared") / "data"
real_data = pytest.mark.skipif(not SHARED.is_dir(), reason="no shared folder with real prices")

HOUR = timedelta(hours=1)
START = datetime(2026, 1, 1, tzinfo=UTC)
DECIDED = START + 40 * HOUR
LATER = datetime(2026, 6, 1, tzinfo=UTC)


def measured(low: str, high: str, **plan: Decimal | str) -> MeasuredOutcome:
    """Measure a day after a decision at 100, with one bar of that range in it."""
    bars = []
    for place in range(100):
        close = Decimal(101 if place % 2 == 0 else 100)
        lowest, highest = Decimal(100), Decimal(101)
        if place == 45:
            lowest, highest = Decimal(low), Decimal(high)
        bars.append(Bar(START + place * HOUR, HOUR, close, highest, lowest, close, Decimal(0)))
    stance = plan.pop("stance", "long")
    subject = Subject("decision", 1, "SOL", stance, DECIDED, **plan)  # type: ignore[arg-type]
    found = measure(PriceBook({Series("test", "SOLUSDT", HOUR): bars}), subject, 24, LATER)
    assert isinstance(found, MeasuredOutcome)
    return found


@pytest.mark.parametrize(
    ("low", "high", "plan", "verdict", "earned"),
    [
        ("99", "106", "target_first", "right", 50_000_000 - 1_300_000),
        ("94", "102", "stop_first", "wrong", -50_000_000 - 1_300_000),
        ("94", "106", "same_bar", "noise", -50_000_000 - 1_300_000),
        ("99", "102", "neither", "noise", -1_300_000),
    ],
)
def test_a_plan_is_judged_by_what_came_first(low, high, plan, verdict, earned):
    found = measured(low, high, stop_price=Decimal(95), target_price=Decimal(105))

    assert (found.plan, found.verdict, found.plan_ppb) == (plan, verdict, earned)
    assert found.window_verdict == "noise"  # beside it


def test_a_short_has_its_target_below():
    found = measured("94", "102", stance="short", stop_price=Decimal(105), target_price=Decimal(95))

    assert (found.plan, found.verdict) == ("target_first", "right")


def test_a_stop_on_the_wrong_side_is_no_plan():
    found = measured("94", "106", stop_price=Decimal(101), target_price=Decimal(105))

    assert (found.plan, found.verdict) == (None, found.window_verdict)


def test_a_plan_in_dollars_is_what_the_position_earned():
    found = measured("99", "106", target_price=Decimal(105), size_usd=Decimal(2_000))

    assert found.result_micro_usd == 97_400_000  # 4.87 % of 2,000


@real_data
def test_of_73_real_decisions_15_met_their_target_and_58_their_stop():
    """All of them were longs of SOL; over 72 hours the window alone calls each of them wrong."""
    path = SHARED / "ohlcv" / "SOLUSDT_2025-10_1h.csv.gz"
    (file,) = read_prices(path, "file", known_by=LATER)
    book, plans, windows = PriceBook({file.series: file.bars}), Counter[str | None](), set()
    with gzip.open(SHARED / "decisions" / "alpha_arena_s1_decisions.jsonl.gz", "rt") as lines:
        answers = [json.loads(line, parse_float=Decimal) for line in lines]
    for answer in answers:
        said = answer["llm_response"].get("SOL")
        if not isinstance(said, dict):
            continue
        stop, target = Decimal(said["stop_loss"]), Decimal(said["profit_target"])
        at = datetime.fromtimestamp(float(answer["timestamp"]), UTC)
        found = measure(book, Subject("decision", 1, "SOL", "long", at, stop, target), 72, LATER)
        assert isinstance(found, MeasuredOutcome)
        plans[found.plan] += 1
        windows.add(found.window_verdict)

    assert plans == {"target_first": 15, "stop_first": 58}
    assert windows == {"wrong"}

import os
from decimal import Decimal
from pathlib import Path

import pytest

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.testing.exports import (
    MarketSum,
    fills_of,
    items_of,
    left_out_of,
    markets_of,
)

SHARED = Path(os.environ.get("AFTERWORD_SHARED") or Path(__file__).parents[4] / "shared")
TRADES = SHARED / "data" / "exports" / "trades"
shared_file = pytest.mark.skipif(not TRADES.is_dir(), reason="no shared folder with exports")


def write(tmp_path: Path, text: str, name: str = "export.csv") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


FILL = (
    '{"id":"a%s","activity_type":"FILL","transaction_time":"2026-06-25T01:12:30.709802Z",'
    '"price":"2.5","qty":"1","side":"%s","symbol":"%s","order_id":"o"}'
)


def test_a_sale_that_opens_a_short_says_so(tmp_path: Path):
    path = write(tmp_path, "[" + FILL % (1, "sell_short", "GME") + "]", "activities.json")

    (fill,) = fills_of(items_of(path))

    assert (fill.side, fill.effect, fill.tid, fill.time_ms) == ("A", "open", "a1", 1782349950709)


def test_an_option_counts_a_hundred_shares(tmp_path: Path):
    path = write(tmp_path, "[" + FILL % (1, "buy", "SPY260618P00500000") + "]", "activities.json")

    (fill,) = fills_of(items_of(path))

    assert (fill.kind, fill.multiplier, fill.base) == ("option", 100, "SPY")


def test_of_two_fills_of_one_moment_the_lower_row_was_first(tmp_path: Path):
    rows = ",".join((FILL % (2, "sell", "GME"), FILL % (1, "buy", "GME")))
    path = write(tmp_path, f"[{rows}]", "activities.json")

    assert [fill.tid for fill in fills_of(items_of(path))] == ["a1", "a2"]


def test_a_fill_that_is_no_object_is_refused(tmp_path: Path):
    path = write(tmp_path, "[" + FILL % (1, "buy", "GME") + ",7]", "activities.json")

    with pytest.raises(InvalidInputError, match=r"activities\[1\]: is '7'; accepted: an object"):
        items_of(path)


@shared_file
def test_three_fills_are_read_and_the_fee_of_the_day_is_left_out():
    items = items_of(TRADES / "constructed_alpaca_activities.json")

    # -0.5 x 736.01 - 736.03 + 1.5 x 739.10 = -368.005 - 736.03 + 1108.65
    assert markets_of(items) == {"SPY": MarketSum(3, Decimal(0), Decimal("4.615"), Decimal(0))}
    assert left_out_of(items) == {"fee of no fill": 1}

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


HEADER = (
    '"Activity Date","Process Date","Settle Date","Instrument","Description","Trans Code",'
    '"Quantity","Price","Amount"\n'
)


def row(code: str, quantity: str, price: str, amount: str, described: str = "Apple") -> str:
    day = "3/3/2026"
    cells = (day, day, day, "AAPL", described, code, quantity, price, amount)
    return ",".join(f'"{cell}"' for cell in cells) + "\n"


CALL = "SPY 3/20/2026 Call $580.00"


def test_btc_is_buy_to_close_and_a_short_that_expires_is_bought(tmp_path: Path):
    rows = (
        row("OEXP", "1", "", "", f"Option Expiration for {CALL}")
        + row("BTC", "1", "$1.00", "($100.04)", CALL)
        + row("STO", "2", "$2.00", "$199.92", CALL).replace("199.92", "399.92")
    )

    items = items_of(write(tmp_path, HEADER + rows))

    assert [(one.side, one.px, one.sz, one.effect) for one in fills_of(items)] == [
        ("A", 2, 2, "open"),
        ("B", 1, 1, "close"),
        ("B", 0, 1, "close"),
    ]
    # 400 - 399.92, 100.04 - 100
    assert [one.fee for one in fills_of(items)] == [Decimal("0.08"), Decimal("0.04"), 0]


def test_an_amount_above_the_worth_is_a_rounded_price_not_a_rebate(tmp_path: Path):
    path = write(tmp_path, HEADER + row("Buy", "0.125", "$189.11", "($23.62)"))

    (fill,) = fills_of(items_of(path))

    # 0.125 x 189.11 = 23.63875 was printed, 23.62 was paid
    assert (fill.px * fill.sz, fill.fee) == (Decimal("23.62"), 0)


def test_a_contract_that_cannot_be_read_is_refused_with_its_line(tmp_path: Path):
    path = write(tmp_path, HEADER + row("BTO", "1", "$1.00", "($100.00)", "SPY 580 Call"))

    with pytest.raises(InvalidInputError, match=r"line 2, column Description"):
        items_of(path)


@shared_file
def test_the_activity_is_read_over_line_breaks_and_from_its_last_row_up():
    items = items_of(TRADES / "constructed_robinhood_activity.csv")

    assert markets_of(items) == {
        # 100 x (189.10 - 187.40); 18910 - 18909.48
        "AAPL": MarketSum(2, Decimal(0), Decimal(170), Decimal("0.52")),
        # 2 x 100 x (4.25 - 3.50); 0.08 + 0.08
        "SPY260320C00580000": MarketSum(2, Decimal(0), Decimal(150), Decimal("0.16")),
        # bought for 110, expired; 0.04
        "SPY260320P00500000": MarketSum(2, Decimal(0), Decimal(-110), Decimal("0.04")),
    }
    # With the fees: 169.48 + 149.84 - 110.04, the amounts of the column.
    assert left_out_of(items) == {"dividend": 1, "split": 1, "transfer": 1, "note": 1}
    calls = [one.side for one in fills_of(items) if one.symbol == "SPY260320C00580000"]
    assert calls == ["B", "A"]

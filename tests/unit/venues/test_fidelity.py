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
    "\n\nRun Date,Action,Symbol,Description,Type,Quantity,Price ($),Commission ($),Fees ($),"
    "Accrued Interest ($),Amount ($),Settlement Date\n"
)
OPENED = (
    "09/19/2025,YOU SOLD OPENING TRANSACTION PUT (MU),-MU250926P150,x,Margin,-1,3.35,0.65,0.02,,"
    "334.33,\n"
)


def test_an_option_that_expires_is_closed_by_the_sign_of_its_row(tmp_path: Path):
    expired = "09/29/2025,EXPIRED PUT (MU),-MU250926P150,x,Margin,1,,,,,,\n"

    fills = fills_of(items_of(write(tmp_path, HEADER + expired + OPENED)))

    assert [(one.side, one.px, one.effect) for one in fills] == [
        ("B", 0, "close"),
        ("A", Decimal("3.35"), "open"),
    ]


def test_swapped_columns_are_found_by_name(tmp_path: Path):
    swapped = HEADER.replace("Quantity,Price ($)", "Price ($),Quantity")
    path = write(tmp_path, swapped + OPENED.replace("-1,3.35", "3.35,-1"))

    (fill,) = fills_of(items_of(path))

    assert (fill.px, fill.sz) == (Decimal("3.35"), 1)


def test_a_row_that_contradicts_itself_is_left_out(tmp_path: Path):
    path = write(tmp_path, HEADER + OPENED.replace("334.33", "3.34"))

    assert left_out_of(items_of(path)) == {"amount and price disagree": 1}


def test_a_bad_quantity_is_refused_with_its_line(tmp_path: Path):
    with pytest.raises(InvalidInputError, match=r"line 4, column Quantity"):
        items_of(write(tmp_path, HEADER + OPENED.replace(",-1,", ",one,")))


@shared_file
def test_the_history_holds_two_trades():
    items = items_of(TRADES / "constructed_fidelity_history.csv")

    assert markets_of(items) == {
        "MU250926P00150000": MarketSum(
            1, Decimal(-1), Decimal(335), Decimal("0.67")
        ),  # 0.65 + 0.02
        "AAPL": MarketSum(1, Decimal(10), Decimal("-1502.50"), Decimal("5.00")),  # 4.95 + 0.05
    }
    assert left_out_of(items) == {"dividend received": 1, "electronic funds": 1, "note": 2}
    assert [fill.effect for fill in fills_of(items)] == ["open", None]

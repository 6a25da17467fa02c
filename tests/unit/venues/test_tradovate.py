import os
from decimal import Decimal
from pathlib import Path

import pytest

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.testing.exports import (
    closed_of,
    items_of,
)

SHARED = Path(os.environ.get("AFTERWORD_SHARED") or Path(__file__).parents[4] / "shared")
TRADES = SHARED / "data" / "exports" / "trades"
shared_file = pytest.mark.skipif(not TRADES.is_dir(), reason="no shared folder with exports")


def write(tmp_path: Path, text: str, name: str = "export.csv") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


HEADER = (
    "symbol,_priceFormat,buyFillId,sellFillId,qty,buyPrice,sellPrice,pnl,"
    "boughtTimestamp,soldTimestamp,duration\n"
)


@pytest.mark.parametrize(("buy", "sell", "direction"), [("9", "10", "long"), ("10", "9", "short")])
def test_ids_order_the_two_sides_of_one_second(tmp_path: Path, buy: str, sell: str, direction: str):
    at = "06/10/2026 16:00:05"
    path = write(tmp_path, HEADER + f"MNQM6,-2,{buy},{sell},1,100,90,$(20.00),{at},{at},0sec\n")

    (trade,) = closed_of(items_of(path, "UTC"))

    assert trade.direction == direction
    assert (trade.entry_px, trade.exit_px) == ((100, 90) if direction == "long" else (90, 100))
    assert (trade.net, trade.multiplier, trade.net_is_after) == (-20, 2, "nothing")


def test_the_zone_is_asked_for(tmp_path: Path):
    at = "06/10/2026 16:00:05"
    path = write(tmp_path, HEADER + f"MNQM6,-2,1,2,1,100,90,$(20.00),{at},{at},0sec\n")

    with pytest.raises(InvalidInputError, match="--zone"):
        items_of(path)


@shared_file
def test_pairs_of_the_position_history_are_closed_trades():
    items = items_of(TRADES / "tradetally_tradovate_position_history.csv", "America/Chicago")

    trades = closed_of(items)
    # 5 x -1.25 x 2; 1 x -12.25 x 2; 2 x -9.75 x 2; 2 x -13 x 2; 5 x -9 x 2
    assert [(one.direction, one.net) for one in trades] == [
        ("long", Decimal("-12.50")),
        ("long", Decimal("-24.50")),
        ("long", Decimal("-39.00")),
        ("short", Decimal("-52.00")),
        ("short", Decimal("-90.00")),
    ]
    assert sum(one.net for one in trades) == -218
    assert {(one.symbol, one.multiplier) for one in trades} == {("MNQM6", 2)}
    # 15:30:37 in Chicago in April is 20:30:37 UTC.
    assert trades[4].opened_at is not None
    assert trades[4].opened_at.isoformat() == "2026-04-09T20:30:37+00:00"


@shared_file
def test_the_performance_list_reads_money_in_brackets():
    items = items_of(TRADES / "constructed_tradovate_performance.csv", "UTC")

    assert [(one.symbol, one.direction, one.multiplier, one.net) for one in closed_of(items)] == [
        ("MNQM6", "long", 2, -400),  # 5 x -40 x 2
        ("MNQM6", "long", 2, 1200),  # 5 x 120 x 2
        ("MESM6", "short", 5, Decimal("32.50")),  # 2 x 3.25 x 5
    ]

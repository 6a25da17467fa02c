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
    '"datetime";"price";"shares";"amount";"tax";"fee";"type";"assettype";"identifier";'
    '"currency"; \n'
)


def test_decimal_commas_without_quotes_are_read(tmp_path: Path):
    row = '"2024-06-04T12:04:00.000Z";1.263,5;6,25;1;14,83;1,5;"Sell";"Security";"DE01";"EUR"; \n'

    (fill,) = fills_of(items_of(write(tmp_path, HEADER + row)))

    assert (fill.side, fill.px, fill.sz) == ("A", Decimal("1263.5"), Decimal("6.25"))
    # The tax of 14,83 is not a fee.
    assert (fill.fee, fill.quote, fill.time_ms) == (Decimal("1.5"), "EUR", 1717502640000)


def test_a_point_for_a_comma_is_found(tmp_path: Path):
    row = '"2024-06-04T12:04:00.000Z";263.55;6;1;0;0;"Sell";"Security";"DE01";"EUR"; \n'

    (fill,) = fills_of(items_of(write(tmp_path, HEADER + row)))

    assert fill.px == Decimal("263.55")


def test_a_point_that_may_part_thousands_is_asked_about(tmp_path: Path):
    row = '"2024-06-04T12:04:00.000Z";1.234;6;1;0;0;"Sell";"Security";"DE01";"EUR"; \n'

    with pytest.raises(InvalidInputError, match=r"line 2, column price.*--decimal \. or"):
        items_of(write(tmp_path, HEADER + row))


@shared_file
def test_the_activities_hold_twenty_trades():
    items = items_of(TRADES / "ghostfolio_export_parqet.csv")

    markets = markets_of(items)
    assert len(fills_of(items)) == 20
    assert left_out_of(items) == {"dividend": 7}
    # 0.078433 + 0.00036 + 1.162925 + 0.094894 + 0.10941 + 0.079526 + 0.103435 + 1.184974
    # + 0.298613; the amounts of these rows, rounded: 5.91 + 0.03 + 100 + 8.16 + 9.51 + 6.72 + 8.55
    # + 100 + 25.2
    assert markets["IE00BM67HT60"].net == Decimal("3.112570")
    assert abs(markets["IE00BM67HT60"].cash + Decimal("264.08")) < Decimal("0.03")
    assert markets["DE0008404005"] == MarketSum(1, Decimal(-6), Decimal(1578), Decimal(1))
    assert markets["IL0011582033"] == MarketSum(1, Decimal(-14), Decimal("320.32"), Decimal(1))

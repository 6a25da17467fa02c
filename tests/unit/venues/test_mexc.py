"""MEXC: a fee without currency, times without zone."""

import os
from decimal import Decimal
from pathlib import Path

import pytest

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.testing.exports import (
    MarketSum,
    fees_of,
    fills_of,
    items_of,
    markets_of,
)

SHARED = Path(os.environ.get("AFTERWORD_SHARED") or Path(__file__).parents[4] / "shared")
TRADES = SHARED / "data" / "exports" / "trades"
shared_file = pytest.mark.skipif(not TRADES.is_dir(), reason="no shared folder with exports")

D = Decimal
HEAD = "Pairs,Time,Side,Filled Price,Executed Amount,Total,Fee,Role\n"


def save(folder: Path, text: str, name: str = "export.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_the_fee_is_in_the_quote_and_the_zone_is_asked(tmp_path):
    path = save(tmp_path, HEAD + "KAS_USDT,2024-02-12 08:15:09,BUY,0.13,100,13,0.013,Taker\n")

    with pytest.raises(InvalidInputError, match="--zone"):
        items_of(path)
    (fill,) = fills_of(items_of(path, zone="UTC+8"))
    assert (fill.base, fill.quote, fill.fee) == ("KAS", "USDT", D("0.013"))
    assert fees_of([fill]) == {"USDT": D("0.013")}
    assert fill.time_ms == 1707696909000  # 00:15:09 UTC


def test_a_german_header_is_read_as_the_english_one(tmp_path):
    head = "Paare,Zeit,Seite,Realisierter Preis,Ausgeführter Betrag,Gesamt,Gebühr,Rolle\n"
    path = save(tmp_path, head + "KAS_USDT,2024-02-12 08:15:09,BUY,0.13,100,13,0.013,Taker\n")

    (fill,) = fills_of(items_of(path, zone="UTC+8"))

    assert (fill.symbol, fill.side, fill.px, fill.sz) == ("KAS_USDT", "B", D("0.13"), 100)


@shared_file
def test_the_shared_file():
    items = items_of(TRADES / "constructed_mexc_spot_trades.csv", zone="UTC+8")

    # -5000 +3000 +2000, cash 656 - 375 - 250 = 31
    assert markets_of(items) == {"KAS_USDT": MarketSum(3, D(0), D(31), D("0.656"))}
    assert fees_of(items) == {"USDT": D("0.656")}

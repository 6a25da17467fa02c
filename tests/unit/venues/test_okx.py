"""OKX: a zone above the header, two legs a trade, contracts whose size is not said."""

import os
from decimal import Decimal
from pathlib import Path

import pytest

from afterword.pipeline.domain.exports.read import read_export
from afterword.pipeline.domain.layouts.layout import Origin
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.testing.exports import (
    MarketSum,
    closed_of,
    fees_of,
    fills_of,
    items_of,
    left_out_of,
    markets_of,
)

SHARED = Path(os.environ.get("AFTERWORD_SHARED") or Path(__file__).parents[4] / "shared")
TRADES = SHARED / "data" / "exports" / "trades"
shared_file = pytest.mark.skipif(not TRADES.is_dir(), reason="no shared folder with exports")

D = Decimal
PREAMBLE = "UID:000,Account Type:Trading,Time Zone:UTC+8\n"
HEAD = (
    "id,Order id,Time,Trade Type,Symbol,Action,Amount,Trading Unit,Filled Price,PnL,Fee,Fee Unit,"
    "Position Change,Position Balance,Balance Change,Balance,Balance Unit\n"
)
POSITIONS = (
    "Position Create Time,Position Update Time,Business Line,Index,Instrument Name,Margin Mode,"
    "Direction,Leverage,Max Position Quantity,Total Close Quantity,Average Open Price,"
    "Average Close Price,Margin Currency,Pnl,Pnl Ratio,Fee,Funding Fee,Liquidation Clearance Fee,"
    "Type,Contract Face Value,Contract Multiplier\n"
)


def save(folder: Path, text: str, name: str = "export.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def contract(symbol: str, action: str, pnl: str = "0", number: int = 1) -> str:
    return (
        f"{number},9{number},2026-01-10 12:00:00,Perpetual,{symbol},{action},3,cont,3110,{pnl},"
        "-0.4,USDT,3,3,0,0,USDT\n"
    )


def leg(number: int, action: str, amount: str, unit: str, fee: str = "0", order: int = 900) -> str:
    return (
        f"{number},{order},2026-01-08 11:00:00,Spot,ETH-USDT,{action},{amount},ETH,3000,0,{fee},"
        f"{unit},0,0,0,0,{unit}\n"
    )


def test_the_zone_is_that_of_the_line_above_the_header(tmp_path):
    text = HEAD + contract("ETH-USDT-SWAP", "Open long")

    (fill,) = fills_of(items_of(save(tmp_path, PREAMBLE + text), zone="America/New_York"))
    assert fill.time_ms == 1768017600000  # 12:00 in UTC+8 is 04:00 UTC
    with pytest.raises(InvalidInputError, match="--zone"):
        items_of(save(tmp_path, text))


@pytest.mark.parametrize(
    ("action", "side", "effect"),
    [
        ("Open long", "B", "open"),
        ("Close long", "A", "close"),
        ("Open short", "A", "open"),
        ("Close short", "B", "close"),
        ("Liquidation close long", "A", "close"),
    ],
)
def test_an_action_tells_side_and_effect_and_a_fee_below_0_was_paid(tmp_path, action, side, effect):
    (fill,) = fills_of(
        items_of(save(tmp_path, PREAMBLE + HEAD + contract("ETH-USDT-SWAP", action, "3")))
    )

    assert (fill.side, fill.effect, fill.fee) == (side, effect, D("0.4"))
    assert (fill.sz, fill.multiplier, fill.closed_pnl) == (3, D("0.1"), 3)
    assert (fill.liquidation is not None) == action.startswith("Liquidation")


def test_a_contract_of_unknown_size_is_refused_until_it_is_said(tmp_path):
    path = save(tmp_path, PREAMBLE + HEAD + contract("ODD-USDT-SWAP", "Buy"))

    with pytest.raises(InvalidInputError, match="--contract-size ODD-USDT-SWAP"):
        items_of(path)
    origin = Origin(path.name, "main", contract_sizes={"ODD-USDT-SWAP": D(10)})
    (fill,) = fills_of(read_export(path, origin)[1])
    assert fill.multiplier == 10


def test_contracts_paid_in_coins_funding_and_transfers_are_left_out(tmp_path):
    text = (
        contract("BTC-USD-SWAP", "Open long")
        + contract("ETH-USDT-SWAP", "Funding fee")
        + contract("", "Transfer in").replace("Perpetual", "Transfer")
    )

    items = items_of(save(tmp_path, PREAMBLE + HEAD + text))

    assert left_out_of(items) == {"coin-margined contract": 1, "funding": 1, "transfer": 1}
    assert fills_of(items) == []


def test_the_leg_of_the_base_tells_the_side_of_a_spot_trade(tmp_path):
    text = leg(4, "Buy", "1500", "USDT", "-1.5") + leg(3, "Sell", "0.5", "ETH")

    items = items_of(save(tmp_path, PREAMBLE + HEAD + text))

    (fill,) = fills_of(items)
    assert (fill.side, fill.sz, fill.px) == ("A", D("0.5"), 3000)
    assert (fill.fee, fill.fee_token, fill.kind) == (D("1.5"), "USDT", "spot")
    assert left_out_of(items) == {"leg of a trade": 1}


def test_two_executions_of_one_order_are_two_trades(tmp_path):
    text = (
        leg(6, "Sell", "1500", "USDT")
        + leg(5, "Buy", "0.5", "ETH")
        + leg(4, "Sell", "600", "USDT")
        + leg(3, "Buy", "0.2", "ETH")
    )

    fills = fills_of(items_of(save(tmp_path, PREAMBLE + HEAD + text)))

    assert [(fill.sz, fill.tid) for fill in fills] == [(D("0.5"), "5"), (D("0.2"), "3")]


@pytest.mark.parametrize(
    "text",
    [
        leg(3, "Buy", "0.5", "ETH"),
        leg(4, "Sell", "1400", "USDT") + leg(3, "Buy", "0.5", "ETH"),
        leg(4, "Sell", "1500", "USDT", order=901) + leg(3, "Buy", "0.5", "ETH"),
        leg(4, "Sell", "1500", "USDT", "-1") + leg(3, "Buy", "0.5", "ETH", "-0.1"),
    ],
    ids=["one leg", "another amount", "another order", "two fees"],
)
def test_legs_that_do_not_fit_are_left_out(tmp_path, text):
    items = items_of(save(tmp_path, PREAMBLE + HEAD + text))

    assert fills_of(items) == []
    assert left_out_of(items) == {"legs of no clear trade": text.count("\n")}


def test_a_position_that_is_partly_closed_is_left_out(tmp_path):
    row = (
        "2026-01-10 09:00:00,2026-01-10 18:00:00,Perpetual,ETH-USDT,ETH-USDT-SWAP,Cross,Long,10,5,"
        "2,3100,3110,USDT,2,0.03,-1,0,0,Partially closed,0.1,1\n"
    )

    items = items_of(save(tmp_path, POSITIONS + row), zone="UTC")

    assert left_out_of(items) == {"position still open": 1}


@shared_file
def test_the_shared_file_of_trades():
    items = items_of(TRADES / "constructed_okx_trading_history_v1.csv")

    # ETH-USDT-SWAP: +3 -3 contracts of 0.1 ETH: -3 x 0.1 x 3100 + 3 x 0.1 x 3110 = 3
    #   fees 0.465 + 0.4665; ETH-USDT: +0.5 for 1500, fee 0.0005 ETH
    assert markets_of(items) == {
        "ETH-USDT-SWAP": MarketSum(2, D(0), D(3), D("0.9315")),
        "ETH-USDT": MarketSum(1, D("0.5"), D(-1500), D("0.0005")),
    }
    assert fees_of(items) == {"USDT": D("0.9315"), "ETH": D("0.0005")}
    assert left_out_of(items) == {"funding": 1, "transfer": 1, "leg of a trade": 1}
    assert [fill.closed_pnl for fill in fills_of(items)] == [3, 0, None]


@shared_file
def test_the_shared_file_of_positions():
    path = TRADES / "constructed_okx_position_history.csv"

    with pytest.raises(InvalidInputError, match="--zone"):
        items_of(path)
    first, second = closed_of(items_of(path, zone="UTC+8"))

    # 5 - 1.5525 - 0.02 and -60 - 10.95 + 0.5
    assert (first.net, second.net) == (D("3.4275"), D("-70.45"))
    assert (first.fees, first.funding, first.gross) == (D("1.5525"), D("-0.02"), 5)
    # 5 contracts x 0.1 x 10 = 5; 12 contracts x 0.01 x 500 = 60
    assert first.size * first.multiplier * (first.exit_px - first.entry_px) == first.gross
    assert (second.size * second.multiplier, second.direction) == (D("0.12"), "short")
    assert first.opened_at.isoformat() == "2026-01-10T01:00:00+00:00"

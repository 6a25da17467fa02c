"""Coins of a market, prices out of amounts, rows shorter than their header."""

from decimal import Decimal

import pytest

from afterword.pipeline.domain.layouts.pairs import ratio, split_pair, zone_in
from afterword.pipeline.testing.exports import fills_of, items_of


@pytest.mark.parametrize(
    ("symbol", "expected"),
    [
        ("BTCBUSD", ("BTC", "BUSD")),
        ("BTCFDUSD", ("BTC", "FDUSD")),
        ("ETHBTC", ("ETH", "BTC")),
        ("USDTTRY", ("USDT", "TRY")),
        ("KAS_USDT", ("KAS", "USDT")),
        ("ETH-USDT-SWAP", ("ETH", "USDT")),
        ("USDT", None),
        ("FOOBAR", None),
        ("-USDT", None),
    ],
)
def test_a_pair_is_cut_before_the_longest_known_quote(symbol, expected):
    assert split_pair(symbol) == expected


@pytest.mark.parametrize(
    ("amount", "units", "expected"),
    [
        ("6500", "0.1", "65000"),
        ("95", "0.001", "95000"),
        ("1", "3", "0.33333333333333333333"),
        ("0.001", "3000000", "0.00000000033333333333"),
    ],
)
def test_a_price_is_a_plain_number_of_20_places_at_most(amount, units, expected):
    found = ratio(Decimal(amount), Decimal(units))

    assert format(found, "f") == expected
    assert "+" not in str(found)


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ("Time(UTC+02:00)", "UTC+02:00"),
        ("Trades-2026(UTC--6).csv", "UTC-06:00"),
        ("Time Zone:UTC+8", "UTC+08:00"),
        ("Date(UTC)", "UTC"),
    ],
)
def test_a_zone_stands_at_the_end_of_a_heading_or_in_brackets(text, offset):
    assert str(zone_in(text)) == offset


@pytest.mark.parametrize("text", ["Time", "UTC_Time", "a(UTC+-6).csv", "a(UTC+99).csv"])
def test_what_names_no_zone_is_none(text):
    assert zone_in(text) is None


def test_a_row_shorter_than_its_header_has_empty_cells(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(
        "Pairs,Time,Side,Filled Price,Executed Amount,Total,Fee,Role\n"
        "KAS_USDT,2024-02-12 08:15:09,BUY,0.13,100\n"
    )

    (fill,) = fills_of(items_of(path, zone="UTC"))

    assert not fill.fee_is_known
    assert fill.raw == (
        '{"Pairs":"KAS_USDT","Time":"2024-02-12 08:15:09","Side":"BUY","Filled Price":"0.13",'
        '"Executed Amount":"100"}'
    )

"""Asset classes: known symbols, traps, and `unknown` for the rest."""

import json
import os
from collections import Counter
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.rules.market import taxonomy
from afterword.pipeline.rules.market.aliases import (
    CHINESE_NAMES,
    CHINESE_WORD_NAMES,
    NAMES,
    WORD_NAMES,
)
from afterword.pipeline.rules.market.classes import asset_class, asset_group, class_leader
from afterword.pipeline.rules.market.symbols import Symbol, normalise_symbol, parse_symbol
from afterword.pipeline.rules.market.taxonomy import (
    BUILDER_MARKETS,
    CLASS_OF,
    GROUP_OF,
    AssetClass,
    AssetGroup,
)

SHARED = Path(os.environ.get("AFTERWORD_SHARED") or Path(__file__).parents[4] / "shared")
FACTS = SHARED / "data" / "taxonomy" / "hl_asset_classes.json"


@pytest.mark.parametrize(
    ("symbol", "expected"),
    [
        ("BTC", "major_crypto"),
        ("SOL", "layer_1"),
        ("ARB", "layer_2"),
        ("AAVE", "defi_blue_chip"),
        ("DOGE", "meme_coin"),
        ("WLD", "crypto_other"),
        ("USDC", "stablecoin"),
        ("xyz:NVDA", "stock"),
        ("xyz:EWY", "etf"),
        ("vntl:OPENAI", "pre_ipo"),
        ("xyz:SP500", "index"),
        ("xyz:GOLD", "commodity"),
        ("GBP/USD", "forex"),
    ],
)
def test_each_class_has_its_markets(symbol: str, expected: AssetClass):
    assert asset_class(symbol) == expected


@pytest.mark.parametrize(
    ("symbol", "expected", "why"),
    [
        ("SPX", "meme_coin", "SPX6900; the index is SP500"),
        ("GAS", "layer_1", "Neo gas"),
        ("flx:GAS", "commodity", "natural gas on a builder dex"),
        ("hyna:BTC", "major_crypto", "a colon does not mean stock"),
        ("xyz:DXY", "forex", "a basket of currencies"),
        ("PAXG", "commodity", "gold, traded on a crypto dex"),
        ("EUR/USD", "forex", "EURUSD, not EUR"),
        ("xyz:EUR", "forex", "quoted like EURUSD"),
        ("COIN", "stock", "there is no coin of that name"),
        ("#10", "crypto_other", "an outcome token"),
        ("S", "layer_1", "Sonic"),
        ("kPEPE", "meme_coin", "a thousand PEPE"),
        ("kNEIRO", "meme_coin", "known only by the thousand"),
        ("@107", "layer_1", "HYPE in USDC"),
        ("@182", "commodity", "a token of gold"),
        ("@99999", "unknown", "never crypto by default"),
        ("xyz:SHAZ", "unknown", "seen in fills, not verified"),
        ("xyz:CXMT", "unknown", "seen in fills, not verified"),
        ("foo:BTC", "unknown", "nothing is known of that dex"),
        ("USD", "unknown", "money, not a market"),
        ("USDUSD", "unknown", "not two currencies"),
    ],
)
def test_the_traps_hold(symbol: str, expected: AssetClass, why: str):
    assert asset_class(symbol) == expected, why


@pytest.mark.parametrize(
    ("symbol", "expected"),
    [
        ("BTC-USD", "crypto"),
        ("USDT", "crypto"),
        ("xyz:TSLA", "stock"),
        ("SPY", "stock"),
        ("km:US500", "index"),
        ("XAUUSD", "commodity"),
        ("USDJPY", "forex"),
        ("NOSUCHCOIN", None),
    ],
)
def test_every_class_but_unknown_has_a_group(symbol: str, expected: AssetGroup | None):
    assert asset_group(symbol) == expected


@pytest.mark.parametrize(
    ("symbol", "leader"),
    [
        ("SOL", "BTC"),
        ("1000PEPEUSDT", "BTC"),
        ("AAPL", "SPY"),
        ("QQQ", "SPY"),
        ("EURUSD", None),
        ("XAUUSD", None),
        ("SP500", None),
        ("NOSUCHCOIN", None),
    ],
)
def test_a_group_with_a_common_market_has_a_leader(symbol: str, leader: str | None):
    assert class_leader(asset_group(symbol)) == leader


def test_a_leader_belongs_to_the_group_it_leads():
    groups = get_args(AssetGroup)
    led = {group: class_leader(group) for group in groups}

    assert [g for g, leader in led.items() if leader and asset_group(leader) != g] == []


def test_the_classes_and_groups_are_the_declared_ones():
    assert set(GROUP_OF) == set(get_args(AssetClass)) - {"unknown"}
    assert set(GROUP_OF.values()) == set(get_args(AssetGroup))


def test_no_symbol_has_two_classes():
    listed = [symbol for line in taxonomy._SYMBOLS.values() for symbol in line.split()]

    assert [symbol for symbol, count in Counter(listed).items() if count > 1] == []


def test_every_market_of_a_builder_dex_is_classified():
    markets = [f"{dex}:{symbol}" for dex, symbols in BUILDER_MARKETS.items() for symbol in symbols]

    assert [market for market in markets if asset_class(market) == "unknown"] == []


@pytest.mark.parametrize("names", [NAMES, WORD_NAMES, CHINESE_NAMES, CHINESE_WORD_NAMES])
def test_every_name_means_a_known_market_by_its_key(names: dict[str, str]):
    assert [symbol for symbol in names.values() if normalise_symbol(symbol) != symbol] == []
    assert [symbol for symbol in names.values() if asset_class(symbol) == "unknown"] == []


@given(st.text())
def test_any_text_has_a_class_and_its_key_the_same(symbol: str):
    assert asset_class(symbol) == asset_class(normalise_symbol(symbol))


@pytest.mark.skipif(not FACTS.exists(), reason="the shared taxonomy is not here")
def test_the_shared_facts_are_kept():
    facts = json.loads(FACTS.read_text())
    expected = [(name, cls) for cls, names in facts["classes"].items() for name in names]
    dexes = {"xyz": facts["hip3_xyz"], **facts["hip3_other"]}
    expected += [
        (f"{dex}:{name}", cls)
        for dex, classes in dexes.items()
        for cls, names in classes.items()
        if cls != "unverified_seen_in_fills"
        for name in names
    ]

    assert [
        (name, cls, asset_class(name)) for name, cls in expected if asset_class(name) != cls
    ] == []
    for wrapped, base in facts["wrapped"].items():
        assert normalise_symbol(wrapped) == base
    for unit, (base, _) in facts["unit_prefix"].items():
        assert normalise_symbol(unit) == base
    assert CLASS_OF.keys() >= set(facts["classes"]["layer_1"])


@pytest.mark.skipif(not FACTS.exists(), reason="the shared taxonomy is not here")
def test_the_shared_groups_units_and_traps_are_kept():
    facts = json.loads(FACTS.read_text())

    assert {cls: group for group, names in facts["top_level"].items() for cls in names} == GROUP_OF
    for index, pair in facts["spot_index"].items():
        assert normalise_symbol(index) == normalise_symbol(pair.split(" ")[0])
    for unit, (base, multiplier) in facts["unit_prefix"].items():
        assert parse_symbol(unit) == Symbol(base, multiplier)
    assert [
        name for name, cls, _ in facts["traps"] if asset_class(name) not in cls.split(" or ")
    ] == []

"""Written forms of markets: one key per market; unknown text stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.rules.market.symbols import Symbol, normalise_symbol, parse_symbol
from afterword.pipeline.rules.market.taxonomy import CLASS_OF


@pytest.mark.parametrize(
    "written",
    [
        "BTC",
        "btc",
        "BTC/USDT",
        "BTC-USD",
        "BTC_USDC",
        "BTCUSDT",
        "BTCUSD",
        "BTCBUSD",
        "BTCFDUSD",
        "BTC-PERP",
        "BTCPERP",
        "BTC-USD-PERP",
        "BTC-USDT-SWAP",
        "BTCUSDT.P",
        "hyna:BTC",
        "UBTC",
        "WBTC",
        "cbBTC",
        "UBTC/USDC",
        "@142",
    ],
)
def test_every_way_to_write_bitcoin_has_one_key(written: str):
    assert normalise_symbol(written) == "BTC"


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("EUR/USD", "EURUSD"),
        ("eur-usd", "EURUSD"),
        ("EURUSD", "EURUSD"),
        ("EUR/USDT", "EURUSD"),
        ("EUR", "EURUSD"),
        ("xyz:EUR", "EURUSD"),
        ("USD/JPY", "USDJPY"),
        ("xyz:JPY", "USDJPY"),
        ("JPY/USDT", "USDJPY"),
        ("GBPJPY", "GBPJPY"),
    ],
)
def test_a_currency_pair_stays_a_pair(written: str, key: str):
    assert normalise_symbol(written) == key


@pytest.mark.parametrize("written", ["kPEPE", "KPEPE", "1000PEPE", "kPEPE/USDC", "1000PEPEUSDT"])
def test_a_contract_on_a_thousand_coins_says_so(written: str):
    symbol = parse_symbol(written)

    assert (symbol.key, symbol.multiplier) == ("PEPE", 1000)
    assert parse_symbol("PEPE").multiplier == 1


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("UETH", "ETH"),
        ("wstETH", "ETH"),
        ("USOL", "SOL"),
        ("WHYPE", "HYPE"),
        ("XAU/USD", "GOLD"),
        ("XAGUSD", "SILVER"),
        ("xyz:CL", "WTIOIL"),
        ("SPX500", "SP500"),
        ("flx:GAS", "NATGAS"),
    ],
)
def test_other_names_of_one_thing_share_its_key(written: str, key: str):
    assert normalise_symbol(written) == key


def test_what_was_written_beside_the_asset_is_kept():
    assert parse_symbol("xyz:TSLA") == Symbol("TSLA", dex="xyz")
    assert parse_symbol("@107") == Symbol("HYPE", quote="USDC")
    assert parse_symbol("PURR/USDC") == Symbol("PURR", quote="USDC")
    assert parse_symbol("ETH/BTC") == Symbol("ETH", quote="BTC")


@pytest.mark.parametrize(
    "written",
    [
        "@99999",
        "#10",
        "foo:BTC",
        "xyz:SHAZ",
        "bBTC/sbtcCRV",
        "stkcvxcrv3crypto-abra",
        "A/B/C",
        "",
        "two words",
        "0xabcdef0123456789abcdef0123456789abcdef01",
    ],
)
def test_what_is_not_known_stays_as_written(written: str):
    assert normalise_symbol(written) == written


@pytest.mark.parametrize("written", ["MERL/USDT", "MERL-USD", "MERLUSDT", "merl"])
def test_an_unknown_coin_still_loses_its_quote(written: str):
    assert normalise_symbol(written) == "MERL"


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("crvUSD", "crvUSD"),  # a stablecoin
        ("CRVUSD", "CRV"),  # Curve in dollars
        ("sUSD", "SUSD"),  # a coin of Synthetix, not Sonic in dollars
        ("SUSDT", "S"),  # Sonic in tether
        ("STETH", "ETH"),  # staked ether, not a pair
        ("USDCAD", "USDCAD"),  # two currencies, not USDC
        ("ARBUSD", "ARB"),  # not Arweave in BUSD
        ("PERP", "PERP"),
    ],
)
def test_closed_up_letters_are_cut_only_where_both_parts_are_known(written: str, key: str):
    assert normalise_symbol(written) == key


def test_every_known_symbol_is_its_own_key():
    assert [symbol for symbol in CLASS_OF if normalise_symbol(symbol) != symbol] == []


FORMS = st.text(alphabet="BTCUSDEHkK10P/-_.:@# x币", max_size=26) | st.lists(
    st.sampled_from(
        [
            "BTC",
            "USD",
            "USDT",
            "EUR",
            "S",
            "k",
            "1000",
            "PEPE",
            "PERP",
            "-PERP",
            "/",
            "-",
            ":",
            "xyz",
            "flx",
            "@107",
            "FOO",
            ".P",
        ]
    ),
    max_size=6,
).map("".join)


@given(st.text() | FORMS)
def test_reading_a_key_again_changes_nothing(written: str):
    key = normalise_symbol(written)

    assert normalise_symbol(key) == key


@pytest.mark.parametrize("unit", ["USDT", "BTC/", "-PERP", ":", "K"])
def test_a_text_of_two_megabytes_is_no_symbol(unit: str):
    text = (unit * 2_000_000)[:2_000_000]

    assert normalise_symbol(text) == text


@pytest.mark.parametrize(
    ("written", "key"),
    [("xyz:GOOG", "GOOG"), ("xyz:ibm", "IBM"), ("xyz:GAS", "xyz:GAS"), ("xyz:NEWCO", "xyz:NEWCO")],
)
def test_a_stock_listed_by_a_builder_since_is_the_stock(written: str, key: str):
    assert normalise_symbol(written) == key

"""Claims about what a text is about: symbols, names, chains and addresses, and what is none."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.rules.entities.entities import Entity, extract_entities

WALLET = "0xAbCdEf0123456789abcdef0123456789ABCDEF01"
EVM_HASH = "0x" + "ab12" * 16
MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
WRAPPED_SOL = "So11111111111111111111111111111111111111112"
SIGNATURE = (
    "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW"
)


def about(text: str) -> str:
    """Return the entities of a text in short: `BTC`, `chain:base`, `address:0x…`."""
    return " ".join(
        entity.key if entity.kind == "ticker" else f"{entity.kind}:{entity.key}"
        for entity in extract_entities(text)
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ETH and BTC, then ETH again", "ETH BTC"),
        ("$ETH, $pepe and $NEWCOIN", "ETH PEPE NEWCOIN"),
        ("0.5BTC and 10SOL for 100USDT", "BTC SOL USDT"),
        ("BTC/USDT BTC-USD BTCUSDT BTC-PERP", "BTC"),
        ("EUR/USD EURUSD eurusd", "EURUSD"),
        ("ETH/BTC ratio", "ETH BTC"),
        ("MERL/USDT and MERLUSDT", "MERL"),
        ("xyz:TSLA hyna:BTC flx:GAS", "TSLA BTC NATGAS"),
        ("price/usdt", "USDT"),
        ("xyz:SHAZ", "xyz:SHAZ"),
        ("kPEPE 1000BONK UBTC wstETH", "PEPE BONK BTC ETH"),
        ("btc eth sol btcusdt", "BTC ETH SOL"),
        ("BTC's funding, BTC-denominated, (BTC)", "BTC"),
        ("买入BTC后加仓ETH", "BTC ETH"),
    ],
)
def test_symbols_are_read_in_their_forms(text: str, expected: str):
    assert about(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("bitcoin Bitcoin BITCOIN BitCoin", "BTC"),
        ("Ethereum, Solana and dogecoin", "ETH SOL DOGE"),
        ("Ethereum-based, bitcoin/gold", "ETH BTC GOLD"),
        ("bitcoin cash, ethereum classic, shiba inu", "BCH ETC SHIB"),
        ("Tesla, nvidia, Microsoft and Bank of America", "TSLA NVDA MSFT BAC"),
        ("S&P 500, Nasdaq 100 and the Dow Jones", "SP500 NDX DJI"),
        ("gold, crude oil and natural gas", "GOLD WTIOIL NATGAS"),
        ("昨天比特币大涨，以太币和以太坊也跟涨", "BTC ETH"),
        ("特斯拉与英伟达，还有微软", "TSLA NVDA MSFT"),
        ("苹果公司发布财报", "AAPL"),
        ("黄金和原油，欧元兑美元", "GOLD WTIOIL EURUSD"),
        ("比特幣與蘋果公司", "BTC AAPL"),
    ],
)
def test_names_are_read_in_english_and_chinese(text: str, expected: str):
    assert about(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "the price is near support, see the link in the sand",
        "a meta comment on base metals by op, sui generis, move on, s",
        "an apple a day, an apple pie",
        "Apple pie is not a market",
        "sold meta tags and traded oracle feeds",
        "USD alone, 100 EUR, AI, CEO, ETF, API, TP, SL, PNL, I and A",
        "MOVE the stop, GAS is cheap, PUMP and dump, the GOAT, COST basis",
        "SOLID ARBITER ETHICS",
        "a gold standard with a silver lining",
        "SL/TP hit, win/loss 3/4, P&L and R&D, 24/7, 2026-04-14",
        "$100 $3,450.5 $65k $USD $TP",
        "price/usd, cost/usd and non-USD",
        "stats.dogecoin.example and bot_solana",
        "黄金交叉，苹果很好吃，以太网",
    ],
)
def test_words_that_only_look_like_a_market_are_none(text: str):
    assert about(text) == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("bought Apple and sold Oracle", "AAPL ORCL"),
        ("The user likes Meta", "META"),
        ("Apple's earnings beat", "AAPL"),
        ("apple shares fell", "AAPL"),
        ("long PUMP, sold 500 GOAT, my position in MOVE", "PUMP GOAT"),
        ("GAS-PERP and $GAS and GAS/USDC", "GAS"),
        ("买入苹果，小米股价", "AAPL XIAOMI"),
    ],
)
def test_a_word_becomes_a_market_by_capital_or_cue(text: str, expected: str):
    assert about(text) == expected


def test_a_price_and_a_number_are_no_spot_index_and_no_outcome_token():
    assert about("SOL @107, trade #10") == "SOL"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("preferred_chains: base, arbitrum", "chain:base chain:arbitrum"),
        ("swap on base, bridge to Arbitrum", "chain:base chain:arbitrum"),
        ("bought PEPE on Ethereum", "PEPE chain:ethereum"),
        ("bullish on Ethereum", "ETH"),
        ("long BTC and bullish on Solana", "BTC SOL"),
        ("bridged USDC to Solana", "USDC chain:solana"),
        ("rotated from BTC to Solana", "BTC SOL"),
        ("bridged from Base to Solana", "chain:base chain:solana"),
        ("Solana network fees", "chain:solana"),
        ("deployed on Ethereum, Solana and BSC", "chain:ethereum chain:solana chain:bsc"),
        ("BNB Chain and bsc", "chain:bsc"),
        ("bought Arbitrum at 1.1", "ARB"),
        ("long Hyperliquid on Hyperliquid", "HYPE chain:hyperliquid"),
        ("在以太坊上部署，以太坊上涨", "chain:ethereum ETH"),
        ("Base链上的手续费", "chain:base"),
    ],
)
def test_a_chain_is_told_from_its_coin(text: str, expected: str):
    assert about(text) == expected


def test_addresses_are_read_and_hashes_are_not():
    assert about(f"sent to {WALLET}.") == f"address:{WALLET.lower()}"
    assert about(f"mint {MINT}, {WRAPPED_SOL}") == f"address:{MINT} address:{WRAPPED_SOL}"
    assert about(f"https://explorer.example/token/{MINT}") == f"address:{MINT}"
    assert about(f"tx {EVM_HASH} and {SIGNATURE}") == ""


@pytest.mark.parametrize(
    "word",
    [
        "d41d8cd98f00b204e9800998ecf8427e",
        "a" * 43,  # 32 bytes in base 58, and yet no key: keys mix the cases
        "aB3dE6gH9jK2mN5pQ8sT1vW4xY7zAbCdEfG",  # too few bytes
        "z" * 42 + "1A",  # too many bytes
        "123e4567-e89b-12d3-a456-426614174000",
        "pneumonoultramicroscopicsilicovolcanoconiosis",
        "AVeryLongCamelCaseIdentifierOfSomeClass2",
        WALLET[:-1],
        WALLET + "0",
        MINT + "11",
        MINT[:-1] + "0",
    ],
)
def test_digests_identifiers_and_near_misses_are_no_addresses(word: str):
    assert about(word) == ""


PIECES = st.sampled_from(
    [
        "BTC",
        "$ETH",
        "bitcoin",
        "Apple",
        "base",
        "on",
        "买入",
        "比特币",
        "，",
        ".",
        "/",
        ":",
        "-",
        "$",
        "0x",
        "@",
        "#",
        "xyz:",
        "kPEPE",
        "'s",
        "不",
    ]
)


@given(st.text() | st.lists(PIECES | st.characters(), max_size=40).map("".join))
def test_any_text_gives_each_entity_once_and_always_the_same(text: str):
    found = extract_entities(text)

    assert len(set(found)) == len(found)
    assert found == extract_entities(text)
    assert all(entity.key for entity in found)


@pytest.mark.parametrize("text", ["\0", "\ud800BTC\udfff", "BTC\0ETH", "𝐁𝐓𝐂", "ＢＴＣ"])
def test_odd_characters_do_no_harm(text: str):
    assert set(extract_entities(text)) <= {Entity("ticker", "BTC"), Entity("ticker", "ETH")}


@pytest.mark.parametrize("unit", ["a-", "1,", "on ethereum ", "以太"])
def test_time_grows_with_the_length_of_a_hostile_text_and_no_faster(unit: str):
    def seconds(size: int) -> float:
        text = (unit * size)[:size]
        start = time.process_time()
        extract_entities(text)
        return time.process_time() - start

    # Ten times the text takes ten times as long; were it quadratic, a hundred times.
    assert seconds(2_000_000) < 40 * seconds(200_000) + 1

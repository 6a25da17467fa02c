"""Dollars of a swap: from a side in dollars, else by a price of then, else none."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from afterword.pipeline.domain.prices.book import PriceBook
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.domain.spot.model import SpotValue
from afterword.pipeline.domain.spot.value import priced_value, stable_value, why_no_dollars
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.rules.market.dollars import DOLLAR_PEGS, LASTING_DOLLARS, is_worth_a_dollar
from afterword.pipeline.testing.spot import wallet_swap

HOUR = timedelta(hours=1)
NOON = datetime(2021, 6, 1, 12, tzinfo=UTC)


def prices(symbol: str = "ETHUSDT", *closes: str, until: datetime = NOON) -> PriceBook:
    """Return hourly closes of a market, the last of them at a moment."""
    bars = [
        Bar(until - (len(closes) - place) * HOUR, HOUR, *([Decimal(close)] * 4), Decimal(1))
        for place, close in enumerate(closes)
    ]
    return PriceBook({Series("file", symbol, HOUR): bars})


@pytest.mark.parametrize(
    ("gave", "got", "usd"),
    [
        ("100 USDC", "2 WETH", 100),
        ("2 WETH", "100 crvUSD", 100),
        ("100 USDC", "99 USDT", 100),  # what was given
        ("5 3Crv", "7 GUSD", 7),
    ],
)
def test_a_side_in_dollars_says_it(gave, got, usd):
    assert stable_value(wallet_swap(gave, got, NOON)) == SpotValue(Decimal(usd), "stable_leg")


@pytest.mark.parametrize(
    ("token", "last_day", "first_day_without"),
    [
        ("UST", "2022-05-06", "2022-05-07"),
        ("USTC", "2022-05-06", "2022-05-07"),
        ("USDN", "2022-03-30", "2022-03-31"),
        ("MIM", "2022-06-16", "2022-06-17"),
        ("USDC", "2023-03-10", "2023-03-11"),
    ],
)
def test_a_token_is_a_dollar_until_it_lost_its_peg(token, last_day, first_day_without):
    then, after = (datetime.fromisoformat(f"{day}T23:00Z") for day in (last_day, first_day_without))

    assert stable_value(wallet_swap(f"10 {token}", "1 CRV", then)) is not None
    assert stable_value(wallet_swap(f"10 {token}", "1 CRV", after)) is None
    assert why_no_dollars(wallet_swap(f"10 {token}", "1 3Crv", after)) == "off its peg"


def test_a_peg_that_came_back_counts_again():
    assert is_worth_a_dollar("USDC", datetime(2023, 3, 14, tzinfo=UTC))
    assert "USDC" in LASTING_DOLLARS
    assert "UST" in set(DOLLAR_PEGS) - set(LASTING_DOLLARS)


@pytest.mark.parametrize(
    "token",
    ["USD\u0421", "usdc", "aUSDC", "USDC.e", "anyUSDT", "stableDebtUSDC", "3Crv", "MIM-UST-f"],
)
def test_a_look_alike_or_a_claim_on_dollars_is_none(token):
    """The first ends with the Cyrillic letter that looks like a C."""
    swapped = wallet_swap(f"100 {token}", "1 bBTC/sbtcCRV", NOON)

    assert stable_value(swapped) is None
    assert priced_value(swapped, prices("ETHUSDT", "2500")) is None
    assert why_no_dollars(swapped) == "unknown token"


def test_without_dollars_the_last_close_before_it_says_it():
    value = priced_value(wallet_swap("2 WETH", "9 3Crv", NOON), prices("ETHUSDT", "2400", "2500"))

    assert value == SpotValue(Decimal(5000), "price", "ETH", Decimal(2500), NOON)


def test_no_later_price_is_read():
    later = prices("ETHUSDT", "2500", until=NOON + HOUR)

    assert priced_value(wallet_swap("2 WETH", "9 3Crv", NOON), later) is None
    assert why_no_dollars(wallet_swap("2 WETH", "9 3Crv", NOON)) == "no price known"


def test_a_price_that_is_too_old_counts_for_nothing():
    old = prices("ETHUSDT", "2500", until=NOON - 3 * HOUR)

    assert priced_value(wallet_swap("2 WETH", "9 3Crv", NOON), old) is None


def test_a_price_in_a_token_that_had_lost_its_peg_counts_for_nothing():
    at = datetime(2022, 5, 12, 12, tzinfo=UTC)
    swapped = wallet_swap("2 WETH", "9 3Crv", at)

    assert priced_value(swapped, prices("ETHUSDT", "2000", until=at)) is None
    assert priced_value(swapped, prices("ETH-USD", "2000", until=at)) is not None


@pytest.mark.parametrize(
    ("token", "chain"),
    [
        ("SOL", "ethereum"),  # anybody can name a token SOL there
        ("wstETH", "ethereum"),  # worth more than an ETH
        ("stETH", "ethereum"),  # worth less, at times
        ("T", "ethereum"),
        ("ETH", "solana"),
        ("AAPL", "ethereum"),
    ],
)
def test_a_name_that_means_another_coin_there_has_no_price(token, chain):
    assert (
        priced_value(wallet_swap(f"2 {token}", "9 3Crv", NOON, chain=chain), prices(token, "150"))
        is None
    )


@pytest.mark.parametrize(
    ("token", "chain", "symbol"),
    [
        ("WETH", "arbitrum", "ETHUSDT"),
        ("HYPE", "hyperevm", "HYPE"),
        ("WSOL", "solana", "SOLUSDT"),
        ("CRV", "ethereum", "CRVUSDT"),
        ("PEPE", "ethereum", "kPEPE"),
    ],
)
def test_a_coin_of_its_chain_and_a_known_token_have_one(token, chain, symbol):
    value = priced_value(
        wallet_swap(f"2 {token}", "9 3Crv", NOON, chain=chain), prices(symbol, "3")
    )

    assert value is not None
    assert value.usd == (Decimal("0.006") if symbol == "kPEPE" else 6)

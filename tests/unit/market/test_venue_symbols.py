"""The forms of venues, data vendors and ccxt: each finds its asset, and nothing else does."""

import csv
import json
import os
import re
from pathlib import Path

import pytest

from afterword.pipeline.domain.prices.feed import asset_of
from afterword.pipeline.rules.market.classes import asset_class
from afterword.pipeline.rules.market.symbols import Symbol, normalise_symbol, parse_symbol
from afterword.pipeline.rules.market.taxonomy import EXCHANGES, FUTURES, INDEX_KEYS, VENUES

SHARED = Path(os.environ.get("AFTERWORD_SHARED") or Path(__file__).parents[4] / "shared")
EXPORTS = SHARED / "data" / "exports" / "trades"


@pytest.mark.parametrize(
    "written",
    [
        # ccxt: pair, settlement, last day
        *("BTC/USDT:USDT", "BTC/USD:BTC", "BTC/USDC:USDC", "BTC/USD:BTC-241227", "btc/usdt:usdt"),
        "HYNA-BTC/USDC:USDC",
        # cashtags and hashtags
        *("$BTC", "$btc", "#BTC", "$BTC-PERP"),
        # Kraken and BitMEX
        *("XBT", "XBT/USD", "XBTUSD", "XBTUSDT", "XXBT", "XXBTZUSD", "PF_XBTUSD", "PI_XBTUSD"),
        *("FI_XBTUSD_240927", "XBTM24", "XBTZ25"),
        # Bitfinex
        *("tBTCUSD", "tBTCUST", "tBTC:USD", "tBTCF0:USTF0"),
        # TradingView
        *("BINANCE:BTCUSDT", "BYBIT:BTCUSDT.P", "KRAKEN:XBTUSD", "COINBASE:BTCUSD", "CME:BTC1!"),
        # KuCoin, Bitget, Bybit, OKX, Binance, Gate, MEXC
        *("XBTUSDTM", "XBTUSDM", "BTCUSDT_UMCBL", "BTCUSD_DMCBL", "BTCPERP_CMCBL", "BTCUSDT_SPBL"),
        *("BTCPERP", "BTCUSDT-27DEC24", "BTCUSDH25", "BTC-USD-SWAP", "BTC-USDT-SWAP"),
        *("BTC-USD-240927", "BTCUSD_PERP", "BTCUSDT_241227", "BTC_USDT", "BTC_USDT_20241227"),
        # Deribit, Coinbase, WOO, Upbit, data vendors
        *("BTC-PERPETUAL", "BTC_USDC-PERPETUAL", "BTC-27JUN25", "BTC-7FEB25", "BTC-PERP-INTX"),
        *("PERP_BTC_USDT", "SPOT_BTC_USDT", "X:BTCUSD", "BTC=F"),
        # Phemex, Huobi, KuCoin's quarters, dYdX, MEXC
        *("sBTCUSDT", "sBTCUSDC", "BTC_CW", "BTC_NW", "BTC_CQ", "BTC_NQ", "BTC-USDT-CQ"),
        *("XBTMM24", "XBTMH25", "BTC-USD", "BTC_USDC"),
        # brokers' marks
        *("BTCUSD.a", "BTCUSD.pro", "BTCUSDm", "BTCUSDc", "BTCUSD#", "BTCUSD+", "BTCUSDT.x"),
    ],
)
def test_every_form_of_the_venues_finds_bitcoin_in_dollars(written: str):
    assert (normalise_symbol(written), asset_of(written)) == ("BTC", "BTC")


@pytest.mark.parametrize(
    ("written", "key", "asset"),
    [
        ("BTCEUR", "BTC", "BTC/EUR"),
        ("XXBTZEUR", "BTC", "BTC/EUR"),
        ("BTC/EUR:EUR", "BTC", "BTC/EUR"),
        ("KRW-BTC", "BTC", "BTC/KRW"),  # Upbit writes the currency first
        ("ETHBTC", "ETH", "ETH/BTC"),
        ("ETHXBT", "ETH", "ETH/BTC"),
        ("XETHXXBT", "ETH", "ETH/BTC"),
        ("CAKEBNB", "CAKE", "CAKE/BNB"),
        ("BTCEUR.a", "BTC", "BTC/EUR"),
        ("XAUEUR", "GOLD", "GOLD/EUR"),
        ("USDTTRY", "USDT", "USDT/TRY"),
        ("USDT", "USDT", "USDT"),
        ("USDCUSDT", "USDC", "USDC"),
    ],
)
def test_a_coin_in_another_money_keeps_prices_of_its_own(written: str, key: str, asset: str):
    assert (normalise_symbol(written), asset_of(written)) == (key, asset)


@pytest.mark.parametrize(
    ("written", "key", "multiplier"),
    [
        ("1000SATSUSDT", "SATS", 1_000),
        ("10000WHYUSDT", "WHY", 10_000),
        ("1MBABYDOGEUSDT", "BABYDOGE", 1_000_000),
        ("1000000MOG/USDT:USDT", "MOG", 1_000_000),
        ("SHIB1000USDT", "SHIB", 1_000),
        ("1000PEPE/USDT:USDT", "PEPE", 1_000),
    ],
)
def test_a_contract_on_many_coins_has_the_key_of_one(written: str, key: str, multiplier: int):
    symbol = parse_symbol(written)

    assert (symbol.key, symbol.multiplier) == (key, multiplier)


@pytest.mark.parametrize("written", ["BRK.B", "BRK-B", "BRK/B", "BRK B", "brk.b", "$BRK.B", "BRKB"])
def test_every_form_of_a_share_class_has_one_key(written: str):
    assert (normalise_symbol(written), asset_class(written)) == ("BRK.B", "stock")


def test_share_classes_are_not_each_other_and_not_their_company():
    keys = [normalise_symbol(one) for one in ("BRK.A", "BRK.B", "BRK", "BF-B", "LEN/B", "LEN")]

    assert keys == ["BRK.A", "BRK.B", "BRK", "BF.B", "LEN.B", "LEN"]


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("NASDAQ:AAPL", "AAPL"),
        ("NYSE:BRK.B", "BRK.B"),
        ("AMEX:SPY", "SPY"),
        ("AAPL.US", "AAPL"),
        ("AAPL US", "AAPL"),
        ("AAPL US Equity", "AAPL"),
        ("BRK/B US", "BRK.B"),
        ("#AAPL", "AAPL"),
        ("xyz:NVDA", "NVDA"),
        ("XYZ-NVDA/USDC:USDC", "NVDA"),
        ("^GSPC", "SP500"),
        ("SP:SPX", "SP500"),
        ("I:SPX", "SP500"),
        ("^N225", "NIKKEI225"),
        ("ES=F", "SP500"),
        ("/ES", "SP500"),
        ("ESZ5", "SP500"),
        ("CME_MINI:ES1!", "SP500"),
        ("MNQM6", "NDX"),
        ("GC=F", "GOLD"),
        ("COMEX:GC1!", "GOLD"),
        ("CL=F", "WTIOIL"),
        ("BZ=F", "BRENTOIL"),
        ("6E=F", "EURUSD"),
        ("EURUSD=X", "EURUSD"),
        ("JPY=X", "USDJPY"),
        ("EUR=X", "USDEUR"),  # Yahoo's EUR=X is a dollar in euros
        ("EUR_USD", "EURUSD"),
        ("OANDA:EUR_USD", "EURUSD"),
        ("FX:GBPJPY", "GBPJPY"),
        ("C:EURUSD", "EURUSD"),
        ("EURUSD.r", "EURUSD"),
        ("eurusd", "EURUSD"),
        ("EURUSDm", "EURUSD"),
        ("XAUUSD.pro", "GOLD"),
        ("OANDA:SPX500USD", "SP500"),
        # contracts for difference
        ("XAUUSD", "GOLD"),
        ("XAUUSD.a", "GOLD"),
        ("XAUUSDm", "GOLD"),
        ("XAGUSD#", "SILVER"),
        ("XPTUSD", "PLATINUM"),
        ("XPDUSD.r", "PALLADIUM"),
        ("XTIUSD", "WTIOIL"),
        ("XBRUSD.a", "BRENTOIL"),
        ("UKOIL", "BRENTOIL"),
        ("XNGUSD", "NATGAS"),
        ("USOIL.cash", "USOIL"),
        ("US500", "US500"),
        ("US500.cash", "US500"),
        ("US30", "DJI"),
        ("US30.cash", "DJI"),
        ("US100m", "NDX"),
        ("NAS100", "NDX"),
        ("USTEC", "NDX"),
        ("US2000", "RUT"),
        ("GER40", "DAX"),
        ("DE40.a", "DAX"),
        ("UK100", "FTSE100"),
        ("JPN225", "NIKKEI225"),
        ("JP225.a", "JP225"),
        ("HK50", "HSI"),
        ("EURUSD+", "EURUSD"),
        # several coins of one form
        ("sETHUSDT", "ETH"),
        ("sPEPEUSDT", "PEPE"),
        ("ETH-USDT-NQ", "ETH"),
        ("eth_cw", "ETH"),
        ("XXBTZUSD", "BTC"),
        ("PF_SOLUSD", "SOL"),
        ("SOL_USDC-PERPETUAL", "SOL"),
        ("ETHUSDCM", "ETH"),
        ("DOGEUSD.a", "DOGE"),
    ],
)
def test_stocks_indices_futures_and_currencies_are_found(written: str, key: str):
    assert normalise_symbol(written) == key


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("BTC-29DEC23-40000-C", "an option: a bought put is no bought coin"),
        ("BTC-241227-40000-P", "an option"),
        ("BTC/USD:BTC-241227-40000-C", "an option of ccxt"),
        ("BTC-27DEC24-100000-C-USDT", "an option of Bybit"),
        ("SPY251219C00650000", "an option of the OCC"),
        ("BTC-241399", "no such day"),
        ("FOO-241227", "an unknown asset"),
        ("#10", "an outcome token"),
        ("@99999", "a spot index without a published name"),
        ("$10", "an amount"),
        ("1000USDT", "an amount"),
        ("NYSE:SUI", "Sun Communities, not the coin"),
        ("NYSE:S", "SentinelOne, not Sonic"),
        ("SUI.US", "not the coin"),
        ("foo:BTC", "nothing is known of that venue"),
        ("BINANCE:FOO", "neither a known asset nor a pair"),
        ("BTC/FOO:FOO", "an unknown quote"),
        ("BTC/USDT:FOO", "an unknown settlement"),
        ("BTC-A", "a coin has no share classes"),
        ("USD-C", "a currency has none"),
        ("N/A", "no asset"),
        ("Plan B", "two words"),
        ("BTC.D", "the share of a coin in all coins"),
        ("VOD.L", "London"),
        ("ESX50", "the Euro Stoxx, not a future of 1950"),
        ("^XYZ", "an unknown index"),
        ("ZZ=F", "an unknown future"),
        ("t", "a letter"),
        ("XYZ_CQ", "an unknown coin"),
        ("F_CQ", "a stock has no quarter's end of Huobi"),
        ("AAPL_NW", "another stock"),
        ("BTC_CQ_X", "more than a quarter's end"),
        ("BTC-FOO-CQ", "an unknown quote"),
        ("FOOUSDT.a", "an unknown coin with a broker's mark"),
        ("AAPL.cfd", "a stock with a broker's mark, or another exchange"),
        ("GOLD.N", "Barrick Gold, not the metal"),
        ("SUI.a", "a coin or a stock"),
        ("US30Y", "a yield"),
        ("US30.10", "a number"),
        ("BTCUSD.12", "no broker's mark"),
        ("WTI", "a company or an oil"),
        ("BF B", "two words"),
        ("BTC-27DEC24-60000-P", "an option of Deribit"),
        ("BTC-USD-241227-60000-C", "an option of OKX"),
        ("BIT-29NOV24-CDE", "a token, or a hundredth of a bitcoin"),
    ],
)
def test_what_only_looks_like_a_market_keeps_its_own_text(written: str, why: str):
    assert parse_symbol(written) == Symbol(written if written != "t" else "T"), why


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("PERP_USDT", "PERP"),  # a coin of that name
        ("PERP-USDT-SWAP", "PERP"),
        ("PI_FDUSD", "PI"),  # another one, not Kraken's kind of contract
        ("YFI_FDUSD", "YFI"),
        ("SPX", "SPX"),  # a token; the index is ^SPX, SP:SPX or SP500
        ("tBTC", "TBTC"),  # a token of another chain, not Bitfinex
        ("1INCHUSDT", "1INCH"),
        ("$1INCH", "1INCH"),
        ("AAPLEUR", "AAPLEUR"),  # nobody closes up a stock with a currency
        ("META", "META"),
        ("sBTC", "SBTC"),  # a token of another chain, not Phemex
        ("sETH-USDT", "SETH"),
        ("SBTCUSDT", "SBTC"),  # Phemex writes a small letter
        ("sUSDEUSDT", "SUSDE"),  # staked dollars are worth more than dollars
        ("sDAIUSDT", "SDAI"),
        ("sFOOUSDT", "SFOO"),
        ("BTCUP", "BTCUP"),  # a leveraged token is no coin
        ("BTC3LUSDT", "BTC3L"),
        ("BTCDOMUSDT", "BTCDOM"),  # an index
    ],
)
def test_a_coin_that_looks_like_the_sign_of_a_venue_stays_the_coin(written: str, key: str):
    assert normalise_symbol(written) == key


def test_the_keys_of_the_tables_are_keys():
    listed = {*FUTURES.values(), *INDEX_KEYS.values()}

    assert [key for key in listed if normalise_symbol(key) != key] == []
    assert VENUES.isdisjoint(EXCHANGES)


BEFORE = """
    BTC=BTC btc=BTC BTCUSDT=BTC BTC-USD=BTC BTC/USDC=BTC BTC_USDC=BTC BTC-PERP=BTC BTCUSDT.P=BTC
    UBTC=BTC cbBTC=BTC WBTC=BTC @142=BTC hyna:BTC=BTC ETH=ETH stETH=ETH ETHBTC=ETH ETH/BTC=ETH
    ETH-USDT-SWAP=ETH SOLUSDC=SOL SOL/ETH=SOL kPEPE=PEPE 1000PEPE=PEPE kSHIB/USDC=SHIB
    1000BONKUSDT=BONK MERL=MERL MERLUSDT=MERL MERL-USD=MERL merl=MERL FOOUSD=FOOUSD SUSD=SUSD
    SETH=SETH SUSDT=S crvUSD=crvUSD CRVUSD=CRV ARBUSD=ARB PERP=PERP USDT=USDT USDC=USDC
    USDCUSDT=USDC USDT/EUR=USDT BTC/EUR=BTC TSLA=TSLA xyz:TSLA=TSLA TSLA-USD=TSLA xyz:GOOG=GOOG
    xyz:NEWCO=xyz:NEWCO flx:GAS=NATGAS xyz:CL=WTIOIL CL=WTIOIL GAS=GAS SPX=SPX SPX500=SP500
    km:US500=US500 XAU=GOLD XAUUSD=GOLD XAU/USD=GOLD XAGUSD=SILVER PAXG=PAXG EUR=EURUSD
    EURUSD=EURUSD EUR/USD=EURUSD EUR/USDT=EURUSD xyz:EUR=EURUSD JPY=USDJPY USDJPY=USDJPY
    GBPJPY=GBPJPY USDCAD=USDCAD USD=USD #10=#10 @107=HYPE @99999=@99999 foo:BTC=foo:BTC
    A/B/C=A/B/C bBTC/sbtcCRV=bBTC/sbtcCRV 0G=0G 1INCH=1INCH K=K V=V F=F COIN=COIN DXY=DXY
    NIKKEI225=NIKKEI225 NIKKEI225-USDC-PERP=NIKKEI225 vntl:OPENAI=OPENAI para:BTCD=BTCD
"""


@pytest.mark.parametrize("pair", BEFORE.split())
def test_a_key_that_stores_are_filed_by_is_the_same_as_before(pair: str):
    written, _, key = pair.partition("=")

    assert normalise_symbol(written) == key


@pytest.mark.skipif(not EXPORTS.exists(), reason="the shared exports are not here")
@pytest.mark.parametrize(
    ("name", "column", "keys"),
    [
        ("constructed_kraken_trades.csv", "pair", {"ADA", "BTC", "ETH"}),
        ("constructed_bybit_closed_pnl_2022.csv", "Contracts", {"BTC", "OP", "THETA", "TRX"}),
        ("constructed_tradovate_performance.csv", "symbol", {"NDX", "SP500"}),
        ("constructed_mexc_spot_trades.csv", "Pairs", {"KAS"}),
    ],
)
def test_the_symbols_of_exports_find_their_assets(name: str, column: str, keys: set[str]):
    with (EXPORTS / name).open(newline="", encoding="utf-8-sig") as file:
        found = {normalise_symbol(row[column]) for row in csv.DictReader(file)}

    assert keys <= found
    assert {asset_class(key) for key in found} & {"unknown"} == set()


@pytest.mark.skipif(not EXPORTS.exists(), reason="the shared exports are not here")
def test_the_symbols_of_ccxt_find_their_assets():
    trades = json.loads((EXPORTS / "ccxt_hyperliquid_fetch_my_trades.json").read_text())
    base = re.compile(r"[A-Z0-9]+")

    assert trades
    for trade in trades:
        head = base.match(trade["symbol"])
        assert head and asset_of(trade["symbol"]) == head[0]

"""The known symbols and their classes: public facts, never complete."""

from itertools import product
from typing import Final, Literal

from afterword.pipeline.rules.market.dollars import LASTING_DOLLARS

AssetClass = Literal[
    "major_crypto",
    "layer_1",
    "layer_2",
    "defi_blue_chip",
    "meme_coin",
    "crypto_other",
    "stablecoin",
    "stock",
    "etf",
    "pre_ipo",
    "index",
    "commodity",
    "forex",
    "unknown",
]
"""The class of assets that a market moves with; `unknown` is an answer, never a guess."""

AssetGroup = Literal["crypto", "stock", "index", "commodity", "forex"]
"""The five groups of a report."""

GROUP_OF: Final[dict[AssetClass, AssetGroup]] = {
    "major_crypto": "crypto",
    "layer_1": "crypto",
    "layer_2": "crypto",
    "defi_blue_chip": "crypto",
    "meme_coin": "crypto",
    "crypto_other": "crypto",
    "stablecoin": "crypto",
    "stock": "stock",
    "etf": "stock",
    "pre_ipo": "stock",
    "index": "index",
    "commodity": "commodity",
    "forex": "forex",
}

_SYMBOLS: Final[dict[AssetClass, str]] = {
    "major_crypto": "BTC ETH",
    # S is Sonic, formerly FTM; GAS without a prefix is the gas token of Neo.
    "layer_1": """
        SOL BNB XRP ADA AVAX TRX DOT NEAR ATOM SUI APT SEI TON LTC BCH ETC HBAR ICP FIL KAS XLM
        XMR ZEC DASH NEO GAS ALGO INJ TIA BERA HYPE S FTM EGLD CFX STX RUNE MOVE INIT 0G MON XPL
        VET XTZ EOS FLOW KAVA IOTA THETA KSM CRO QNT""",
    "layer_2": "ARB OP MATIC POL STRK ZK MANTA BLAST SCR IMX MNT METIS LINEA ZETA",
    "defi_blue_chip": """
        UNI AAVE MKR SKY CRV LDO COMP SNX SUSHI GMX DYDX PENDLE ENA JUP JTO CAKE LINK AERO MORPHO
        ONDO ETHFI EIGEN PYTH RSR BAL YFI 1INCH RAY""",
    # SPX is SPX6900, a token; the index of 500 companies is SP500.
    "meme_coin": """
        DOGE SHIB PEPE BONK WIF FLOKI POPCAT BRETT MEW MOODENG PNUT GOAT FARTCOIN TRUMP MELANIA
        TURBO NEIRO NEIROETH PENGU CHILLGUY SPX MEME BOME DOGS LUNC ANIME VINE GRIFFAIN ZEREBRO
        CASHCAT PUMP""",
    "crypto_other": """
        BTCD TOTAL2 PURR WLD APE TAO RENDER FET GRT SAND MANA AXS GALA CHZ ENS VIRTUAL OKB LEO AR
        ORDI JASMY WLFI ASTER ZRO KAITO""",
    "stablecoin": " ".join(LASTING_DOLLARS),
    "stock": """
        TSLA NVDA INTC MU CRCL HOOD SNDK GOOGL COIN ORCL AMZN PLTR AAPL META AMD MSFT BABA RIVN
        NFLX COST LLY TSM MSTR CRWV GME HIMS USAR DKNG BIRD RKLB MRVL ZM EBAY PURRDAT ARM BX LITE
        SKHX SMSN HYUNDAI SOFTBANK KIOXIA GOOG AVGO QCOM ASML CRM ADBE CSCO IBM TXN SNOW UBER ABNB
        SHOP PYPL MARA RIOT JPM BAC GS MS WFC V MA JNJ PFE MRK UNH NVO XOM KO PEP MCD SBUX NKE WMT
        DIS BA F GM LCID NIO LI XPEV JD PDD BIDU TCEHY XIAOMI BYD AMC SMCI DELL BRK.A BRK.B""",
    "etf": "EWY EWJ EWT EWZ URNM DRAM XLE SPY QQQ IWM DIA USO GLD SLV TLT IBIT ETHA ARKK FXI",
    "pre_ipo": "CBRS SPCX IPOP SPACEX OPENAI ANTHROPIC",
    "index": """
        SP500 NDX DJI RUT HSI NIKKEI225 DAX FTSE100 CSI300 XYZ100 JP225 KR200 VIX US500 USTECH
        MAG7 SEMIS ROBOT INFOTECH NUCLEAR DEFENSE BIOTECH ENERGY""",
    # PAXG and XAUT0 are gold tokens: they move with gold on every market.
    "commodity": """
        GOLD SILVER WTIOIL BRENTOIL OIL USOIL NATGAS COPPER ALUMINIUM URANIUM PLATINUM PALLADIUM
        PAXG XAUT XAUT0""",
    # Sources disagree on DXY: it is a basket of currencies, so it is forex here.
    "forex": "DXY",
}

CLASS_OF: Final[dict[str, AssetClass]] = {
    symbol: asset_class for asset_class, symbols in _SYMBOLS.items() for symbol in symbols.split()
}
"""Class of every single symbol; a pair of two currencies is forex."""

_CURRENCIES: Final = """
    USD EUR GBP JPY CHF AUD NZD CAD CNY CNH HKD SGD KRW INR MXN BRL ZAR TRY SEK NOK DKK PLN THB
    TWD"""

CURRENCIES: Final = frozenset(_CURRENCIES.split())
"""ISO 4217 codes (and offshore CNH): two of them make a forex pair, one alone is money."""

QUOTED_IN_DOLLARS: Final = frozenset({"EUR", "GBP", "AUD", "NZD"})
"""Currencies written first in their dollar pair; the others come second, as in USDJPY."""

DOLLAR_TOKENS: Final = frozenset(LASTING_DOLLARS)

KRAKEN_KEYS: Final[dict[str, str]] = {
    "XXBT": "BTC",
    "XETH": "ETH",
    "XXDG": "DOGE",
    "XXRP": "XRP",
    "XLTC": "LTC",
    "XETC": "ETC",
    "XXLM": "XLM",
    "XXMR": "XMR",
    "XZEC": "ZEC",
}
"""Kraken's first coins: an X before the symbol, and in pairs an X or Z before the quote."""

ONE_KEY: Final[dict[str, str]] = {
    "XBT": "BTC",
    "XDG": "DOGE",
    "BRKA": "BRK.A",
    "BRKB": "BRK.B",
    "XAU": "GOLD",
    "XAUUSD": "GOLD",
    "XAG": "SILVER",
    "XAGUSD": "SILVER",
    "CL": "WTIOIL",
    "SPX500": "SP500",
    "WBTC": "BTC",
    "UBTC": "BTC",
    "CBBTC": "BTC",
    "WETH": "ETH",
    "UETH": "ETH",
    "STETH": "ETH",
    "WSTETH": "ETH",
    "WSOL": "SOL",
    "USOL": "SOL",
    "WHYPE": "HYPE",
}
"""Synonyms: the same metal per ounce, index per point, or wrapped token."""

CFD_KEYS: Final[dict[str, str]] = {
    **{name: name for name in ("US500", "JP225", "USOIL")},  # keys that stores are filed by
    **dict.fromkeys(("US30", "WS30", "DJ30"), "DJI"),
    **dict.fromkeys(("US100", "NAS100", "USTEC"), "NDX"),
    "US2000": "RUT",
    **dict.fromkeys(("GER30", "GER40", "DE30", "DE40", "DAX40"), "DAX"),
    "UK100": "FTSE100",
    "JPN225": "NIKKEI225",
    "HK50": "HSI",
    "UKOIL": "BRENTOIL",
    "XBRUSD": "BRENTOIL",
    "XTIUSD": "WTIOIL",
    "XNGUSD": "NATGAS",
    "XPT": "PLATINUM",
    "XPD": "PALLADIUM",
}
"""Names that brokers give their contracts for difference. A text never means them: US100 can be an
amount in it. Bare WTI is not here: it is a listed company too.
"""

INDEX_KEYS: Final[dict[str, str]] = {
    "SPX": "SP500",
    "GSPC": "SP500",
    "NDX": "NDX",
    "DJI": "DJI",
    "RUT": "RUT",
    "VIX": "VIX",
    "HSI": "HSI",
    "N225": "NIKKEI225",
    "NI225": "NIKKEI225",
    "GDAXI": "DAX",
    "DAX": "DAX",
    "FTSE": "FTSE100",
}
"""Symbols that mean an index behind `^` or at an exchange; SPX alone is a token."""

FUTURES: Final[dict[str, str]] = {
    **dict.fromkeys(("ES", "MES"), "SP500"),
    **dict.fromkeys(("NQ", "MNQ"), "NDX"),
    **dict.fromkeys(("YM", "MYM"), "DJI"),
    **dict.fromkeys(("RTY", "M2K"), "RUT"),
    **dict.fromkeys(("GC", "MGC"), "GOLD"),
    **dict.fromkeys(("SI", "SIL"), "SILVER"),
    **dict.fromkeys(("CL", "MCL"), "WTIOIL"),
    "BZ": "BRENTOIL",
    "NG": "NATGAS",
    "HG": "COPPER",
    "ALI": "ALUMINIUM",
    "PL": "PLATINUM",
    "PA": "PALLADIUM",
    "6E": "EURUSD",
    "6B": "GBPUSD",
    "6A": "AUDUSD",
    "6N": "NZDUSD",
    "DX": "DXY",
    **dict.fromkeys(("BTC", "MBT", "XBT", "XBTM"), "BTC"),  # XBTM: of KuCoin
    "ETH": "ETH",
}
"""Roots of futures and what they deliver; without the month of delivery only behind `/` or before
`=F` and `1!`. 6J and 6C are quoted the other way round than their pair, so they are not here.

Source: product lists of CME Group and ICE.
"""

_OTHER_FUTURES: Final = """
    ZC ZS ZW ZL ZM ZO KE ZN ZB ZF ZT TN UB HE LE GF CC KC CT SB OJ RB HO 6A 6B 6C 6J 6S 6N 6M M6E
    M6A M6B MBT MET QM QG NKD VX VXM FDAX FDXM FDXS FESX FSXE FGBL FGBM FGBS"""

OTHER_FUTURES: Final = frozenset(_OTHER_FUTURES.split())
"""Roots of futures whose asset no key names: grains, rates, meats, more currencies."""

_VENUES: Final = """
    BINANCE BINANCEUS COINBASE KRAKEN BITSTAMP BITFINEX BITMEX BYBIT OKX OKEX KUCOIN GATE GATEIO
    BITGET MEXC HUOBI HTX GEMINI DERIBIT PHEMEX BINGX CRYPTOCOM CRYPTO UPBIT BITHUMB POLONIEX DYDX
    HYPERLIQUID BITTREX X FX FX_IDC OANDA FXCM FOREXCOM SAXO PEPPERSTONE ICMARKETS CAPITALCOM C"""

VENUES: Final = frozenset(_VENUES.split())
"""Venues of coins and currencies, as TradingView and data vendors write them before a colon."""

_EXCHANGES: Final = """
    NASDAQ NYSE AMEX ARCA NYSEARCA BATS OTC CBOE SP DJ TVC I CME CME_MINI CBOT CBOT_MINI COMEX
    COMEX_MINI NYMEX NYMEX_MINI ICEUS"""

EXCHANGES: Final = frozenset(_EXCHANGES.split())
"""Exchanges of stocks, indices and futures: NYSE:SUI is a company, not the coin of that symbol."""

_THOUSANDS: Final = ("PEPE", "SHIB", "BONK", "FLOKI", "LUNC", "DOGS", "NEIRO")

PER_THOUSAND: Final[dict[str, str]] = {
    prefix + coin: coin for prefix, coin in product(("K", "1000"), _THOUSANDS)
}
"""Contracts on a thousand coins, in upper case: their price is 1000 times the coin's."""

SPOT_PAIRS: Final[dict[str, str]] = {
    "@107": "HYPE/USDC",
    "@142": "UBTC/USDC",
    "@151": "UETH/USDC",
    "@156": "USOL/USDC",
    "@182": "XAUT0/USDC",
}
"""Hyperliquid spot indices with a published name; any other index stays unknown."""

_BUILDERS: Final[dict[str, str]] = {
    "xyz": """
        TSLA NVDA INTC MU CRCL HOOD SNDK GOOGL COIN ORCL AMZN PLTR AAPL META AMD MSFT BABA RIVN
        NFLX COST LLY TSM MSTR CRWV GME HIMS USAR DKNG BIRD RKLB MRVL ZM EBAY PURRDAT ARM BX LITE
        SKHX SMSN HYUNDAI SOFTBANK KIOXIA CBRS SPCX IPOP SP500 XYZ100 JP225 KR200 VIX EWY EWJ EWT
        EWZ URNM DRAM XLE GOLD SILVER CL WTIOIL COPPER ALUMINIUM URANIUM NATGAS PLATINUM PALLADIUM
        BRENTOIL EUR JPY GBP DXY""",
    "flx": "COPPER GOLD OIL PALLADIUM PLATINUM SILVER GAS NVDA TSLA",
    "km": "US500 USTECH GOLD SILVER USOIL",
    "vntl": """
        SPACEX OPENAI ANTHROPIC MAG7 SEMIS ROBOT INFOTECH NUCLEAR DEFENSE BIOTECH ENERGY""",
    "hyna": "BTC ETH",
    "para": "BTCD TOTAL2",
}

BUILDER_MARKETS: Final[dict[str, frozenset[str]]] = {
    dex: frozenset(symbols.split()) for dex, symbols in _BUILDERS.items()
}
"""Hyperliquid builder dexes (HIP-3) and the known symbols of each."""

BUILDER_KEYS: Final[dict[str, str]] = {"flx:GAS": "NATGAS"}
"""Builder markets with a symbol that means something else without its prefix."""

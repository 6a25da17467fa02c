"""The known indicators: what a methodology watches, by one name each, with other ways to write it.

The list is finite so that two methodologies that watch the same share their structured fields (R5).
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from afterword.pipeline.domain.memory.checks import short_repr
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.expression import expression
from afterword.pipeline.rules.text.words import in_both_scripts

_ALIASES: Final = {
    # price and its averages
    "rsi": "rsi|relative strength index|相对强弱指标|相对强弱指数",
    "stochastic": "stochastic|stochastics|stoch rsi|stochrsi|kdj|随机指标",
    "macd": "macd|moving average convergence divergence",
    "moving_average": (
        "moving average|moving averages|sma|ema|ma|day average|week average|average line|"
        "day ma|week ma|golden cross|death cross|均线|移动平均线|移动平均"
    ),
    "bollinger_bands": "bollinger|bollinger band|bollinger bands|布林带|布林线",
    "keltner_channel": "keltner|keltner channel|keltner channels",
    "donchian_channel": (
        "donchian|donchian channel|day high|day low|week high|week low|range high|range low|日高点|"
        "日低点|日新高|日新低"
    ),
    "atr": "atr|average true range",
    "adx": "adx|average directional index",
    "vwap": "vwap|volume weighted average price",
    "ichimoku": "ichimoku|ichimoku cloud|一目均衡表",
    "fibonacci": "fibonacci|fib|fibs|fibonacci retracement|斐波那契",
    "support_resistance": "support|supports|resistance|支撑|支撑位|阻力|阻力位",
    "trendline": "trendline|trendlines|trend line|downtrend line|uptrend line|趋势线",
    "double_top": "double top|双顶",
    "double_bottom": "double bottom|双底",
    "head_and_shoulders": "head and shoulders|头肩顶|头肩底",
    "triangle": "triangle|triangles|三角形",
    "wedge": "wedge|wedges|楔形",
    "flag_pattern": "flag pattern|bull flag|bear flag|旗形",
    "cup_and_handle": "cup and handle|杯柄",
    "engulfing": "engulfing|engulfing candle|吞没",
    "hammer": "hammer|shooting star|锤子线",
    "doji": "doji|十字星",
    "pin_bar": "pin bar|pinbar",
    "opening_range": (
        "opening range|orb|first 15 minute range|first 15 minutes|first 60 minute range"
    ),
    "gap": "gap|gaps|gap up|gap down|跳空|缺口",
    "volume": "volume|volumes|turnover|成交量|放量|缩量",
    "volume_profile": "volume profile|poc|point of control|value area",
    "cvd": "cvd|cumulative volume delta|order flow",
    "order_book": "order book|orderbook|bid ask imbalance|盘口",
    "relative_strength": "relative strength|relative performance|outperformance|strongest|weakest",
    "volatility": "realised volatility|realized volatility|historical volatility|波动率",
    # derivatives
    "funding_rate": "funding|funding rate|funding rates|资金费率|资金费",
    "open_interest": "open interest|oi|持仓量|未平仓合约",
    "liquidations": "liquidation|liquidations|liquidation heatmap|爆仓|清算",
    "basis": "basis|futures premium|contango|backwardation|基差|升水|贴水",
    "implied_volatility": "implied volatility|iv|dvol|隐含波动率",
    "vix": "vix|volatility index",
    "put_call_ratio": "put call ratio|put/call ratio|skew|看跌看涨比",
    "long_short_ratio": "long short ratio|long/short ratio|retail traders|retail accounts|多空比",
    # on chain
    "exchange_flows": (
        "exchange inflow|exchange inflows|exchange outflow|exchange outflows|outflows from "
        "exchanges|outflow from exchanges|inflows to exchanges|to exchanges|from exchanges|"
        "交易所流入|交易所流出"
    ),
    "whale_activity": "whale|whales|largest holders|large holders|巨鲸",
    "holders": "holders|number of holders|holder growth|top ten wallets|top 10 wallets|持币地址",
    "mvrv": "mvrv|mvrv ratio",
    "sopr": "sopr",
    "nvt": "nvt|nvt ratio",
    "active_addresses": "active addresses|daily active users|daily users|活跃地址",
    "hash_rate": "hash rate|hashrate|hash price|hashprice|miners|miner|算力|矿工",
    "stablecoin_supply": "stablecoin supply|stablecoin inflows|usdt supply|稳定币供应",
    "tvl": "tvl|total value locked|bridged value|总锁仓",
    "protocol_fees": "fees|protocol fees|fee revenue|protocol revenue|协议收入",
    "token_unlocks": "unlock|unlocks|token unlock|token unlocks|vesting|emissions|解锁",
    "btc_dominance": "btc dominance|bitcoin dominance|比特币市占率",
    "developer_activity": "active developers|developers|developer activity|commits",
    # companies
    "earnings": "earnings|eps|earnings surprise|guidance|财报|业绩",
    "valuation": (
        "valuation|p/e|pe ratio|p/s|price to sales|price to book|p/b|price to earnings|ev/ebitda|"
        "free cash flow yield|市盈率|市净率|估值"
    ),
    "revenue_growth": "revenue|revenues|revenue growth|sales growth|营收",
    "profitability": "return on capital|roic|roe|return on equity|margin|margins|利润率",
    "balance_sheet": "debt|leverage ratio|balance sheet|buyback|buybacks|负债",
    "insider_trades": "insider|insiders|insider purchases|insider buying|内部人",
    "analyst_ratings": "analyst|analysts|upgrades|downgrades|analyst rating|评级",
    "dividend": "dividend|dividends|dividend yield|股息",
    # macro
    "interest_rates": "interest rate|interest rates|rate hike|rate cut|fed funds|cut rates|利率",
    "yields": (
        "yield curve|yields|real yields|treasury yield|real rate|real rates|yield spread|year "
        "yields|the curve|收益率"
    ),
    "inflation": "inflation|cpi|core cpi|ppi|pce|通胀",
    "employment": "payrolls|nonfarm|unemployment|jobless claims|非农|失业率",
    "gdp": "gdp|pmi|ism",
    "liquidity": "m2|global liquidity|money supply|流动性",
    "dollar_index": "dxy|dollar index|the dollar|美元指数",
    "central_bank": "central bank|central banks|fed decision|fomc|ecb|boj|美联储",
    "inventories": "inventory|inventories|weekly inventory|stockpiles|库存",
    "cot": "cot|cot report|commitments of traders|speculative net longs|net longs",
    "seasonality": "seasonality|seasonal|day of the week|month end|季节性",
    "weather": "weather|forecast turns|temperature|colder|warmer|hurricane|天气",
    # moods and events
    "fear_greed": "fear and greed|fear & greed|fear greed|恐惧贪婪",
    "social_volume": "social volume|social mentions|mentions|google trends|社交热度",
    "news": "news|headline|headlines|新闻",
    "etf_flows": "etf flows|etf inflows|etf outflows",
    "listing": "listing|listings|delisting|上线|上币",
    "governance": "governance|governance vote|governance votes|proposal|治理",
    "correlation": "correlation|beta|cointegration|pairs trade|相关性",
}

INDICATORS: Final = tuple(_ALIASES)
"""Every known indicator, by its name."""

MAX_INDICATORS: Final = 12
"""Indicators of one methodology."""


class IndicatorMention(NamedTuple):
    """An indicator that a text names.

    Args:
        at: where its name begins; characters.
        end: where it ends.
        written: as the text has it, in small letters.
    """

    at: int
    end: int
    name: str
    written: str


def _names() -> dict[str, str]:
    table = {name: name for name in _ALIASES} | {name.replace("_", " "): name for name in _ALIASES}
    for name, aliases in _ALIASES.items():
        table |= dict.fromkeys(aliases.split("|"), name)
    return in_both_scripts(table)


def _any_of(names: Iterable[str]) -> str:
    """Return a pattern of all names, the longest first; one look at a letter rules most out."""
    of_letter = defaultdict[str, list[str]](list)
    for name in sorted(names, key=lambda name: (-len(name), name)):
        of_letter[name[0]].append(re.escape(name[1:]))
    first = "".join(map(re.escape, of_letter))
    grouped = (f"{re.escape(letter)}(?:{'|'.join(ends)})" for letter, ends in of_letter.items())
    return f"(?=[{first}])(?:{'|'.join(grouped)})"


_NAME_OF: Final = _names()
_SPACED: Final = _any_of(name for name in _NAME_OF if name.isascii())
_UNSPACED: Final = _any_of(name for name in _NAME_OF if not name.isascii())
_MENTION: Final = expression(rf"(?<![a-z0-9_]){_SPACED}(?![a-z_])|{_UNSPACED}")


def mentions(text: str) -> Iterator[IndicatorMention]:
    """Yield the indicators that a text names, in their order; `-` reads as a blank."""
    lowered = text.lower().replace("-", " ")
    for match in _MENTION.finditer(lowered):
        yield IndicatorMention(match.start(), match.end(), _NAME_OF[match[0]], match[0])


# Rules and templates decide in the same words again and again, and each pass reads them all.
@lru_cache(maxsize=1_024)
def read_indicators(text: str) -> tuple[str, ...]:
    """Return the indicators that a text names, sorted, at most as many as a methodology has."""
    return tuple(sorted(dict.fromkeys(mention.name for mention in mentions(text)))[:MAX_INDICATORS])


def checked_indicators(given: object, field: str) -> tuple[str, ...]:
    """Return indicators by their names, sorted, each once.

    Args:
        given: names, or other ways to write them.

    Raises:
        InvalidInputError: not a list, too many, or one that is not known.
    """
    accepted = f"a list of up to {MAX_INDICATORS} of: {', '.join(INDICATORS)}"
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise InvalidInputError(field, f"{short_repr(given)} is not a list", accepted)
    if len(given) > MAX_INDICATORS:
        raise InvalidInputError(field, f"names {len(given)}", accepted)
    names = set()
    for place, word in enumerate(given):
        spelled = " ".join(word.lower().replace("-", " ").split()) if isinstance(word, str) else ""
        name = _NAME_OF.get(spelled)
        if name is None:
            raise InvalidInputError(f"{field}[{place}]", f"{short_repr(word)} is unknown", accepted)
        names.add(name)
    return tuple(sorted(names))

"""The primary signal of a methodology, read from its text where nobody names it."""

import re
from typing import Final

from afterword.pipeline.domain.methodologies.model import SIGNALS, PrimarySignal
from afterword.pipeline.errors import InvalidInputError

_WORDS: Final[dict[PrimarySignal, str]] = {
    "momentum": (
        r"momentum|trend[- ]following|break(?:s|ing)? out|breakouts?|new highs?|new lows?|"
        r"all[- ]time high|strongest|relative strength|day high|day low|outperform\w*|"
        r"动量|突破|新高|新低"
    ),
    "mean_reversion": (
        r"mean[- ]reversion|revert\w*|oversold|overbought|fades?|bounces?|dips?|"
        r"pullback to the mean|capitulation|均值回归|超卖|超买|抄底"
    ),
    "fundamental": (
        r"fundamentals?|earnings yield|price to \w+|p/[esb]|valuation|revenues?|margins?|"
        r"free cash flow|return on (?:capital|equity)|roic|debt|protocol fees|fee revenue|"
        r"inventor(?:y|ies)|developers|基本面|估值|营收"
    ),
    "on_chain": (
        r"on[- ]chain|exchange (?:in|out)flows?|(?:in|out)flows? (?:to|from) exchanges|whales?|"
        r"mvrv|sopr|nvt|holders|wallets|miners?|hash ?rate|active addresses|tvl|"
        r"链上|巨鲸|交易所流[入出]|矿工"
    ),
    "sentiment": (
        r"sentiment|funding(?: rates?)?|fear (?:and|&) greed|vix|social|mentions|retail|"
        r"put[/ ]call|long[/ ]short ratio|cot|net longs|crowd\w*|情绪|资金费率|恐惧|贪婪|多空比"
    ),
    "macro": (
        r"macro|cpi|inflation|fed|fomc|central banks?|yields?|yield curve|dxy|dollar index|m2|gdp|"
        r"payrolls|interest rates?|real rates?|宏观|通胀|利率|美联储|收益率"
    ),
    "event": (
        r"events?|earnings|unlocks?|listings?|halving|forks?|upgrade|airdrops?|hearing|approval|"
        r"governance|offering|lock[- ]up|merger|etf decision|事件|财报|解锁|上币|减半"
    ),
    "technical": (
        r"technical|support|resistance|trend ?lines?|double (?:top|bottom)|head and shoulders|"
        r"neckline|fib\w*|bollinger|keltner|macd|rsi|vwap|moving averages?|\d{1,4}[- ](?:day|week) "
        r"(?:average|ma)|candle\w*|chart|支撑|阻力|趋势线|均线|布林|形态"
    ),
}
_SIGNALS: Final = {
    name: re.compile(rf"(?<![a-z])(?:{words})(?![a-z])", re.IGNORECASE)
    for name, words in _WORDS.items()
}


def read_signal(text: str) -> PrimarySignal:
    """Return the signal that most different words of a text speak for.

    `technical` is what a chart shows in any way: it counts only where no other word speaks.

    Raises:
        InvalidInputError: none is named, or two are named equally often.
    """
    counts = {
        name: len({word.lower() for word in pattern.findall(text)})
        for name, pattern in _SIGNALS.items()
    }
    own = {name: count for name, count in counts.items() if name != "technical" and count}
    best = [name for name, count in own.items() if count == max(own.values())]
    if len(best) == 1:
        return best[0]
    if not own and counts["technical"]:
        return "technical"
    problem = "is missing, and the text names none"
    if best:
        problem = f"is missing, and the text speaks of {' and of '.join(best)}"
    raise InvalidInputError("primary_signal", problem, ", ".join(SIGNALS))

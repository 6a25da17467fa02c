"""Words that change the meaning of a statement, in several languages."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from afterword.pipeline.rules.text.words import in_both_scripts

NEGATION: Final = "not"

_NEGATION: Final = """
    not|no|never|none|nothing|without|neither|nor|nobody|avoid|avoids|avoided|avoiding|refuse|
    refuses|refused|refusing|exclude|excludes|excluding|except|unless|forbid|forbids|forbidden|ban|
    banned|bans|skip|skips|reject|rejects|instead of|rather than|
    不|没|沒|无|無|未|勿|别|別|莫|非|禁止|避免|拒绝|停止|从不|绝不|不再|不能|不要|不会|没有|尚未|并非|切勿|
    nunca|jamás|sin|ningún|ninguna|nicht|kein|keine|keinen|keiner|nie|niemals|ohne|ne|pas|jamais|
    sans|aucun|não|sem|nem|non|mai|senza|не|нет|никогда|без|ない|ません|ず|しない|안|않|못|없|금지
"""

_IDIOMS: Final = """
    not only|no doubt|no matter|nothing but|
    不错|不断|不少|不久|不仅|不但|不得不|不过|不同|非常|非农|无论|无限|特别|类别|分别|区别|级别|个别|别人|别的|
    未来|未平仓|没问题|无聊|必不可少|不足|差不多|对不起
"""
"""Phrases that contain a negation word and negate nothing."""

_TURNS: Final[Mapping[str, Mapping[str, str]]] = {
    "side": {
        "buy": (
            "buy|buys|buying|bought|purchase|purchases|accumulate|accumulates|accumulating|买入|"
            "买进|买|购买|购入|吸筹|抄底|compra|comprar|kaufen|kauft|achète|acheter|купить|"
            "покупает|買い|매수"
        ),
        "sell": (
            "sell|sells|selling|sold|dump|dumps|dumping|offload|offloads|卖出|卖掉|卖|抛售|抛出|"
            "vende|vender|verkaufen|verkauft|vend|vendre|продать|продаёт|продает|売り|매도"
        ),
        "long": (
            "long|longs|longing|longed|做多|多单|多头|开多|多仓|看多|лонг|ロング|롱|largo|largos"
        ),
        "short": (
            "short|shorts|shorting|shorted|做空|空单|空头|开空|空仓|看空|沽空|шорт|ショート|숏|"
            "corto|cortos"
        ),
        "call": "call|calls|看涨期权",
        "put": "put|puts|看跌期权",
        "bull": "bull|bullish|bulls|看涨|上涨|涨",
        "bear": "bear|bearish|bears|看跌|下跌|跌",
    },
    "act": {
        "enter": (
            "enter|enters|entering|entry|entries|entered|open|opens|opening|opened|进场|入场|"
            "建仓|开仓|entra"
        ),
        "leave": (
            "exit|exits|exiting|exited|leave|leaves|close|closes|closing|closed|离场|出场|平仓|"
            "清仓|sale"
        ),
        "add": (
            "add|adds|adding|added|increase|increases|increased|raise|raises|raised|加仓|增加|"
            "提高|增持"
        ),
        "reduce": (
            "reduce|reduces|reducing|reduced|cut|cuts|trim|trims|lower|lowers|lowered|decrease|"
            "decreases|减仓|减少|降低|减持"
        ),
    },
    "level": {
        "stop": "stop loss|stop-loss|stoploss|stop|stops|sl|止损|stopp",
        "target": (
            "take profit|take-profit|takes profit|profit target|tp|target|targets|止盈|目标价"
        ),
    },
    "order": {
        "limit": "limit order|limit orders|maker|限价单|限价|挂单",
        "market": "market order|market orders|taker|市价单|市价|吃单",
    },
    "margin": {
        "isolated": "isolated|逐仓",
        "cross": "cross margin|cross-margin|全仓",
    },
    "product": {
        "spot": "spot|现货",
        "perp": "perp|perps|perpetual|perpetuals|futures|合约|永续|期货",
    },
    "switch": {
        "on": "enable|enables|enabled|turned on|启用|开启|打开",
        "off": "disable|disables|disabled|turned off|禁用|关闭|关掉",
    },
    "bound": {
        "most": (
            "at most|no more than|not more than|maximum|max|up to|cap|capped|limit of|under|"
            "below|less than|fewer than|not above|最多|不超过|不高于|上限|以下|低于|小于|以内|"
            "hasta|höchstens|unter|au plus|как максимум|ниже"
        ),
        "least": (
            "at least|no less than|not less than|minimum|min|over|above|more than|exceeds|"
            "not below|最少|至少|不低于|下限|以上|高于|大于|超过|突破|mindestens|über|au moins|"
            "al menos|выше"
        ),
    },
    "sequence": {
        "before": "before|prior to|ahead of|之前|以前|antes|vor|avant|до",
        "after": "after|following|之后|以后|después|nach|après|после",
    },
    "direction": {
        "up": "up|upward|higher|high|highs|rises|rising|rallies|rally",
        "down": "down|downward|lower|low|lows|falls|falling|dips|dip|drop|drops",
    },
    "often": {
        "always": "always|every time|总是|始终|一直|siempre|immer|toujours|всегда",
        "usually": "usually|often|mostly|typically|通常|经常|normalmente|meistens",
        "sometimes": "sometimes|occasionally|now and then|偶尔|有时|a veces|manchmal|иногда",
        "rarely": "rarely|seldom|hardly ever|很少|raramente|selten|редко",
    },
    "scope": {
        "only": (
            "only|solely|exclusively|just|只|仅|只有|solo|sólo|nur|seulement|uniquement|только|"
            "だけ|만"
        ),
        "all": "all|every|each|everything|全部|所有|每|todos|todas|alle|tous|toutes|все",
        "some": "some|part of|partial|partially|partly|部分|一部分|algunos|einige|некоторые",
    },
    "person": {
        "who": "wife|husband|partner|brother|friend|boss|client|老婆|妻子|丈夫|朋友|老板|客户",
    },
    "period": {
        "hourly": "hourly|小时线|小时图",
        "daily": (
            "daily|intraday|日线|每日|每天|diario|diarios|täglich|quotidien|ежедневно|дневной|"
            "дневные"
        ),
        "weekly": "weekly|周线|每周|semanal|semanales|wöchentlich|hebdomadaire|недельный|недельные",
        "monthly": "monthly|月线|每月|mensual|monatlich|mensuel|месячный",
        "quarterly": "quarterly|季度",
        "yearly": "yearly|annual|annually|每年|年度",
    },
    "day": {
        "monday": "monday|mondays|周一|星期一|lunes|montag|montags|lundi",
        "tuesday": "tuesday|tuesdays|周二|星期二",
        "wednesday": "wednesday|wednesdays|周三|星期三",
        "thursday": "thursday|thursdays|周四|星期四",
        "friday": "friday|fridays|周五|星期五|viernes|freitag|freitags|vendredi",
        "saturday": "saturday|saturdays|周六|星期六",
        "sunday": "sunday|sundays|周日|星期天|星期日",
    },
    "hours": {
        "morning": "morning|mornings|早上|上午|早盘",
        "evening": "evening|evenings|night|nights|晚上|夜里|夜间|晚间",
    },
    "region": {
        "asia": "asia|asian|亚洲|亚盘|东京",
        "europe": "europe|european|london|欧洲|欧盘|伦敦",
        "america": "us session|new york|american|美盘|美国|纽约",
    },
    "condition": {
        "weekday": "weekday|weekdays|工作日|werktagen",
        "weekend": "weekend|weekends|周末",
        "bull market": "bull market|bull markets|uptrend|uptrends|牛市",
        "bear market": "bear market|bear markets|downtrend|downtrends|熊市",
    },
    "tense": {
        "past": "used to|formerly|previously|以前|曾经|过去",
        "plan": (
            "plans to|plan to|wants to|want to|considering|might|may|intends to|打算|计划|想要|"
            "考虑|可能"
        ),
    },
    "venue": {
        "binance": "binance|币安",
        "okx": "okx|okex|欧易",
        "bybit": "bybit",
        "kraken": "kraken",
        "coinbase": "coinbase",
        "bitget": "bitget",
    },
    "wallet": {
        "hot": "hot wallet|热钱包",
        "cold": "cold wallet|cold storage|ledger|hardware wallet|冷钱包|硬件钱包",
    },
}
"""By family: the turns of one family exclude each other."""


class TurningWord(NamedTuple):
    """A word that changes the meaning of a statement.

    Args:
        at: where it begins; characters.
        end: where it ends.
        family: such as `side`; `not` for every negation.
        turn: its meaning, the same in every language.
    """

    at: int
    end: int
    family: str
    turn: str


def _phrases() -> dict[str, tuple[str, str]]:
    table = dict.fromkeys(_words(_IDIOMS), ("", ""))
    table |= dict.fromkeys(_words(_NEGATION), (NEGATION, ""))
    for family, turns in _TURNS.items():
        for turn, words in turns.items():
            table |= dict.fromkeys(_words(words), (family, turn))
    return in_both_scripts(table)


def _words(listed: str) -> list[str]:
    return [" ".join(word.split()) for word in listed.split("|") if word.strip()]


def _alternation(phrases: Iterable[str]) -> str:
    longest_first = sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
    spaced = [re.escape(phrase) for phrase in longest_first if _is_spaced(phrase)]
    unspaced = [re.escape(phrase) for phrase in longest_first if not _is_spaced(phrase)]
    # `long` is a word in 开long了: only letters of spaced scripts join.
    letter = r"0-9A-Za-z_\u00c0-\u0dff"
    words, terms = "|".join(spaced), "|".join(unspaced)
    return rf"(?<![{letter}$])(?:{words})(?![{letter}])|(?:{terms})"


def _is_spaced(phrase: str) -> bool:
    return phrase[0] < "\u0e00"


_TURN_OF: Final = _phrases()
_MARK: Final = re.compile(_alternation(_TURN_OF))


def read_marks(text: str) -> Iterator[TurningWord]:
    """Yield the turning words of a lower-cased text in order; longer phrases win."""
    for match in _MARK.finditer(text):
        family, turn = _TURN_OF[match[0]]
        if family:
            yield TurningWord(match.start(), match.end(), family, turn)

"""Word tables written as running text, and small tests of a word."""

import re
from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from afterword.pipeline.expression import expression

_Value = TypeVar("_Value")

_TRADITIONAL: Final = str.maketrans(
    "东书买亚仅从仓价会伟侠体兑关减准划别动区协单卖压后员场备尔币应开弃恒抛损换断时来标欧气没沪测"
    "现玛琼电盘监着礼离积类级纳线经结绝网罗脸苹莱虑观计议讯设该购踪车软辉达过进选逊钯铂铜铠银链错"
    "门间随额飞饼马鹏麦黄与团报账财续约转镑涨络并腾",
    "東書買亞僅從倉價會偉俠體兌關減準劃別動區協單賣壓後員場備爾幣應開棄恆拋損換斷時來標歐氣沒滬測"
    "現瑪瓊電盤監著禮離積類級納線經結絕網羅臉蘋萊慮觀計議訊設該購蹤車軟輝達過進選遜鈀鉑銅鎧銀鏈錯"
    "門間隨額飛餅馬鵬麥黃與團報賬財續約轉鎊漲絡並騰",
)
"""Traditional characters that differ from the simplified ones of our tables."""


def word_set(words: str) -> frozenset[str]:
    """Return the words of a text, Chinese words in both scripts."""
    return frozenset(in_both_scripts(dict.fromkeys(words.split())))


def in_both_scripts(table: dict[str, _Value]) -> dict[str, _Value]:
    """Return a table with each Chinese key added in traditional characters."""
    return {word.translate(_TRADITIONAL): value for word, value in table.items()} | table


def any_of(words: Iterable[str]) -> re.Pattern[str]:
    """Return an expression that finds any of some words, also as a part of a longer one.

    Of many words it takes less time than a search for each, or than `one|other`.
    """
    rests: dict[str, list[str]] = {}
    for word in words:
        rests.setdefault(re.escape(word[0]), []).append(re.escape(word[1:]))
    return expression("|".join(f"{first}(?:{'|'.join(rest)})" for first, rest in rests.items()))


def word_at(words: Sequence[str], at: int) -> str:
    """Return the word at an index; empty beyond either end."""
    return words[at] if 0 <= at < len(words) else ""


def is_number(word: str) -> bool:
    """Return whether a word is a number, such as `3450` or `$3,450`."""
    return word.lstrip("$")[:1].isdigit()

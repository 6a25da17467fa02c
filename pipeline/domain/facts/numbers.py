"""The numbers of a statement, each in one writing: `1,000`, `1000.0` and `1k` are 1000."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final, NamedTuple

# M and m stay apart: months and minutes of a chart, millions and metres.
_POWERS: Final = {3: "k K 千 thousand", 4: "万 萬", 6: "mn million", 8: "亿 億", 9: "bn billion"}
_THOUSANDS: Final = {word: power for power, words in _POWERS.items() for word in words.split()}
_NUMBER: Final = re.compile(
    # Groups of three are thousands, unless a zero leads: 0,500 is a half somewhere.
    r"(?<![A-Za-z0-9_.])(?!0x[0-9a-fA-F])(?P<sign>[-+]?)(?P<money>[$€£¥]?)"
    r"(?P<digits>[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?(?![0-9])|[0-9]+(?:\.[0-9]+)?|\.[0-9]+)"
    r"(?:\s?(?P<percent>%|(?:percent|per cent|pct)\b)"
    r"|\s?(?P<times>(?:thousand|million|billion|mn|bn)\b|[千万萬亿億])|(?P<kilo>[kK])\b)?"
)
_AMBIGUOUS: Final = re.compile(r"[1-9][0-9]{0,2}\.[0-9]{3}")  # 1.000 is a thousand in German

_UNITS: Final = {
    "usd": "usd usdt usdc dollar dollars bucks 美元 美金 刀 u",
    "eur": "eur euro euros 欧元",
    "bp": "bp bps 个基点 基点",
    "x": "x X × times 倍",
    "min": "min mins minute minutes m 分钟 minuten minutos",
    "h": "h hr hrs hour hours 小时 个小时 stunden horas heures",
    "d": "d day days 天 日 tage tagen días dias jours",
    "w": "w week weeks 周 个星期 星期 wochen semanas semaines",
    "mon": "M month months 个月 月 monate meses mois",
    "y": "y year years 年 jahre años ans",
    "am": "am",
    "pm": "pm",
}
_UNIT_OF: Final = {word: unit for unit, words in _UNITS.items() for word in words.split()}
_UNIT: Final = re.compile(
    r"[\s-]?("
    + "|".join(
        rf"{re.escape(word)}(?![A-Za-z0-9_])" if word.isascii() else re.escape(word)
        for word in sorted(_UNIT_OF, key=len, reverse=True)
    )
    + ")"
)

# A number behind one of these, beside a month, or of a year names something: it measures nothing.
_NAMING: Final = re.compile(
    r"(?:\b(?:order|trade|ticket|position|account|sub-account|wallet|id|no\.|block|invoice|"
    r"january|february|march|april|may|june|july|august|september|october|november|december|"
    r"jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)|[#第])\s?\Z",
    re.IGNORECASE,
)
_YEAR: Final = re.compile(r"(?:19|20)[0-9]{2}y?")

_COUNTS: Final = {
    "0": "zero cero null",
    "1": "one once single una un eine einen ein",
    "2": "two twice double both couple dos zwei deux dois два",
    "3": "three thrice triple tres drei trois três три",
    "4": "four cuatro vier quatre quatro",
    "5": "five cinco fünf cinq пять",
    "6": "six seis sechs",
    "7": "seven siete sieben sept",
    "8": "eight ocho acht huit",
    "9": "nine nueve neun neuf",
    "10": "ten diez zehn dix dez",
    "12": "twelve dozen",
    "15": "fifteen",
    "20": "twenty veinte zwanzig vingt",
    "25": "twenty-five",
    "30": "thirty treinta dreißig trente",
    "40": "forty",
    "50": "fifty cincuenta fünfzig",
    "60": "sixty",
    "70": "seventy",
    "80": "eighty",
    "90": "ninety",
    "100": "hundred",
    "1/2": "half halves mitad hälfte moitié",
    "1/3": "third thirds",
    "1/4": "quarter",
    "#1": "first",
    "#2": "second",
}
_COUNT_OF: Final = {word: count for count, words in _COUNTS.items() for word in words.split()}
_COUNT_WORD: Final = re.compile(
    r"(?<![\w-])(?:"
    + "|".join(re.escape(word) for word in sorted(_COUNT_OF, key=len, reverse=True))
    + r")(?![\w-])",
    re.IGNORECASE,
)

_CHINESE: Final = "零一二两三四五六七八九十百千万亿半"
_CHINESE_COUNT: Final = re.compile(
    rf"(?<![0-9.])(?P<head>百分之|第)?(?P<count>[{_CHINESE}]+)"
    r"(?P<unit>个基点|个小时|个星期|个月|美元|美金|小时|分钟|[个次倍成天日周月年块刀点笔单仓枚张只种折档份])?"
)
_CHINESE_DIGITS: Final = {
    **{digit: value for value, digit in enumerate("零一二三四五六七八九")},
    "两": 2,
}
_CHINESE_TENS: Final = {"十": 10, "百": 100, "千": 1000}


class Number(NamedTuple):
    """A number in a text.

    Args:
        at: where it begins; characters.
        value: normalised, with its unit: `5%`, `1000usd`, `4h`.
        is_name: whether it identifies (order 118, March 3, 2024) and is not a quantity.
    """

    at: int
    value: str
    is_name: bool = False


def with_plain_numbers(text: str) -> str:
    """Return the text with every number in figures normalised."""
    return _NUMBER.sub(lambda found: found["sign"] + found["money"] + _value(found), text)


def read_numbers(text: str) -> list[Number]:
    """Return the numbers of a text in figures and in words, in their order.

    A number in words of another language than those listed is not seen.
    """
    return sorted([*_in_figures(text), *_in_words(text), *_in_chinese(text)])


def _in_figures(text: str) -> Iterator[Number]:
    for match in _NUMBER.finditer(text):
        value = _value(match)
        unit = "usd" if match["money"] == "$" else match["money"]
        if not unit and not match["percent"]:
            unit = _unit_at(text, match.end())
        is_name = not match["percent"] and _is_name(text, match.start(), value + unit)
        yield Number(match.start(), f"{match['sign'].strip('+')}{value}{unit}", is_name)


def _unit_at(text: str, at: int) -> str:
    match = _UNIT.match(text, at)
    return _UNIT_OF[match[1]] if match else ""


def _is_name(text: str, at: int, value: str) -> bool:
    return bool(_NAMING.search(text, max(0, at - 16), at)) or bool(_YEAR.fullmatch(value))


def _in_words(text: str) -> Iterator[Number]:
    for match in _COUNT_WORD.finditer(text):
        count = _COUNT_OF.get(match[0].lower())  # the pattern takes a dotless ı for an i
        if count:
            yield Number(match.start(), count + _unit_at(text, match.end()))


def _in_chinese(text: str) -> Iterator[Number]:
    for match in _CHINESE_COUNT.finditer(text) if not text.isascii() else ():
        head, unit = match["head"], match["unit"]
        value = f"{_chinese(match['count']):g}"
        if head == "百分之":
            yield Number(match.start(), f"{value}%")
        elif head == "第":
            yield Number(match.start(), f"#{value}", is_name=True)
        elif unit == "成":
            yield Number(match.start(), f"{value}0%")
        elif unit:  # 一直, 万一 and 十分 count nothing
            yield Number(match.start(), value + _UNIT_OF.get(unit, unit))


def _chinese(count: str) -> float:
    """Read 三十五, 一百二, 两万; no more than people write in a sentence."""
    total, section, digit = 0.0, 0.0, 0.0
    for character in count:
        if character in _CHINESE_DIGITS:
            digit = _CHINESE_DIGITS[character]
        elif character in _CHINESE_TENS:
            section += (digit or 1) * _CHINESE_TENS[character]
            digit = 0
        elif character in "万亿":
            total += (section + digit or 1) * (1e4 if character == "万" else 1e8)
            section = digit = 0
        else:
            digit += 0.5
    return total + section + digit


def _value(match: re.Match[str]) -> str:
    digits = match["digits"].replace(",", "")
    power = _THOUSANDS.get(match["times"] or match["kilo"] or "", 0)
    if power:
        digits = f"{Decimal(digits).scaleb(power):f}"
    if "." in digits and (power or not _AMBIGUOUS.fullmatch(digits)):
        digits = digits.rstrip("0").rstrip(".")
    if digits.startswith("."):
        digits = "0" + digits
    return (digits or "0") + ("%" if match["percent"] else "")

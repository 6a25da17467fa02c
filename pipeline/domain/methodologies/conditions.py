"""The conditions that a methodology names, and whether two texts contradict each other.

Two methodologies that watch the same may ask for the opposite of it: "buy when RSI is below 30",
"buy when RSI breaks above 70". Words in common do not tell them apart; these conditions do.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from afterword.pipeline.domain.facts.agreement import is_exchange
from afterword.pipeline.domain.facts.numbers import read_numbers
from afterword.pipeline.domain.methodologies.indicators import IndicatorMention, mentions
from afterword.pipeline.rules.entities.entities import extract_entities
from afterword.pipeline.rules.text.grams import UNSPACED
from afterword.pipeline.rules.text.words import in_both_scripts

# By family: the words of one family exclude each other.
_OPPOSITES: Final[Mapping[str, Mapping[str, str]]] = {
    "level": {
        "low": (
            "below|under|underneath|beneath|less than|oversold|dip|dips|falls|fall|falling|fell|"
            "drop|drops|dropped|dropping|declines|decline|declining|shrink|shrinks|negative|low|"
            "lower|lowest|lows|weakens|weaker|weakest|worst|loses|lost|losing|narrows|narrowing|"
            "support|discount|miss|misses|down|outflow|outflows|draws|backwardation|inside|within|"
            "vanish|vanishes|half|narrow|slows|decelerating|dries up|breakdown|from exchanges|"
            "withdraw|withdraws|"
            "低于|跌破|跌到|以下|下方|为负|负|超卖|支撑|下跌|回落|减少|缩量|流出|弱|下穿"
        ),
        "high": (
            "above|over|more than|exceeds|exceeding|overbought|rises|rise|rising|rose|grow|grows|"
            "growing|grown|climbs|climb|increase|increases|increasing|positive|high|higher|highest|"
            "highs|strongest|stronger|strengthens|best|widens|widening|resistance|premium|beat|"
            "beats|up|inflow|inflows|builds|contango|outside|spike|spikes|peak|peaks|breakout|"
            "times|record|to exchanges|deposit|deposits|"
            "高于|突破|升破|以上|上方|为正|正|超买|阻力|上涨|增加|放量|流入|强|上穿|新高|涨"
        ),
    },
    "side": {
        "buy": (
            "buy|buys|buying|go long|long|own|accumulate|accumulates|"
            "comprar|compra|做多|买入|开多|加仓"
        ),
        "sell": "sell|sells|selling|short|go short|short sell|fade|做空|卖出|开空",
    },
    "when": {
        "before": "before|ahead of|prior to|之前|前",
        "after": "after|following|once|之后|后",
    },
    "order": {
        "first": "ascending|rising trend|uptrend|uptrends|牛市|上升趋势",
        "last": "descending|falling trend|downtrend|downtrends|熊市|下降趋势",
    },
    "session": {
        "asia": "asian session|tokyo open|asia open|亚盘",
        "london": "london open|european open|欧盘",
        "new york": "new york open|us open|us session|美盘",
    },
    "size": {
        "large": "large caps|large cap|big stocks|blue chips|大盘股",
        "small": "small caps|small cap|small stocks|micro caps|小盘股",
    },
    "venue": {
        "binance": "binance|币安",
        "coinbase": "coinbase",
        "bybit": "bybit",
        "okx": "okx|欧易",
        "kraken": "kraken",
        "upbit": "upbit",
        "hyperliquid": "hyperliquid",
    },
    "negation": {"no": "no|not|without|never|no longer|isn't|doesn't|不|没有|无|未"},
}
_NO: Final = "negation"
_OTHER: Final = {"low": "high", "high": "low"}


def _table() -> dict[str, tuple[str, str]]:
    table = {
        word: (family, meaning)
        for family, meanings in _OPPOSITES.items()
        for meaning, words in meanings.items()
        for word in words.split("|")
    }
    return in_both_scripts(table)


def _alternation(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=lambda word: (-len(word), word))))


_MEANING: Final = _table()
_MARK: Final = re.compile(
    rf"(?<![a-z])(?:{_alternation(word for word in _MEANING if word.isascii())})(?![a-z])"
    rf"|{_alternation(word for word in _MEANING if not word.isascii())}|[<>≤≥]"
)
_SIGNS: Final = {"<": "low", "≤": "low", ">": "high", "≥": "high"}
_CLAUSE: Final = re.compile(
    r"[.;,:。；，、：]|\b(?:and|while|with|but|together with|y)\b|且|并且|同时"
)
_NO_NUMBER: Final = re.compile(r"\blayers? [12]s?\b|\bl[12]s?\b|year over year")
_SPOKEN: Final = re.compile(rf"{UNSPACED.pattern.rstrip('+')}|[^\W_]+")
_UNIT: Final = re.compile(r"[a-z%$/]+")

PRICE: Final = "price"
"""What a condition without an indicator is about."""


@dataclass(frozen=True, slots=True)
class MethodConditions:
    """What a text asks for; compared, never shown.

    Args:
        levels: by indicator, whether it must be low or high, as far as the text says.
        words: by family, the meanings that exclude each other.
        numbers: by unit, the values.
        assets: keys of the assets that it names.
        denies: whether it contains a negation.
        spoken: its words, in order.
    """

    levels: Mapping[str, frozenset[str]]
    words: Mapping[str, frozenset[str]]
    numbers: Mapping[str, frozenset[str]]
    assets: frozenset[str]
    denies: bool
    spoken: tuple[str, ...]


class _LevelMark(NamedTuple):
    """A word that says high or low; places in characters."""

    at: int
    end: int
    level: str


@lru_cache(maxsize=1_024)  # a new text is compared with several
def read_conditions(text: str) -> MethodConditions:
    """Return the conditions that a text names."""
    # The same length, so that places in both are the same.
    lowered = "".join(sign.lower() if len(sign.lower()) == 1 else sign for sign in text)
    lowered = lowered.replace("-", " ")
    levels: dict[str, set[str]] = defaultdict(set)
    words: dict[str, set[str]] = defaultdict(set)
    denies = False
    named = list(mentions(lowered))
    for start, end in _clauses(lowered):
        inside = [mention for mention in named if start <= mention.at < end]
        marks: list[_LevelMark] = []
        denied_at = -100
        for match in _MARK.finditer(lowered, start, end):
            family, meaning = _MEANING.get(match[0], ("level", _SIGNS.get(match[0], "")))
            if family == _NO:
                denied_at, denies = match.end(), True
            elif family == "level":
                is_denied = match.start() - denied_at <= 2
                level = _OTHER[meaning] if is_denied else meaning
                marks.append(_LevelMark(match.start(), match.end(), level))
            else:
                words[family].add(meaning)
        for about, level in _levels(inside, marks):
            levels[about].add(level)
    numbers: dict[str, set[str]] = defaultdict(set)
    for number in read_numbers(_NO_NUMBER.sub(" ", lowered)):
        unit = "".join(_UNIT.findall(number.value))
        numbers[unit].add(number.value)
    assets = {entity.key for entity in extract_entities(text) if entity.kind == "ticker"}
    return MethodConditions(
        _frozen(levels),
        _frozen(words),
        _frozen(numbers),
        frozenset(assets),
        denies,
        tuple(_SPOKEN.findall(lowered)),
    )


def contradiction(one: MethodConditions, other: MethodConditions) -> str | None:
    """Return in what two texts contradict each other; None if in nothing that is seen."""
    if one.spoken == other.spoken:
        return None
    if _differ(one.assets, other.assets):
        return "assets"
    for unit in one.numbers.keys() & other.numbers.keys():
        if _differ(one.numbers[unit], other.numbers[unit]):
            return "numbers"
    for family in one.words.keys() & other.words.keys():
        if not one.words[family] & other.words[family]:
            return family
    for indicator in one.levels.keys() & other.levels.keys():
        if not one.levels[indicator] & other.levels[indicator]:
            return indicator
    if one.denies != other.denies:
        return "negation"
    # Who says the same in other words changes more than one of them.
    return "one word" if is_exchange(one.spoken, other.spoken) else None


def _clauses(text: str) -> Iterable[tuple[int, int]]:
    cuts = [0, *(match.start() for match in _CLAUSE.finditer(text)), len(text)]
    return [(start, end) for start, end in pairwise(cuts) if start < end]


def _levels(inside: list[IndicatorMention], marks: list[_LevelMark]) -> Iterable[tuple[str, str]]:
    """Yield the level of each indicator of a clause, by the mark nearest to it.

    What no indicator takes is about the price.
    """
    left = list(marks)
    for mention in inside:
        if not left:
            return
        near = min(left, key=lambda mark: max(mention.at - mark.end, mark.at - mention.end, 0))
        left.remove(near)
        yield mention.name, near.level
    for mark in left:
        yield PRICE, mark.level


def _differ(one: frozenset[str], other: frozenset[str]) -> bool:
    """Say whether neither contains the other, where both name something."""
    return bool(one and other) and not (one <= other or other <= one)


def _frozen(sets: Mapping[str, set[str]]) -> dict[str, frozenset[str]]:
    return {name: frozenset(values) for name, values in sets.items()}

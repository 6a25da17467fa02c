"""How alike two methodologies are: TF-IDF cosine of their words; 4-grams where it has no words.

The document frequencies are those of a reference collection, not of the store: so a pair is judged
alike whatever else is stored, and the weight of a word is written once.
"""

import re
from collections.abc import Mapping
from hashlib import blake2b
from math import fsum, log, sqrt
from typing import Final, NamedTuple

from afterword.pipeline.domain.facts.likeness import content_words, likeness
from afterword.pipeline.domain.methodologies.indicators import mentions

SAME_AT: Final = 0.65
"""The smallest cosine of two texts of one methodology; one half of the labelled pairs of
`benchmarks/methodology_dedup.py` chose it."""

SAME_GRAMS_AT: Final = 0.7
"""The smallest Jaccard similarity of 4-grams of two texts without words."""

_LEFT_OUT: Final = 0.45
"""The part of a cosine that the terms which are seldom read may add."""

_ROUNDING: Final = 1e-9
_REFERENCE: Final = 134
"""Texts of the reference collection: the half of the labelled pairs that chose `SAME_AT`."""

_COMMON: Final = """
        buy:56 short:26 after:22 day:21 above:19 long:19 sell:17 below:14 go:13 three:13
        donchian_channel|:12 fall:12 month:12 rsi|:12 volume|:12 break:11 moving_average|:11
        price:11 hold:10 over:10 forecast:8 index:8 yields|:8 daily:7 etf:7 exchange_flows|:7
        high:7 year:7 chart:6 clos:6 close:6 five:6 gap|:6 inflation|:6 more:6 ris:6 while:6
        whose:6 beat:5 btc:5 coin:5 down:5 lower:5 once:5 row:5 token:5 under:5 average:4
        bollinger_bands|:4 bond:4 earnings|:4 funding_rate|:4 gold:4 last:4 line:4 neckline:4
        negative:4 protocol_fees|:4 ten:4 trendline|:4 two:4 up:4 valuation|:4 week:4 买入:4 做多:4
        日线:4 突破:4 bitcoin:3 broken:3 cap:3 chain:3 consecutive:3 cross:3 developer_activity|:3
        double_top|:3 fade:3 follow:3 grow:3 hour:3 hourly:3 low:3 macd|:3 move:3 reach:3
        rejection:3 retest:3 signal:3 sol:3 stock:3 stop:3 turn:3 twice:3 入比:3 比特:3 特币:3
"""
"""In how many of these each common word occurs; any other word is taken to occur in one."""

_COUNTS: Final = {
    word: int(count) for word, count in (entry.split(":") for entry in _COMMON.split())
}

_BLANKS: Final = re.compile(r"\s+")


def terms(text: str) -> frozenset[str]:
    """Return the words of a text that are compared: stemmed, indicators by their one name.

    Scripts without spaces give their pairs of characters. Numbers are no terms: they contradict or
    agree (`conditions`).
    """
    lowered = text.lower().replace("-", " ")
    parts, end = [], 0
    names = set()
    for mention in mentions(lowered):
        if mention.at < end:
            continue
        parts.append(lowered[end : mention.at])
        names.add(f"{mention.name}|")
        end = mention.end
    return content_words(" ".join([*parts, lowered[end:]])) | names


def weights(words: frozenset[str]) -> Mapping[int, float]:
    """Return the weight of each word, by its digest; the squares add up to 1, or there are none."""
    rarity = {word: log((1 + _REFERENCE) / (1 + _COUNTS.get(word, 1))) + 1 for word in words}
    length = sqrt(fsum(weight * weight for weight in rarity.values()))
    return {_digest(word): weight / length for word, weight in sorted(rarity.items())}


def cosine(one: str, other: str) -> float:
    """Return the TF-IDF cosine of two texts, in [0, 1]."""
    return cosine_of(weights(terms(one)), weights(terms(other)))


def cosine_of(one: Mapping[int, float], other: Mapping[int, float]) -> float:
    """Return the cosine of the weights of two texts, in [0, 1]; 0 for one without words."""
    return sum(weight * other.get(term, 0.0) for term, weight in one.items())


class SplitQuery(NamedTuple):
    """The terms of a new text, in two parts.

    Args:
        kept: the rarer ones: each text that is alike enough reaches `least` by these alone.
        left: the most frequent ones, looked up for such texts only.
    """

    kept: Mapping[int, float]
    left: Mapping[int, float]
    least: float


def split_query(
    query: Mapping[int, float], frequencies: Mapping[int, int], least: float
) -> SplitQuery:
    """Return the terms of a new text in two parts, so that the frequent ones are seldom read.

    Whatever another text is, the terms that are left out add at most the length of their weights to
    the cosine, by the inequality of Cauchy and Schwarz.

    Args:
        frequencies: in how many stored texts each term occurs.
        least: the smallest cosine that is wanted.

    Source: R. Bayardo, Y. Ma, R. Srikant, "Scaling up all pairs similarity search", WWW 2007.
    """
    left: dict[int, float] = {}
    length = 0.0
    for term in sorted(query, key=lambda term: (-frequencies.get(term, 0), term)):
        longer = length + query[term] * query[term]
        if longer > _LEFT_OUT * _LEFT_OUT:
            break
        left[term], length = query[term], longer
    kept = {term: weight for term, weight in query.items() if term not in left}
    return SplitQuery(kept, left, least - sqrt(length) - _ROUNDING)


def four_grams(text: str) -> frozenset[str]:
    """Return the runs of four characters of a text, lower-cased, blanks as one."""
    plain = _BLANKS.sub(" ", text.lower()).strip()
    return frozenset(plain[at : at + 4] for at in range(max(1, len(plain) - 3)))


def jaccard(one: str, other: str) -> float:
    """Return the Jaccard similarity of the 4-grams of two texts, in [0, 1]."""
    return likeness(four_grams(one), four_grams(other))


def _digest(word: str) -> int:
    return int.from_bytes(blake2b(word.encode(), digest_size=8).digest(), signed=True)

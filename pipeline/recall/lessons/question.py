"""Read from a question in free words what it is about: asset, direction, horizon, move before."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from afterword.pipeline.domain.outcomes.model import TrendBefore
from afterword.pipeline.rules.entities.entities import extract_entities
from afterword.pipeline.rules.market.aliases import NAMES
from afterword.pipeline.rules.market.outcome import Stance
from afterword.pipeline.rules.market.symbols import normalise_symbol
from afterword.pipeline.rules.market.taxonomy import CLASS_OF
from afterword.pipeline.rules.text.words import in_both_scripts, word_set


class AskedDecision(NamedTuple):
    """What a question says of the decision at hand; None for what it leaves open.

    Args:
        asset_key: of the first asset it names.
        horizon_hours: how far it looks ahead.
        trend: the move before, as its words have it.
    """

    asset_key: str | None
    direction: Stance | None
    horizon_hours: int | None
    trend: TrendBefore | None


_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
# Begun nowhere inside a run of marks, or a long run takes a time in proportion to its square.
_SENTENCES: Final = re.compile(r"(?<![.;!?\n])[.;!?\n]+(?=\s|$)")

# What a person does with an asset says more than what its price may do.
_DONE: Final[dict[Stance, frozenset[str]]] = {
    "long": word_set("""
        long longs longing buy buys buying bid bids bidding accumulate accumulating ape aping dca
        scoop scooping stack stacking own owning invest investing btfd calls purchase purchasing
        acquire acquiring grab grabbing
    """),
    "short": word_set("""
        short shorts shorting sell sells selling fade fades fading puts dump dumping offload
        offloading unload unloading sale trim trimming reduce reducing liquidate liquidating
    """),
}
_TRADED: Final = _DONE["long"] | _DONE["short"]
_EXPECTED: Final[dict[Stance, frozenset[str]]] = {
    "long": word_set("""
        bull bulls bullish upside up upward upwards higher rise rises rising rally rallies rallying
        moon mooning bounce bounces bouncing rebound rebounds recover recovers recovery climb climbs
        climbing gain gains breakout appreciate appreciates grow grows outperform run north upwards
    """),
    "short": word_set("""
        bear bears bearish downside down downward downwards lower fall falls falling drop drops
        dropping crash crashes crashing sink sinks sinking slide slides sliding tank tanks tanking
        plunge plunges plunging decline declines declining correction roll rolls collapse
        underperform breakdown weaken bleed south slump slumps lose loses
    """),
    "neutral": word_set("""
        hold holding flat neutral wait waiting sideways nowhere unchanged aside range ranging chop
        chops still quiet put stable sit skip skipping boring rangebound consolidate consolidates
    """),
}
_CHINESE: Final[dict[Stance, str]] = {
    "long": "做多 买入 买进 看涨 看多 抄底 开多 加仓 买",
    "short": "做空 卖出 看跌 看空 开空 沽空 卖空 卖",
    "neutral": "观望 震荡 横盘 持有 不动",
}
_CHINESE_WORDS: Final = {
    stance: tuple(in_both_scripts(dict.fromkeys(words.split())))
    for stance, words in _CHINESE.items()
}
_SHORT: Final = re.compile(
    r"\b(?:(?:bet|betting|position(?:ed|ing)?|lean(?:ing)?) against|hit(?:ting)? the bid|"
    r"(?:buy|buying|own|owning) protection|(?:scal|mov|rotat)(?:e|ing) out of|"
    r"(?:flip|go|turn)(?:ping|ing)? (?:net )?negative|"
    r"below (?:the )?(?:current|present|last|spot|market)(?: price)?)\b"
)
_LONG: Final = re.compile(
    r"\b(?:(?:get|getting|jump|jumping|scal(?:e|ing)|mov(?:e|ing)|rotat(?:e|ing)) in(?: ?to)?|"
    r"(?:lift|lifting|take|taking) the (?:offer|ask)|"
    r"catch(?:ing)? (?:the|a|this) (?:falling )?(?:knife|bottom)|good entry|"
    r"above (?:the )?(?:current|present|last|spot|market)(?: price)?)\b"
)
_BUY_OFF: Final = re.compile(
    r"\b(?:buy[- ]?backs?|sell[- ]?off|short[- ]?term|long[- ]?(?:term|time|run|ago|enough)|"
    r"short squeeze|no longer)\b"
)
_FLAT: Final = re.compile(
    r"\b(?:(?:stay(?:ing)?|keep(?:ing)?|sit(?:ting)?|get(?:ting)?) out|"
    r"no (?:position|trade|exposure)|"
    r"do(?:ing)? nothing|nothing to do|on (?:my|our|your) hands|hands off|no (?:edge|order)|"
    r"tight (?:band|range)|pass(?:ing)? on|(?:leave|leaving) (?:\S+ ){1,2}alone|"
    r"(?:no|little|not much) (?:movement|move|change)|(?:not|rather not|don't|don’t) trade)\b"
)
_ADD: Final = re.compile(
    r"\b(?:add(?:ing)?|more|increas(?:e|ing)) (?:exposure|to (?:my|our|the) long)\b"
)
_NOTS: Final = word_set("not no never dont don't don’t avoid avoiding stop stopped without nor")
_REACH: Final = 2
_ALTERNATIVE: Final = re.compile(r"\b(?:or|vs|versus)\b|/")

_BEFORE: Final = re.compile(
    r"\b(?:after|following|since|despite|given|now that|because|as it|with (?:it|price|everything))"
    r"\b[^,.;?!]*|\bafter[^?!]*$"
)
_JUST: Final = re.compile(
    r"\b(?:has|have|had|is|are|was|were|it's|it’s|been|already|just)\s+(?:(?!go)\w+\s+){0,2}?"
    r"(?:up|down|gone|risen|fallen|dropped|rallied|pumped|dumped|crashed|run|climbed|slid|sold)\b"
    r"[^,.;?!]*"
)
_OBJECT: Final = re.compile(
    r"\b(?:the|this|that|a|an|every|big|sharp|huge|strong|these|its)\s+(?:\w+\s+){0,2}?"
    r"(?:dip|drop|fall|crash|selloff|rally|pump|rise|run|bounce|dump|pullback|slide|decline|"
    r"breakdown|breakout|rebound|correction|climb|plunge)\b"
)

_TRENDS: Final[dict[TrendBefore, re.Pattern[str]]] = {
    "down": re.compile(
        r"\b(?:dips?|dropp?e?d?|drops|fell|fallen|falling|fall|crash(?:ed)?|sell-?off|sold off|"
        r"pull-?back|slid|slide|slump(?:ed)?|plung(?:ed|e)|dump(?:ed)?|oversold|bled|bleeding|"
        r"declined?|weakness|knife|drawdown|losing streak|gone down|is down|been down)\b"
    ),
    "up": re.compile(
        r"\b(?:rall(?:y|ied)|pump(?:ed)?|ran up|run-?up|risen|rose|climb(?:ed)?|surged?|spiked?|"
        r"overbought|breakout|broke out|gone up|is up|been up|gained|strength|jumped?|soared|rip|"
        r"ripped|highs?)\b"
    ),
    "flat": re.compile(
        r"\b(?:sideways|rang(?:e|ing)|chop(?:py)?|consolidat(?:ed|ing|ion)|flat|quiet|"
        r"gone nowhere|nowhere|stuck|coil(?:ed|ing)?|calm)\b"
    ),
}

_UNITS: Final = {"h": 1, "d": 24, "w": 168, "m": 720, "q": 2_160, "y": 8_760}
_COUNTS: Final = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    "twelve",
)
_NUMBERS: Final = {
    **{word: float(at) for at, word in enumerate(_COUNTS, start=1)},
    **dict.fromkeys(("a", "an", "the", "next", "this", "coming"), 1.0),
    "half": 0.5,
    "couple": 2.0,
    "few": 3.0,
    "several": 4.0,
}
_SPAN: Final = re.compile(
    rf"(?P<before>\b(?:last|past|previous|since|ago|for the last|over the last|after)\s+)?"
    rf"(?:(?<!\d)(?P<count>\d++(?:\.\d++)?)\s?-?|\b(?P<word>{'|'.join(_NUMBERS)})\s+(?:of\s+)?"
    r"(?:next\s+|coming\s+|trading\s+|full\s+|more\s+)?)"
    r"(?P<unit>h|hrs?|hours?|d|days?|w|wks?|weeks?|mo|months?|quarters?|y|yrs?|years?|sessions?)\b"
    r"(?P<after>[\s-]+(?:ago|average|ma|ema|sma|high|low|rsi|chart|candles?|range|back|earlier|"
    r"moving|straight|streak|in a row))?"
)
_NAMED_SPANS: Final = (
    (
        re.compile(
            r"\b(?:tomorrow|overnight|today|intraday|tonight|end of day|eod|by the close)\b"
        ),
        24,
    ),
    (re.compile(r"\b(?:weekend)\b"), 48),
    (re.compile(r"\b(?:weekly|by friday|end of (?:the )?week)\b"), 168),
    (re.compile(r"\b(?:monthly|end of (?:the )?month)\b"), 720),
)
_LONGEST_HOURS: Final = 5 * 8_760


def read_question(question: str) -> AskedDecision:
    """Return what a question says of the decision at hand."""
    lower = question.lower()
    return AskedDecision(_asset(question, lower), _direction(lower), _horizon(lower), _trend(lower))


def _asset(question: str, lower: str) -> str | None:
    entities = extract_entities(question)
    for entity in entities:
        if entity.kind == "ticker":
            return entity.key
    for entity in entities:  # a chain by the name of its coin: `is Arbitrum going up?`
        if entity.kind == "chain" and entity.key in NAMES:
            return NAMES[entity.key]
    # A symbol that is also a word, right after what is done with it: `fade link here`.
    words = _WORD.findall(lower)
    for verb, word in pairwise(words):
        if verb in _TRADED and len(word) > 2 and word.upper() in CLASS_OF:
            return normalise_symbol(word)
    return None


def _direction(lower: str) -> Stance | None:
    """Return the direction its words expect; None where they say none, or ask for one of two."""
    text = _BUY_OFF.sub(" ", _LONG.sub(" long ", _SHORT.sub(" short ", lower)))
    text = _ADD.sub(" long ", _FLAT.sub(" aside ", text))
    ahead = _JUST.sub(" ", _BEFORE.sub(" ", text))
    for part in (_OBJECT.sub(" ", ahead), ahead):
        done = list(_stances(part, _DONE))
        if done:
            return _one_of(done, part)
        expected = list(_stances(part, _EXPECTED))
        if expected:
            return expected[0] if len(set(expected)) == 1 else None
    return None


def _one_of(stances: list[Stance], text: str) -> Stance | None:
    if len(set(stances)) > 1 and _ALTERNATIVE.search(text):
        return None
    return stances[0]


def _stances(text: str, table: dict[Stance, frozenset[str]]) -> Iterator[Stance]:
    for sentence in _SENTENCES.split(text):
        words = _WORD.findall(sentence)
        for at, word in enumerate(words):
            if not _NOTS.isdisjoint(words[max(0, at - _REACH) : at]):
                continue
            yield from (stance for stance, known in table.items() if word in known)
    if table is _DONE:
        for stance, known in _CHINESE_WORDS.items():
            if any(word in text for word in known):
                yield stance
                return


def _horizon(lower: str) -> int | None:
    ahead = _JUST.sub(" ", lower)
    for match in _SPAN.finditer(ahead):
        if match["before"] or match["after"]:
            continue
        count = float(match["count"]) if match["count"] else _NUMBERS[match["word"]]
        unit = "d" if match["unit"].startswith("s") else match["unit"][0]
        hours = round(count * _UNITS[unit])
        if 0 < hours <= _LONGEST_HOURS:
            return hours
    return next((hours for form, hours in _NAMED_SPANS if form.search(ahead)), None)


def _trend(lower: str) -> TrendBefore | None:
    trends = {trend for trend, form in _TRENDS.items() if form.search(lower)}
    return trends.pop() if len(trends) == 1 else None

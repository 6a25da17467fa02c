"""What the user says to prefer or never to allow, found by rules in English.

A sentence counts if it is a rule and no order of the moment: *never trade DOGE* is one, *don't buy
BTC today* is none. Questions, suppositions and the words of others are no rules of the user. What
is found are a dimension and a value of ours; no words of the sentence are kept.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from afterword.pipeline.domain.memory.flags import families_of
from afterword.pipeline.domain.preferences.dimensions import checked_value
from afterword.pipeline.domain.preferences.habits import MOST_EVIDENCE
from afterword.pipeline.domain.preferences.model import PreferenceKind, PreferenceObservation
from afterword.pipeline.domain.preferences.source_rows import SaidText
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.expression import expression
from afterword.pipeline.rules.entities.entities import extract_entities
from afterword.pipeline.rules.market.windows import DAY_US

MOST_SAID: Final = 4_000
"""Characters of one text that are read: what somebody types, not a paste."""

_SENTENCE: Final = expression(r"[^.!?;\n]+(?:\.(?=\d)[^.!?;\n]*)*[.!?;\n]?")
_NO_RULE: Final = expression(
    r"\b(?:if|should i|would|could|might|today|tonight|right now|for now|yet|tomorrow|until|unless"
    r"|this (?:time|week|month|morning|afternoon)|at the moment|currently|instead|he|she|they"
    r"|says?|said|quote|example|imagine|suppose|because|why|what|how|which"
    r"|not (?:always|only|usually|necessarily|mostly))\b|n't (?:always|only|usually|mostly)\b",
    re.IGNORECASE,
)
_CONDITION: Final = expression(
    r"\b(?:with|without|more|less|before|after|above|below|over|under|during|on|when|while|except)\b",
    re.IGNORECASE,
)
_NEVER: Final = r"(?:(?:i |you )?(?:never|don'?t(?: ever)?|do not(?: ever)?|won'?t|will not)|no)"
_MORE_THAN: Final = (
    r"(?:max(?:imum)?(?: of)?|at most|up to|no more than|not more than|cap(?:ped)?(?: it)? at"
    rf"|{_NEVER}(?: \w+)?(?: \w+)? (?:more than|above|over|beyond|exceed(?:ing)?))"
)


class FoundRule(NamedTuple):
    """A rule of the user: a dimension and a value of it."""

    dimension: str
    kind: PreferenceKind
    value: str
    is_against: bool = False


Reads = Callable[[re.Match[str], str], Iterable[FoundRule]]


def _avoided(match: re.Match[str], sentence: str) -> Iterator[FoundRule]:
    rest = sentence[match.end() :]
    if _CONDITION.search(rest):  # an asset is not avoided that is traded with a stop
        return
    for ticker in _tickers(rest):
        yield FoundRule("avoided_asset", "hard_constraint", ticker)


def _traded(match: re.Match[str], sentence: str) -> Iterator[FoundRule]:
    for ticker in _tickers(sentence[match.end() :]):
        yield FoundRule("asset", "soft_preference", ticker)


def _limit(dimension: str) -> Reads:
    return lambda match, _: [FoundRule(dimension, "hard_constraint", match["number"])]


def _fixed(dimension: str, kind: PreferenceKind, value: str, *, against: bool = False) -> Reads:
    return lambda _match, _sentence: [FoundRule(dimension, kind, value, against)]


def _order_type(match: re.Match[str], _: str) -> Iterator[FoundRule]:
    value = "limit" if match["type"].lower() in ("limit", "maker") else "market"
    is_against = "never" in match.re.groupindex
    yield FoundRule("order_type", "soft_preference", value, is_against)


def _session(match: re.Match[str], _: str) -> Iterator[FoundRule]:
    word = match["session"].lower()[:2]
    value = {"us": "us", "am": "us", "ne": "us", "as": "asia"}.get(word, "europe")
    yield FoundRule("session_hours", "soft_preference", value)


_OFTEN: Final = r"(?:always|only|usually|mostly|mainly|prefer to|like to)"
_NUMBER: Final = r"(?P<number>\d{1,9}(?:,\d{3})*(?:\.\d{1,4})?[kKmM]?)"
_TYPE: Final = r"(?P<type>limit|maker|market|taker) orders?\b"
_STOP: Final = r"stop(?:[- ]?loss(?:es)?|s)?\b"
_TARGET: Final = r"(?:take[- ]?profits?|profit targets?|targets?)\b"
_EACH: Final = (
    r"(?: (?:usd|dollars))?(?: (?:per|on|in|into|for|a|an|one|any|each|every|single)){1,3}"
)
_SOME_WORDS: Final = r"(?: \w+){0,3}"

_RULES: Final[tuple[tuple[str, Reads], ...]] = (
    (rf"\b{_NEVER} (?:let me )?(?:trade|buy|touch|hold|own)\b(?! (?:on|over|during) )", _avoided),
    (r"\b(?:avoid|stay away from|keep me out of)\b", _avoided),
    (rf"\bi {_OFTEN} trade\b|\bi prefer trading\b", _traded),
    (rf"\b{_MORE_THAN}{_SOME_WORDS} {_NUMBER} ?x\b", _limit("max_leverage")),
    (rf"\bleverage{_SOME_WORDS} {_MORE_THAN} {_NUMBER}(?: ?x)?\b", _limit("max_leverage")),
    (
        rf"\b{_MORE_THAN}{_SOME_WORDS} ?\$ ?{_NUMBER}{_EACH} (?:trade|position|order|entry)\b",
        _limit("max_position_size"),
    ),
    (rf"\b(?P<never>{_NEVER}) (?:use |place |send )?{_TYPE}", _order_type),
    (rf"(?<!n't )\b(?:{_OFTEN}|prefer) (?:use |using |place )?{_TYPE}", _order_type),
    (
        rf"\b{_NEVER} (?:open(?: any)? positions?|trade|trading|enter)(?: anything)?"
        r" (?:on|over|during|at) (?:the )?weekends?\b",
        _fixed("weekends", "hard_constraint", "none"),
    ),
    (
        rf"\b(?:always|only (?:trade|enter|open) with)(?: \w+){{0,2}} {_STOP}",
        _fixed("stop_loss", "hard_constraint", "always"),
    ),
    (
        rf"\b{_NEVER} (?:use|set|place|want)(?: any| a)? {_STOP}",
        _fixed("stop_loss", "soft_preference", "never"),
    ),
    (
        rf"\balways(?: \w+){{0,2}} {_TARGET}",
        _fixed("take_profit", "soft_preference", "always"),
    ),
    (
        rf"\b{_NEVER} (?:use|set|place|want)(?: any| a)? {_TARGET}",
        _fixed("take_profit", "soft_preference", "never"),
    ),
    (
        rf"\b{_NEVER} (?:go |open )?shorts?(?: positions?)?(?: anything)?\W*$",
        _fixed("direction", "hard_constraint", "long"),
    ),
    (
        r"\bi (?:only|always|prefer to) (?:go|trade) long\b",
        _fixed("direction", "soft_preference", "long"),
    ),
    (
        rf"\bi {_OFTEN} trade (?:in |during )?(?:the )?"
        r"(?P<session>us|american|new york|asian?|european?|london) (?:session|hours|market)",
        _session,
    ),
)
_READERS: Final = tuple((expression(rule, re.IGNORECASE), reads) for rule, reads in _RULES)


def statements(texts: Iterable[SaidText]) -> Iterator[PreferenceObservation]:
    """Yield the rules in what the user said; a rule that is said again on its day is one.

    A text that reads like an order to the agent is left out whole.
    """
    days: defaultdict[tuple[int, FoundRule], list[SaidText]] = defaultdict(list)
    for one in texts:
        if families_of(one.text):
            continue
        for rule in rules_in(one.text):
            days[one.at // DAY_US, rule].append(one)
    for (day, rule), ones in days.items():
        named = tuple((one.thing, one.name) for one in ones[:MOST_EVIDENCE])
        yield PreferenceObservation(
            rule.dimension,
            rule.value,
            rule.kind,
            "chat",
            day,
            rule.is_against,
            len(ones),
            named,
        )


def rules_in(text: str) -> tuple[FoundRule, ...]:
    """Return the rules that a text states, each once, in their order."""
    rules: dict[FoundRule, None] = {}
    for match in _SENTENCE.finditer(text[:MOST_SAID].replace("\u2019", "'")):
        sentence = " ".join(match.group().split())
        if sentence.endswith("?") or _NO_RULE.search(sentence):
            continue
        for expected, reads in _READERS:
            found = expected.search(sentence)
            for rule in () if found is None else reads(found, sentence):
                checked = _checked(rule)
                if checked is not None:
                    rules.setdefault(checked)
    return tuple(rules)


def _tickers(text: str) -> list[str]:
    return [entity.key for entity in extract_entities(text) if entity.kind == "ticker"]


def _checked(rule: FoundRule) -> FoundRule | None:
    """Return a rule with its value as it is stored; None if it is no value of its dimension."""
    try:
        return rule._replace(value=checked_value(rule.dimension, rule.kind, rule.value))
    except InvalidInputError:
        return None

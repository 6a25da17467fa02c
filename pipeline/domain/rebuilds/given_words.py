"""The check of a model's words about trades: nothing is in them that the model was not given.

A number must be one of the text that it words, with its unit and sign; a name likewise. What reads
like an order, or gives advice, is refused whatever it names.
"""

import re
from calendar import month_name
from collections.abc import Collection
from decimal import Decimal
from typing import Final

from afterword.pipeline.domain.facts.language import language
from afterword.pipeline.domain.patterns.claims import (
    ClaimedNumber,
    advice_in,
    numbers_in,
    without_names,
)
from afterword.pipeline.rules.entities.entities import extract_entities
from afterword.pipeline.rules.injection import scan_for_injection

_ORDER: Final = re.compile(
    r"\b(?:should|must|ought|shall|need(?:s|ed)? to|ha(?:s|ve) to|recommend\w*|suggest\w*"
    r"|advi[cs]e\w*|consider\w*|avoid\w*|buy|sell|stop trading|keep trading|trade (?:more|less)"
    r"|try to|let us|next time|in (?:the )?future|from now on)\b",
    re.IGNORECASE,
)
_IMPERATIVE: Final = re.compile(
    r"(?:^|[.!?:;]\s+)(?:please\s+|now\s+|then\s+)?(?:use|call|send|hold|close|open|put|take|go|run|set"
    r"|withdraw|transfer|approve|ask|tell|stay|keep|stop|start|wait|add|cut|move|switch|follow|do"
    r"|don['’]t|let)\b",
    re.IGNORECASE,
)
_LINK: Final = re.compile(r"://|\bwww\.|\b[\w-]+\.(?:com|org|net|io|xyz|fi|app)\b", re.IGNORECASE)
_LOST: Final = re.compile(
    r"\b(?:los[est]\w*|loss(?:es)?|down|negative|minus|shed|cost|gave back)\b", re.IGNORECASE
)
_EARNED: Final = re.compile(
    r"\b(?:earn\w*|gain\w*|profit\w*|made|up|positive|ahead|brought)\b", re.IGNORECASE
)
_CLAUSE: Final = re.compile(r"[.;:](?=\s|$)|,(?=\s)|\b(?:and|but|while|whereas|although)\b")
_WORD: Final = re.compile(r"[^\W_][\w'’&.-]*[^\W_]|[^\W_]")
_STARTS: Final = re.compile(r"(?:^|[.!?:;]\s+|[“\"(]\s*)$")

_MONEY: Final = r"[+\-\u2212]?\$(\d[\d,]*(?:\.\d+)?)"
_WINNERS: Final = re.compile(r"(?<!of )(?<![\d.,])(\d[\d,]*) (?:won|wins|winners|winning)\b")

_PLAIN: Final = frozenset({"USD", "I", "PNL", "P&L", "UTC", "OK"})
"""Words in capitals that name no asset."""

_MONTHS: Final = frozenset(month_name[1:])


def refusal_of_words(words: str, given: str, names: Collection[str]) -> str | None:
    """Return why the words of a model may not take the place of a text; None if they may.

    Args:
        words: as one line.
        given: the text that they word.
        names: of markets and wallets in it, as they are written there.
    """
    if not words:
        return "shows nothing"
    if orders := scan_for_injection(words):
        return f"reads like an order to the agent: {orders[0].phrase!r}"
    if _LINK.search(words):
        return "has a link"
    if (order := _ORDER.search(words)) or (advice := advice_in(words)):
        said = order[0] if order else advice
        return f"says “{str(said).lower()}”: a summary only tells what was traded"
    if order := _IMPERATIVE.search(words):
        return f"says “{order[0].strip(' .!?:;').lower()}”: a summary only tells what was traded"
    if language(words) != "en":
        return "is not in English"
    return (
        _invented_number(words, given, names)
        or _misplaced_number(words, given, names)
        or _invented_name(words, given, names)
    )


def _invented_number(words: str, given: str, names: Collection[str]) -> str | None:
    known = _with_equals(numbers_in(given, names))
    for clause in _CLAUSE.split(without_names(words, names)):
        for number in numbers_in(clause):
            if number not in known and _signed_as(clause, number) not in known:
                return f"names {number}, which it was not given"
    return None


def _misplaced_number(words: str, given: str, names: Collection[str]) -> str | None:
    """Return why words are refused that give a number to something else: another market, winners.

    Money right after a name belongs to it, and the number right before "won" to the winners. Of
    other numbers nothing is known but that they were given.
    """
    told, known = _WINNERS.findall(words), _WINNERS.findall(given)
    if other := [number for number in told if number not in known]:
        return f"says that {other[0]} won"
    owners: dict[str, set[str]] = {}
    for name in names:
        for amount in re.findall(rf"(?<!\w){re.escape(name)}(?!\w) \(?{_MONEY}", given):
            owners.setdefault(amount, set()).add(name)
    for clause in _CLAUSE.split(words):
        named = {name for name in names if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", clause)}
        for amount in re.findall(_MONEY, clause):
            if named and amount in owners and not owners[amount] & named:
                return f"gives ${amount} to {min(named)}"
    return None


def _with_equals(numbers: Collection[ClaimedNumber]) -> frozenset[ClaimedNumber]:
    """Return numbers with their other written forms: 83 % is 0.83."""
    equals = set(numbers)
    for number in numbers:
        if number.unit == "%":
            share = (Decimal(number.value) / 100).normalize()
            equals.add(ClaimedNumber(f"{share:f}"))
    return frozenset(equals)


def _signed_as(clause: str, number: ClaimedNumber) -> ClaimedNumber | None:
    """Return a number without sign with that which the words around it give it, if they do."""
    if number.value.startswith(("+", "-")) or not number.value[:1].isdigit():
        return None
    is_loss, is_gain = bool(_LOST.search(clause)), bool(_EARNED.search(clause))
    if is_loss == is_gain:
        return None
    return ClaimedNumber(f"{'-' if is_loss else '+'}{number.value}", number.unit)


def _invented_name(words: str, given: str, names: Collection[str]) -> str | None:
    """Return why words are refused that name what was not given: an asset, a venue, a person."""
    entities = {entity.key for entity in extract_entities(f"{given} {' '.join(names)}")}
    for entity in extract_entities(words):
        if entity.key not in entities:
            return f"names {entity.key}, which it was not given"
    known = set(_WORD.findall(given)) | _PLAIN | _MONTHS
    rest = without_names(words, names)
    for match in _WORD.finditer(rest):
        word = match[0]
        if word in known or not any(sign.isalpha() for sign in word):
            continue
        if any(sign.isalpha() and not sign.isascii() for sign in word):
            return "is not in English"
        capitals = sum(sign.isupper() for sign in word)
        is_name = capitals > 1 or (capitals and not word[0].isupper())
        if not is_name and capitals:
            is_name = not _STARTS.search(rest[: match.start()])
        if is_name and word.lower() not in {one.lower() for one in known if one.islower()}:
            return f"names {word}, which it was not given"
    return None

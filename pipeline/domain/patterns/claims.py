"""What a text claims: the numbers it names, and words that no text of a pattern may have.

Used on the words of a model: a number that it was not given is an invention, however plausible.
"""

import re
import unicodedata
from collections.abc import Iterable
from decimal import Decimal
from typing import Final, NamedTuple

_DATE: Final = re.compile(r"(?<![\w.,])\d{4}-\d{2}(?:-\d{2})?(?![\w-])")
_NUMBER: Final = re.compile(
    r"(?P<sign>(?<![\w.,)%])[+\-\u2212\u2013]\s?)?(?P<currency>[$\u00a2-\u00a5\u20a0-\u20c0]\s?)?"
    r"(?P<digits>\d(?:[\d.,'’]*\d)?)"
    r"(?P<joined>[^\W\d_]*)(?:\s?(?P<sign_after>[%‰‱]|\bper\s?cent\b)|\s(?P<word>[^\W\d_]+))?"
)
_WELL_FORMED: Final = re.compile(r"(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?")
_MINUS: Final = "-\u2212\u2013"
_UNITS: Final = {
    **dict.fromkeys(("percent", "pct", "percentage", "%"), "%"),
    **dict.fromkeys(("usd", "dollar", "dollars"), "$"),
    **dict.fromkeys(("h", "hour", "hours"), "h"),
    **{
        unit: unit
        for unit in (
            *("k", "m", "mm", "bn", "x", "bp", "bps", "pp", "basis", "point", "points", "times"),
            *("fold", "sigma", "deviations", "minute", "minutes", "day", "days", "week", "weeks"),
            *("month", "months", "year", "years", "eur", "euro", "euros", "btc", "eth"),
        )
    },
}
"""Words after a number that are its unit; any other word after a count changes nothing."""

_SPELLED: Final = re.compile(
    r"\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen"
    r"|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty"
    r"|ninety|hundreds?|thousands?|millions?|billions?|dozens?|hal(?:f|ves)|thirds?|quarters?"
    r"|fourths?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?|once|twice|thrice|doubled?"
    r"|tripled?|couple|pair|always|never|every|none|majority|minority)\b",
    re.IGNORECASE,
)
_ROMAN: Final = re.compile(r"\b[IVXLCDM]{2,}\b")
_ADVICE: Final = re.compile(
    r"\b(?:siz(?:e[sd]?|ing)|limits?|leverage[ds]?|permissions?|stakes?|allocat\w+|exposures?"
    r"|budgets?|caps?|margins?|rais\w+|increas\w+|doubl\w+|tripl\w+|scal(?:e[sd]?|ing)|bigger"
    r"|larger|heavier|aggressive\w*|approv\w+|confirmation required|instructions?|system prompt"
    r"|ignore\w*|override\w*)\b",
    re.IGNORECASE,
)


class ClaimedNumber(NamedTuple):
    """A number as a text names it.

    Args:
        value: with its sign; the text itself where it is a date or cannot be read.
        unit: `%`, `$`, `h`, …; empty for a count.
    """

    value: str
    unit: str = ""

    def __str__(self) -> str:
        kinds = ("date", "sign", "word", "unreadable")
        return self.value if self.unit in kinds else f"{self.value} {self.unit}".strip()


def numbers_in(text: str, names: Iterable[str] = ()) -> list[ClaimedNumber]:
    """Return every number of a text in the order of their kinds: dates, numerals, words.

    Args:
        names: names of assets and roles, whose digits are not numbers.
    """
    text = without_names(text, names)
    dates = [ClaimedNumber(found[0], "date") for found in _DATE.finditer(text)]
    text = _DATE.sub(" ", text)
    # Digits of other scripts, fractions and the like: nobody was given a number in this form.
    strange = [
        ClaimedNumber(sign, "sign")
        for sign in text
        if not sign.isascii() and unicodedata.numeric(sign, None) is not None
    ]
    numerals = [_numeral(found) for found in _NUMBER.finditer(text)]
    spelled = [
        ClaimedNumber(match[0], "word")
        for match in (*_SPELLED.finditer(text), *_ROMAN.finditer(text))
    ]
    return [*dates, *strange, *numerals, *spelled]


def advice_in(text: str) -> str | None:
    """Return the first word that asks to raise something, or to be obeyed; None without one."""
    advice = _ADVICE.search(text)
    return None if advice is None else advice[0]


def without_names(text: str, names: Iterable[str]) -> str:
    """Return a text without whole-word names, the longest first."""
    for name in sorted({one for one in names if one}, key=lambda one: (-len(one), one)):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", text)
    return text


def _numeral(match: re.Match[str]) -> ClaimedNumber:
    digits = match["digits"]
    if not _WELL_FORMED.fullmatch(digits):
        return ClaimedNumber(match[0].strip(), "unreadable")
    sign = match["sign"] or ""
    value = Decimal(digits.replace(",", "")).normalize()
    shown = f"{value:f}"
    if sign.strip() and sign.strip() in _MINUS:
        shown = f"-{shown}"
    elif sign.strip():
        shown = f"+{shown}"
    return ClaimedNumber(shown, _unit(match))


def _unit(match: re.Match[str]) -> str:
    if match["joined"]:
        joined = match["joined"].lower()
        return _UNITS.get(joined, joined)
    if match["currency"]:
        return match["currency"].strip()
    if match["sign_after"]:
        after = match["sign_after"]
        return "%" if after.startswith("per") else after
    return _UNITS.get((match["word"] or "").lower(), "")

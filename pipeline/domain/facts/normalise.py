"""The normal form of a statement: equal for two texts that differ in writing only."""

import re
import unicodedata
from typing import Final

from afterword.pipeline.domain.facts.numbers import with_plain_numbers
from afterword.pipeline.rules.text.grams import UNSPACED

_COMPATIBLE: Final = ("<super>", "<sub>", "<fraction>", "<circle>")
_MARKS: Final = str.maketrans("‘’“”‐‑‒–—−", "''\"\"------")
_CONTRACTION: Final = re.compile(r"\b(ca|wo|sha|[a-z]+)n't\b", re.IGNORECASE)
_WHOLE: Final = {"ca": "can", "wo": "will", "sha": "shall"}
_CANNOT: Final = re.compile(r"\bcannot\b", re.IGNORECASE)
# An identifier may differ from another in its case alone; 5M is not 5m.
_CASED: Final = re.compile(
    r"(?<![A-Za-z0-9])(?:[0-9.]{1,40}M|(?=[A-Za-z]*[0-9])(?=[0-9]*[A-Za-z])[A-Za-z0-9]{6,})"
    r"(?![A-Za-z0-9])"
)
_THE: Final = re.compile(r"\bthe\s+")
_BULLET: Final = re.compile(r"^(?:[-*•·]\s+)+")
_UNSPACED_GAP: Final = re.compile(
    rf"(?<={UNSPACED.pattern.rstrip('+')})\s|\s(?={UNSPACED.pattern.rstrip('+')})"
)
_ENDS: Final = "\"'`.!。！…,，;；:： "


def plain(text: str) -> str:
    """Return a text with normalised characters; case and words stay.

    Wide and composed forms become one; zero-width and bidi characters go; quotes and dashes are
    one each; `don't` is `do not`. A superscript stays apart from its number: 10² is not 102.
    """
    apart = "".join(_apart(character) for character in text) if not text.isascii() else text
    found = unicodedata.normalize("NFKC", apart).translate(_MARKS)
    if not found.isascii():
        found = "".join(c for c in found if unicodedata.category(c) != "Cf")
    return _CANNOT.sub("can not", _CONTRACTION.sub(_spelled_out, found))


def normal_form(written: str) -> str:
    """Return the normal form: equal for two writings of a statement, different for two statements.

    Case, spaces, the article `the`, bullets, punctuation at the ends (a question mark stays) and
    the writing of numbers do not count. Identifiers keep their case.

    Args:
        written: a text as `plain` returns it.
    """
    found = _lowered(with_plain_numbers(written))
    found = _BULLET.sub("", " ".join(found.split()))
    found = _THE.sub("", found)
    if not found.isascii():
        found = _UNSPACED_GAP.sub("", found)
    return found.strip(_ENDS)


def _apart(character: str) -> str:
    tag = unicodedata.decomposition(character).partition(" ")[0]
    return f" ^{character}" if tag in _COMPATIBLE else character


def _spelled_out(found: re.Match[str]) -> str:
    verb = found[1]
    return f"{_WHOLE.get(verb.lower(), verb)} not"


def _lowered(text: str) -> str:
    parts, at = [], 0
    for cased in _CASED.finditer(text):
        parts += [text[at : cased.start()].casefold(), cased[0]]
        at = cased.end()
    return "".join([*parts, text[at:].casefold()])

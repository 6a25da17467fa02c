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
    folded = unicodedata.normalize("NFKC", apart).translate(_MARKS)
    if not folded.isascii():
        folded = "".join(c for c in folded if unicodedata.category(c) != "Cf")
    return _CANNOT.sub("can not", _CONTRACTION.sub(_spelled_out, folded))


def normal_form(written: str) -> str:
    """Return the normal form: equal for two writings of a statement, different for two statements.

    Case, spaces, the article `the`, bullets, punctuation at the ends (a question mark stays) and
    the writing of numbers do not count. Identifiers keep their case.

    Args:
        written: a text as `plain` returns it.
    """
    form = _lowered(with_plain_numbers(written))
    form = _BULLET.sub("", " ".join(form.split()))
    form = _THE.sub("", form)
    if not form.isascii():
        form = _UNSPACED_GAP.sub("", form)
    return form.strip(_ENDS)


def _apart(character: str) -> str:
    tag = unicodedata.decomposition(character).partition(" ")[0]
    return f" ^{character}" if tag in _COMPATIBLE else character


def _spelled_out(match: re.Match[str]) -> str:
    verb = match[1]
    return f"{_WHOLE.get(verb.lower(), verb)} not"


def _lowered(text: str) -> str:
    parts, at = [], 0
    for cased in _CASED.finditer(text):
        parts += [text[at : cased.start()].casefold(), cased[0]]
        at = cased.end()
    return "".join([*parts, text[at:].casefold()])

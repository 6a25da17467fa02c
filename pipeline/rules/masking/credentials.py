"""Classify a value: random, chosen by a person, or a placeholder."""

import re
from typing import Final

from afterword.pipeline.expression import expression
from afterword.pipeline.rules.text.words import word_set

_RUN: Final = expression(r"[A-Za-z0-9]{12,}", re.ASCII)
_DIGIT: Final = expression(r"[0-9]")
_LETTER: Final = expression(r"[A-Za-z]")
_UPPER: Final = expression(r"[A-Z]")
_LOWER: Final = expression(r"[a-z]")
_SEPARATOR: Final = expression(r"[-_./+=:~,]+")
_ORDINARY: Final = expression(r"[A-Za-z]?[a-z]*|[A-Z]+|\d{1,4}|v\d+", re.ASCII)
_DATE: Final = expression(r"\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-][\d:]+)?)?", re.ASCII)
_NUMBER: Final = expression(r"[\d\s.,:;%$€£¥+*/()xX-]*")
_STAND_IN: Final = expression(
    r"""(?xi)
    <.*> | \[.*\]? | \{.*\} | \$[({].* | (?-i:\$[A-Z_][A-Z0-9_]*) | %\w*% | [*.•·x_-]+ | \#
    | (?:your|my|change|example|placeholder|redacted|masked|insert|todo|dummy)[\s_-].*
    | example | placeholder | redacted | masked | change_?me | todo
    | (?:os|process|env|config|settings|self|secrets|vault|op|arn|ref|file|keyring)[.:].*
    | [a-z_]{3,}(?:\.[a-z_]+)*[(\[].* | [a-z_]*_(?:password|passwd|secret|token|key)s?
    | getenv.* | [.~]*/(?:[a-z_.-]+/)*[a-z_.-]+ | [a-z][a-z0-9+.-]*://.*
    """
)
_STATES: Final = word_set(
    "required optional missing invalid wrong incorrect expired changed rotated reset revoked set"
    " unset unknown hidden stored saved leaked exposed enabled disabled weak strong shared secure"
    " same different empty blank none null nil undefined true false yes no ok valid here there"
    " never not always must should is are was will please use see the a an your my our it and or"
    " in on at for to of with only read string str text bytes varchar field value type input"
    " protected encrypted needed forgotten lost compromised redacted masked safe private public"
    " password passwd pass pwd secret token key bool int"
    " manager policy login rotation management keep ask do don't"
)


def is_mixed(value: str) -> bool:
    """Return whether letters and digits are mixed, unlike in words and numbers."""
    return any(
        _DIGIT.search(run) is not None and _LETTER.search(run) is not None
        for run in _RUN.findall(value)
    )


def has_both_cases(value: str) -> bool:
    """Return whether it has digits and letters of both cases, unlike hashes and identifiers."""
    return all(sign.search(value) for sign in (_DIGIT, _UPPER, _LOWER))


def is_random(value: str) -> bool:
    """Return whether a value is random, ignoring the signs between its parts."""
    return is_mixed(value) or has_both_cases(value)


def is_stand_in(value: str) -> bool:
    """Return whether a value is a placeholder, a reference to a secret, or a word on its state."""
    return value.lower() in _STATES or _STAND_IN.fullmatch(value) is not None


def is_key(value: str, least: int) -> bool:
    """Return whether a labelled value can be a key or token made by a machine.

    Args:
        value: without quotes and surrounding white space.
        least: minimum length; characters.
    """
    if len(value) < least or any(map(str.isspace, value)) or is_stand_in(value):
        return False
    if _NUMBER.fullmatch(value) or _DATE.fullmatch(value):
        return False
    parts = [part for part in _SEPARATOR.split(value) if part]
    if len(parts) > 1 and all(map(_ORDINARY.fullmatch, parts)):
        return False
    if _DIGIT.search(value):
        return _LETTER.search(value) is not None
    return len(value) >= 16 and (len(value) >= 24 or not _ORDINARY.fullmatch(value))


def is_word(value: str) -> bool:
    """Return whether a value is a plain word or number: a password only after an assignment."""
    return _ORDINARY.fullmatch(value) is not None or _NUMBER.fullmatch(value) is not None

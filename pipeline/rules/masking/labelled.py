"""Secrets that are recognised only by their label."""

import re
from collections.abc import Iterator
from typing import Final

from afterword.pipeline.expression import expression
from afterword.pipeline.rules.entities.addresses import read_address
from afterword.pipeline.rules.masking.credentials import (
    has_both_cases,
    is_key,
    is_mixed,
    is_random,
    is_stand_in,
    is_word,
)
from afterword.pipeline.rules.masking.finding import Secret
from afterword.pipeline.rules.masking.labels import Label, field_label, find_labels
from afterword.pipeline.rules.masking.values import (
    LabelledValue,
    value_after,
    value_of_field,
    whole_end,
)
from afterword.pipeline.rules.text import base58

_MORE: Final = expression(
    r"\s{0,3}(?:[,/|&;、]|and|和)\s{0,3}([A-Za-z0-9+/_-]{16,}+(?:==?)?)(?![\w=:])"
)
_BECH32: Final = expression(r"[a-z]{2,12}1[02-9ac-hj-np-z]{38,}")
_AT_HOST: Final = expression(
    r"(?P<user>[\w.+-]{1,64}:)?(?P<password>[^\s@]*)@(?P<host>[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*"
    r"\.[A-Za-z]{2,24})(?::\d{1,5})?(?:[/?].*)?"
)
_TIED: Final = expression(
    r"""(?xi)
    \s (?: is | was | = | ist | war | est | es | era | è | é | это | является ) \s
    (?: (?: the | my | our | your | his | her | its | their | a | an | this | new | old | current
        | main | live | das | der | die | mein | meine | dein | unser | unsere | le | la | ma | mon
        | notre | el | mi | tu | su | il | lo | mio | mia | o | minha | meu | мой | наш | trading
        | bot | agent | login | exchange | account | database | db | admin | root | secret | api
        | access | auth | private ) [\s_-] ){0,5} $
    """
)
_QUOTES: Final = "\"'`“”‘’「」()[]{}<>,;:"
_LONGEST_TIE: Final = 60
_LONGEST_BEFORE: Final = 260
"""How far a value may be before its label, and how far it is read; characters."""

_SHORTEST_PASSWORD: Final = 8
_SHORTEST_KEY: Final = 16
_SURE_HOST: Final = 2
"""Number of dots in a host that a password rarely ends with."""
_TOKEN: Final = expression(r"[\w=+.~%-]+", re.ASCII)
_BASE58: Final = frozenset(base58.ALPHABET)


def find(text: str, low: str) -> Iterator[Secret]:
    """Yield the secret values of labels.

    Args:
        low: the text in lower case, of the same length.
    """
    done = 0
    for label in find_labels(low):
        if label.start < done:  # inside a secret already found
            continue
        value = value_after(text, label)
        if value is None or _is_another_line(value):
            yield from _before(text, done, label)
            continue
        value, is_whole = _without_host(value)
        if not _is_secret(label, value):
            yield from _before(text, done, label)
            continue
        done = whole_end(text, label, value) if is_whole else value.end
        yield Secret(value.start, done, label.kind)
        if label.kind == "credential":  # `key and secret: X and Y`
            yield from _more(text, done)


def _before(text: str, done: int, label: Label) -> Iterator[Secret]:
    """Yield the value before a label, as in `X is my password`; it must be random.

    Args:
        done: end of the secret found last, which is not looked at again.
    """
    tie = _TIED.search(text, max(done, label.start - _LONGEST_TIE), label.start)
    if tie is None:
        return
    since = max(done, tie.start() - _LONGEST_BEFORE)
    before = text[since : tie.start()].rstrip(_QUOTES)
    word = before[before.rfind(" ") + 1 :].rsplit("\n", 1)[-1].lstrip(_QUOTES)
    end = since + len(before)
    value = LabelledValue(end - len(word), end, word, False, False)
    is_long = len(word) >= (_SHORTEST_PASSWORD if label.kind == "password" else _SHORTEST_KEY)
    if is_long and is_random(word) and _is_secret(label, value):
        yield Secret(value.start, end, label.kind)


def _is_another_line(value: LabelledValue) -> bool:
    """Return whether the line below a label is ordinary text, not a long or single secret."""
    if value.is_quoted or not value.on_next_line or value.ends_line:
        return False
    return not (is_key(value.text, 20) and is_random(value.text))


def _without_host(value: LabelledValue) -> tuple[LabelledValue, bool]:
    """Return the password in `user:password@host`, and whether the value has that form."""
    match = _AT_HOST.fullmatch(value.text)
    if match is None or not (match["user"] or match["host"].count(".") >= _SURE_HOST):
        return value, True
    start, end = match.span("password")
    at = value.start
    return value._replace(start=at + start, end=at + end, text=match["password"]), False


def field_secret(name: str, value: str) -> Secret | None:
    """Return the part of a field's value that the field's name makes a secret.

    Args:
        name: in lower case.
    """
    label = field_label(name)
    whole = value_of_field(label, value) if label else None
    if label is None or whole is None or not _is_secret(label, whole):
        return None
    return Secret(whole.start, whole.end, label.kind)


def _is_secret(label: Label, value: LabelledValue) -> bool:
    word = value.text
    if not word or is_stand_in(word):
        return False
    match label.kind:
        case "password":
            return _is_password(label, value)
        case "authorization":
            return is_key(word, 8 if value.is_assigned else 12)
        case "cookie":
            return value.is_assigned and len(word) >= 8
        case "credential":
            if not label.is_private and _is_public(word):
                return False
            if word[:2] == "0x" and len(word) == 42:
                return False
            return is_key(word, 8) if value.is_assigned else is_key(word, 12) and is_random(word)
        case "token" | "key":
            if label.kind == "key" and not has_both_cases(word):
                return False
            is_plain = _TOKEN.fullmatch(word) and is_random(word)
            is_plain = is_plain and (label.is_private or not _is_public(word))
            return bool(is_plain) and is_key(word, 16 if value.is_assigned else 24)


def _is_password(label: Label, value: LabelledValue) -> bool:
    """Return whether a value is a password; after an assignment sign a plain word counts too."""
    word = value.text
    if not value.is_quoted and not (value.is_assigned and label.is_private):
        return is_key(word, 6)
    if len(word) < 4 or word.isspace() or is_stand_in(word.split()[0]):
        return False
    if not value.is_quoted and is_word(word) and not word.isdigit():
        return value.ends_line and not value.on_next_line
    return True


def _is_public(word: str) -> bool:
    """Return whether a value is public: an address, a hash, a signature."""
    if word[:2] in {"0x", "0X"} or _BECH32.fullmatch(word) or read_address(word):
        return True
    if not set(word) <= _BASE58 or not 25 <= len(word) <= 88:
        return False
    return len(word) > 84 or (len(word) <= 44 and base58.checked(word) is not None)


def _more(text: str, end: int) -> Iterator[Secret]:
    while (match := _MORE.match(text, end)) and is_mixed(match[1]) and not _is_public(match[1]):
        yield Secret(match.start(1), match.end(1), "credential")
        end = match.end(1)

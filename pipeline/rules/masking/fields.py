"""Mask JSON values, where a field's name is a label and a phrase may be a list of words."""

import re
from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, Final

from afterword.pipeline.expression import expression
from afterword.pipeline.rules.masking import labels
from afterword.pipeline.rules.masking.finding import Secret, marker
from afterword.pipeline.rules.masking.labelled import field_secret
from afterword.pipeline.rules.masking.labelled_phrases import FEWEST_PHRASE_WORDS
from afterword.pipeline.rules.masking.labelled_phrases import find as find_labelled
from afterword.pipeline.rules.masking.lower import lowered
from afterword.pipeline.rules.masking.mask import mask, replaced
from afterword.pipeline.rules.masking.phrases import find as find_phrases
from afterword.pipeline.rules.masking.scan import findings, has_label_words
from afterword.pipeline.rules.masking.vendors import SHORTEST_TOKEN
from afterword.pipeline.rules.masking.visible import visible
from afterword.pipeline.rules.masking.wallets import is_byte_array

_DEEPEST: Final = 100
_LONGEST_NAME: Final = 40
_TOO_DEEP: Final = marker("too-deep")
_GENERIC: Final = frozenset({"value", "values", "data", "raw", "text", "content", "plain", "key"})
"""Field names that say nothing themselves; the object around them is the label."""


_NUMBER: Final = expression(r"[+-]?[0-9]{1,9}(?:\.[0-9]{1,8})?", re.ASCII)
"""A number as text, shorter than any secret that has no label."""

_SHORT: Final = expression(r"[A-Za-z0-9_.-]{1,19}", re.ASCII)
"""A word shorter than any secret that has no label."""

_SHORTEST_PHRASE: Final = 4 * FEWEST_PHRASE_WORDS - 1
"""Characters of as many words of three letters, with the spaces between."""

_SCALARS: Final = (int, float, type(None))
_OBJECTS: Final = (dict, Mapping)  # an instance of the first is known in a tenth of the time
_NESTED: Final = (*_OBJECTS, list, tuple)

_PLAIN_NAME: Final = expression(r"[A-Za-z0-9_]*", re.ASCII)


def mask_json(value: Any) -> Any:
    """Return a JSON value with every secret masked, in its strings and in its field names.

    A field's name is the label of its value and of the items of a list. Numbers stay, except for a
    list that is a key pair. Content below 100 levels is removed.
    """
    return _masked(value, "", 0)


def _masked(value: Any, name: str, depth: int) -> Any:
    if isinstance(value, str):
        return value if _is_harmless(value, name) else _masked_text(value, name)
    if isinstance(value, _SCALARS) or not isinstance(value, _NESTED):
        return value
    if depth >= _DEEPEST:
        return _TOO_DEEP
    if isinstance(value, _OBJECTS):
        return _masked_object(value, name, depth)
    if is_byte_array(value):
        return marker("solana-key")
    if _is_plain(name) and all(isinstance(one, str) and _NUMBER.fullmatch(one) for one in value):
        return list(value)
    return [_masked(item, name, depth + 1) for item in _without_phrase(value, name)]


def _is_harmless(value: str, name: str) -> bool:
    """Say quickly whether a value is a number or a short word, and no label makes it a secret."""
    if _NUMBER.fullmatch(value):  # prices come by the thousand
        return _is_plain(name)
    if not (_SHORT.fullmatch(value) and _PLAIN_NAME.fullmatch(name)):
        return False
    text = f"{name}: {value}".lower()
    return len(text) < _SHORTEST_PHRASE and not has_label_words(text)


def _is_plain(name: str) -> bool:
    """Say whether the name of a field cannot make a number a secret."""
    return _PLAIN_NAME.fullmatch(name) is not None and not labels.are_possible(name.lower())


def _is_short_name(key: Any) -> bool:
    """Say whether a field's name is one word without a label, shorter than any secret."""
    return not isinstance(key, str) or (len(key) < SHORTEST_TOKEN and _is_plain(key))


def _masked_object(value: Mapping[Any, Any], name: str, depth: int) -> dict[Any, Any]:
    result: dict[Any, Any] = {}
    for key, item in zip(value, _without_phrase(list(value.values()), name), strict=True):
        own = str(key)[-_LONGEST_NAME:]
        label = name if name and visible(own).lower() in _GENERIC else own
        new_key = key if _is_short_name(key) else _free(mask(key), result)
        result[new_key] = _masked(item, label, depth + 1)
    return result


def _masked_text(value: str, name: str) -> str:
    if secret := field_secret(lowered(visible(name)), value):
        return replaced(value, [secret])
    while secrets := list(_in_field(value, name)):
        value = replaced(value, secrets)
    return value


def _in_field(value: str, name: str) -> Iterator[Secret]:
    """Yield the secrets of a value; words in the name, such as `from_key`, count as context."""
    before = f"{name}: " if name else ""
    for secret in findings(before + value.rstrip()):  # blanks behind it are not further words
        start, end = secret.start - len(before), secret.end - len(before)
        if end > 0:
            yield Secret(max(0, start), end, secret.kind)


def _without_phrase(items: Sequence[Any], name: str) -> Sequence[Any]:
    """Return the items with the words of a recovery phrase masked, if the list holds one.

    Args:
        name: of the field; it can be the label of a phrase.
    """
    if len(items) < FEWEST_PHRASE_WORDS:
        return items
    words = [visible(item) if isinstance(item, str) else "" for item in items]
    if sum(map(bool, words)) < FEWEST_PHRASE_WORDS:
        return items
    ends = list(accumulate(len(word) + 1 for word in words))
    masked = list(items)
    for secret in _in_row(f"{visible(name)}: ", "\n".join(words)):
        first, last = bisect(ends, secret.start), bisect(ends, secret.end - 1)
        if last > first:  # otherwise the phrase is inside one item, which is checked separately
            masked[first : last + 1] = [marker(secret.kind)] * (last + 1 - first)
    return masked


def _in_row(label: str, row: str) -> Iterator[Secret]:
    """Yield the phrases in a list of words, by their checksum or by the label before them."""
    yield from find_phrases(row)
    for secret in find_labelled(label + row, lowered(label + row)):
        if secret.end > len(label):
            yield Secret(max(0, secret.start - len(label)), secret.end - len(label), secret.kind)


def _free(key: str, taken: Mapping[Any, Any]) -> str:
    """Return an unused name: two masked names may be equal."""
    number = len(taken)
    free = key
    while free in taken:
        free, number = f"{key} {number}", number + 1
    return free

"""Secrets in the rows of exports: masked before they are stored."""

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.masking import mask, mask_json

# A row of an export is numbers, dates, ids and short words. Only what looks like more is searched:
# a search of every row would cost more than all the rest of an import. Each pattern is of small
# letters and begins with a few characters: `re` skips all others five times as fast.
_WORD: Final = re.compile(r"secret|passw|private|mnemonic|seed|api.?key|bearer|://")
# Long, and neither digits nor hex where it begins or ends.
_LONG: Final = re.compile(r"[g-z_](?:(?<!0.)[a-z0-9+/_=.-]{19}|(?<=[a-z0-9+/_=.-]{20}))")
_HEX: Final = re.compile(r"a[ks]ia[a-z0-9]{16}")  # hex where it begins and ends
_PHRASE: Final = re.compile(r"[ ,](?<=[a-z]{3}.)[ ,]?(?:[a-z]{3,8}[ ,]{1,2}){4}")

# Of these, the long ones need twenty such characters in a row, and a phrase five words that end
# with a blank or a comma: two tables of bytes tell so in a tenth of the time.
_LETTERS: Final = b"abcdefghijklmnopqrstuvwxyz"
_IN_LONG: Final = _LETTERS + b"0123456789+/_=.-"
_LONGS: Final = bytes(b"x"[0] if byte in _IN_LONG else b"."[0] for byte in range(256))
_WORDS: Final = bytes(
    b"x"[0] if byte in _LETTERS else b" "[0] if byte in b" ," else b"."[0] for byte in range(256)
)


@lru_cache(maxsize=4_096)
def hold_no_secret(*names: str) -> bool:
    """Tell whether the names of an account and a market can be repeated as they are."""
    text = " ".join(names)
    return mask(text) is text and len(text) <= 300


def check_no_secret(names: Iterable[str | None], place: str) -> None:
    """Refuse a row with a secret where a name or an id stands: masked ids would be all one.

    Args:
        names: short texts that are stored as they are; one that is masked already is no secret.

    Raises:
        InvalidInputError: it is refused; the secret is not repeated.
    """
    if any(name and not name.isdigit() and _is_secret(name) for name in names):
        raise InvalidInputError(
            place, "has a secret where a name or an id stands", "the columns of the export"
        )


def masked(text: str) -> str:
    """Return a row as compact JSON text, or any other text, without its secrets."""
    if not _is_suspect(text):
        return text
    try:
        value = mask_json(json.loads(text))
    except ValueError:
        return mask(text)
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


@lru_cache(maxsize=4_096)  # thousands of rows name one market
def _is_secret(name: str) -> bool:
    return _is_suspect(name) and mask(name) != name


def _is_suspect(text: str) -> bool:
    low = text.lower()
    bare = low.encode(errors="replace")
    match = _WORD.search(low)
    if b"x" * 20 in bare.translate(_LONGS):
        match = match or _LONG.search(low) or _HEX.search(low)
    if bare.translate(_WORDS).count(b"x ") >= 5:
        match = match or _PHRASE.search(low)
    return match is not None

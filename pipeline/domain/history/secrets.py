"""Secrets in the rows of exports: masked before they are stored."""

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.masking import mask, mask_json

# A row of an export is numbers, dates, ids and short words. Only what looks like more is searched:
# a search of every row would cost more than all the rest of an import.
_SUSPECT: Final = re.compile(
    r"(?<!0)[g-zG-Z_][A-Za-z0-9+/_=.-]{19}"  # long, and neither digits nor hex
    r"|[A-Za-z0-9+/_=.-]{19}[g-zG-Z_]"
    r"|A[KS]IA[A-Z0-9]{16}"  # hex at both ends
    r"|(?i:(?:[a-z]{3,8}[ ,]{1,2}){5})"  # a phrase
    r"|(?i:secret|passw|private|mnemonic|seed|api.?key|bearer|://)",
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
    for name in names:
        if name and _SUSPECT.search(name) and mask(name) != name:
            raise InvalidInputError(
                place, "has a secret where a name or an id stands", "the columns of the export"
            )


def masked(text: str) -> str:
    """Return a row as compact JSON text, or any other text, without its secrets."""
    if not _SUSPECT.search(text):
        return text
    try:
        found = mask_json(json.loads(text))
    except ValueError:
        return mask(text)
    return json.dumps(found, separators=(",", ":"), ensure_ascii=False)

"""Lower case with the length unchanged."""

import string
from typing import Final

_ASCII: Final = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def lowered(text: str) -> str:
    """Return a text in lower case with the same length; letters that would grow stay."""
    low = text.lower()
    return low if len(low) == len(text) else text.translate(_ASCII)

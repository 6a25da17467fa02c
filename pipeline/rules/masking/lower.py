"""Lower case that keeps every character at its place."""

import string
from typing import Final

_ASCII: Final = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def lowered(text: str) -> str:
    """Return a text in lower case, as long as it was; a few letters would grow and stay."""
    low = text.lower()
    return low if len(low) == len(text) else text.translate(_ASCII)

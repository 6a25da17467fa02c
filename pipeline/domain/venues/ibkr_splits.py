"""Splits of shares in the corporate actions of Interactive Brokers."""

import re
from fractions import Fraction
from typing import Final

_SPLIT: Final = re.compile(r"\s*([^\s(]{1,40})\([^()]{0,40}\) SPLIT (\d{1,6}) FOR (\d{1,6})\b")


def split_in(description: str) -> tuple[str, Fraction] | None:
    """Return the share and the new units for one old one, as the words of an action state them.

    `NVDA(US67066G1040) SPLIT 10 FOR 1 (NVDA, NVIDIA CORP, US67066G1040)` is NVDA and 10. A
    reverse split has two rows of these words, one for each of its names.

    Returns:
        None for every other action.
    """
    words = _SPLIT.match(description.upper())
    if words is None or not int(words[2]) or not int(words[3]):
        return None
    return words[1], Fraction(int(words[2]), int(words[3]))

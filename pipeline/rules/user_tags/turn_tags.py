"""Which tags of the user the answer to a message needs, beside those that every prompt has.

A prompt always has what somebody knows and the risk that is wanted. The other dimensions colour
some answers only: how often somebody trades matters to a plan, and not to a price. The rule reads
words; what it misses is still one call of `personalization_snapshot` away.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import Final

from afterword.pipeline.rules.user_tags.schema import TAG_DIMENSIONS
from afterword.pipeline.rules.user_tags.turn_words import (
    ADVICE_WORDS,
    TOOL_WORDS,
    WORDS_BY_DIMENSION,
)

CORE_DIMENSIONS: Final = ("finance_knowledge", "risk", "web3_knowledge_level")
"""The dimensions that every prompt has (R3)."""

TURN_DIMENSIONS: Final = tuple(name for name in TAG_DIMENSIONS if name not in CORE_DIMENSIONS)
"""The dimensions of which a turn gets those that it needs, in their order."""

MOST_READ: Final = 2_000
"""Characters that are read at each end of a message: what is asked stands before or after what is
pasted."""


def turn_dimensions(message: str) -> tuple[str, ...]:
    """Return the dimensions that the answer to a message needs, in their order.

    Args:
        message: what the user asks or orders, in any language; words of ten are known.

    Returns:
        Some of `TURN_DIMENSIONS`; none for an order or a question for figures.
    """
    told = _small_letters(message)
    if _has(TOOL_WORDS, told) and not _has(ADVICE_WORDS, told):
        return ()
    return tuple(name for name in TURN_DIMENSIONS if _has(WORDS_BY_DIMENSION[name], told))


def read_part(message: str) -> str:
    """Return what is read of a message: all of most, both ends of a long one."""
    if len(message) <= 2 * MOST_READ:
        return message
    return f"{message[:MOST_READ]}\n{message[-MOST_READ:]}"


def in_their_order(dimensions: Iterable[str]) -> tuple[str, ...]:
    """Return dimensions that a turn may get, each once and in their order; others are left out."""
    given = set(dimensions)
    return tuple(name for name in TURN_DIMENSIONS if name in given)


def _small_letters(message: str) -> str:
    folded = unicodedata.normalize("NFKC", read_part(message)).casefold()
    return " ".join(folded.replace("’", "'").split())


def _has(words: tuple[tuple[str, ...], tuple[str, ...]], told: str) -> bool:
    return _compiled(words).search(told) is not None


@cache
def _compiled(words: tuple[tuple[str, ...], tuple[str, ...]]) -> re.Pattern[str]:
    """Return one expression of all words, made at its first use."""
    whole, anywhere = words
    spaced = rf"(?<!\w)(?:{'|'.join(whole)})(?!\w)"
    return re.compile("|".join([spaced, *anywhere]))

"""Sentences as a person reads them: on lines that fit, a number beside its unit."""

import re
import textwrap
from collections.abc import Iterator, Mapping
from typing import Final

from afterword.pipeline.views.words import printable

_LASTING: Final = "\u00a0"
"""The blank at which no line ends: textwrap breaks at plain blanks only."""

_UNIT: Final = re.compile(r"(?<=\d) (?=[%σ])")


def wrapped(
    sentence: str, width: int, begin: str = "", goes_on: str | None = None
) -> Iterator[str]:
    """Yield a sentence on lines of its own; stored text cannot control the terminal.

    Args:
        width: characters of a line.
        begin: before the first line; `goes_on` before the others, `begin` if missing.
    """
    for part in textwrap.wrap(
        _UNIT.sub(_LASTING, printable(" ".join(sentence.split()))),
        width,
        initial_indent=begin,
        subsequent_indent=begin if goes_on is None else goes_on,
        break_on_hyphens=False,
        break_long_words=False,
    ):
        yield part.replace(_LASTING, " ")


def wrapped_fields(values: Mapping[str, str], width: int, indent: str) -> Iterator[str]:
    """Yield names and what is said of each, so that all of it begins below each other."""
    widest = max(map(len, values), default=0)
    for name, sentence in values.items():
        begin = f"{indent}{name:<{widest}}  "
        yield from wrapped(sentence, width, begin, indent + " " * (widest + 2))

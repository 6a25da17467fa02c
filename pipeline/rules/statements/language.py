"""How the rules of a language are written: what opens, states and takes back a statement."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from afterword.pipeline.expression import expression
from afterword.pipeline.rules.statements.model import StatementKind, WhyRefused


class LanguageRules(NamedTuple):
    """The rules of one language; all patterns read lower case with straight apostrophes.

    Args:
        may: a quick look: a sentence in which it finds nothing states nothing in this language.
        opening: words that may stand before a statement, such as `also` or `please`; taken off
            again and again.
        states: kinds with the pattern that a sentence of it begins with; the first that matches
            decides.
        refused: reasons with the pattern that takes a statement back, anywhere in the sentence.
        others: a sentence that begins with it is about somebody else.
        material: a message in which it finds something holds a text to work on.
    """

    may: re.Pattern[str]
    opening: re.Pattern[str]
    states: Sequence[tuple[StatementKind, re.Pattern[str]]]
    refused: Sequence[tuple[WhyRefused, re.Pattern[str]]]
    others: re.Pattern[str]
    material: re.Pattern[str]


def joined(pattern: str) -> re.Pattern[str]:
    """Return a pattern that is written over several lines; blanks inside a line count."""
    lines = (line.strip() for line in pattern.splitlines())
    return expression(
        "".join(f"|{line[1:].lstrip()}" if line.startswith("|") else line for line in lines)
    )

"""When two learnings are the same procedure, and whether a turn ran one.

The words are compared by the one TF-IDF cosine of methodologies (R5: no other similarity). Words do
not tell a long from a short, or a look from an order: tools and opposite words do.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from afterword.pipeline.domain.learnings.model import LearnedCall
from afterword.pipeline.domain.learnings.triggers import without_courtesy
from afterword.pipeline.domain.methodologies.conditions import contradiction, read_conditions
from afterword.pipeline.domain.methodologies.similarity import terms

SAME_PROCEDURE_AT: Final = 0.42
"""The smallest cosine of two learnings that are the same; two thirds of the labelled procedures of
`benchmarks/learnings.py` chose it."""

SUGGEST_AT: Final = 0.3
"""The smallest cosine of a message and the trigger of a learning that is suggested, weighed by what
ignored showings left of it; the same procedures and messages without one chose it."""

_NOT_OPPOSITE: Final = frozenset({"assets", "numbers", "one word"})
"""What two requests of one kind differ in: of what, how much, and by a word."""

_ACTING: Final = re.compile(
    r"(?:^|[_.\W])(?:place|order|execute|transfer|send|buy|sell|cancel|withdraw|deposit|set|close|"
    r"open|submit|swap|bridge|stake|approve|sign|create|delete|schedule)(?:$|[_.\W])",
    re.IGNORECASE,
)
"""Names of tools that change something; the others look."""

_PART: Final = re.compile(
    r"\b(?:half|part|partial|partially|third|quarter|some of|mitad)\b|一半|部分", re.IGNORECASE
)
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def trigger_terms(trigger: str) -> frozenset[str]:
    """Return the words of a trigger, or of a message, that are compared."""
    return terms(without_courtesy(trigger))


def procedure_terms(trigger: str, tools: Iterable[str]) -> frozenset[str]:
    """Return the words of a trigger and its tools, each tool as one word."""
    return trigger_terms(trigger) | {f"{tool}|" for tool in tools}


def tools_of(sequence: Iterable[LearnedCall]) -> list[str]:
    """Return the names of the tools of a sequence, in order."""
    return [call.tool_name for call in sequence]


def may_be_same(trigger: str, tools: Sequence[str], other: str, other_tools: Sequence[str]) -> bool:
    """Say whether two learnings can be one procedure, however alike their words are.

    One of them uses all tools of the other; both act or both only look; and neither asks for the
    opposite of the other, for a part of it, or for another venue.
    """
    mine, theirs = set(tools), set(other_tools)
    if not (mine <= theirs or theirs <= mine) or bool(mine) != bool(theirs):
        return False
    if any(map(_acts, mine)) != any(map(_acts, theirs)):
        return False
    if bool(_PART.search(trigger)) != bool(_PART.search(other)):
        return False
    reason = contradiction(read_conditions(trigger), read_conditions(other))
    return reason is None or reason in _NOT_OPPOSITE


def may_be_same_note(trigger: str, guidance: str, other: str, other_guidance: str) -> bool:
    """Say whether two notes can say the same, however alike their words are.

    Notes are written by one pattern, and no tools tell them apart: one of them must be about all
    that the other is about, and what they say must not contradict.
    """
    mine, theirs = trigger_terms(trigger), trigger_terms(other)
    if not (mine <= theirs or theirs <= mine):
        return False
    said, other_said = read_conditions(guidance), read_conditions(other_guidance)
    return contradiction(said, other_said) is None


def _acts(tool: str) -> bool:
    return _ACTING.search(_CAMEL.sub("_", tool)) is not None

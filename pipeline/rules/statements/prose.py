"""Cut the prose of a message into sentences, with quotations covered."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from afterword.pipeline.expression import expression

MIN_SENTENCE: Final = 4
MAX_SENTENCE: Final = 300
"""Characters of a sentence: a longer one is no statement that fits into a line of a prompt."""

_QUOTATION: Final = expression(
    r"""(?x)
    "[^"\n]{1,400}" | “[^”\n]{1,400}” | „[^“”\n]{1,400}[“”] | «[^»\n]{1,400}» | ‹[^›\n]{1,200}›
  | 「[^」\n]{1,400}」 | 『[^』\n]{1,400}』 | `[^`\n]{1,400}` | ‘[^’\n]{1,400}’
  | (?<!\w)'[^'\n]{2,400}'(?!\w)
    """
)
_COVER: Final = "\u00a4"
"""Stands for each character of a quotation; no rule matches it."""

_END: Final = expression(r"(?<=[.!?…])\s+(?=[^a-z\s])|(?<=[!?])\s+|(?<=[。！？；!?])|;\s+|\n+")
_ABBREVIATION: Final = expression(
    r"(?i)(?:\b(?:e\.g|i\.e|vs|etc|approx|ca|bzw|z\.b|u\.s|mr|mrs|dr|no|p\.s)\.|^\s*\d{1,2}[.)])$"
)
_BULLET: Final = expression(r"^\s*(?:[-*•·]|\d{1,2}[.)])\s+")


class Sentence(NamedTuple):
    """One sentence.

    Args:
        text: as it was written, on one line.
        is_item: whether it is an item of a list.
        plain: the same length and case-folded where possible, quotations covered; for patterns.
    """

    text: str
    plain: str
    is_item: bool = False


def sentences(prose: str) -> Iterator[Sentence]:
    """Return the sentences of a text that are neither too short nor too long for a statement."""
    covered = _QUOTATION.sub(lambda match: _COVER * len(match[0]), prose)
    for start, end in _spans(covered):
        text = prose[start:end]
        bullet = _BULLET.match(text)
        skip = bullet.end() if bullet else len(text) - len(text.lstrip())
        text, plain = text[skip:].rstrip(), covered[start + skip : end].rstrip()
        if MIN_SENTENCE <= len(text) <= MAX_SENTENCE:
            words = " ".join(text.split())
            yield Sentence(words, " ".join(_lowered(plain).split()), bullet is not None)


def _spans(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _END.finditer(text):
        if _ABBREVIATION.search(text[start : match.start()]):
            continue
        yield start, match.start()
        start = match.end()
    yield start, len(text)


def _lowered(text: str) -> str:
    return text.lower().translate(_APOSTROPHES)


_APOSTROPHES: Final = {ord("’"): "'", ord("‘"): "'", ord("´"): "'", ord("＇"): "'"}

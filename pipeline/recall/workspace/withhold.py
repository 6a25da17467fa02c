"""Passages of notes that read like orders to the agent: a prompt has a mark in their place."""

from collections.abc import Iterator
from typing import Final

from afterword.pipeline.domain.memory.flags import WITHHELD, families_of
from afterword.pipeline.expression import expression

# A line that begins something new: an item, a heading, a row, a quote, a name before a colon, or
# nothing. An order may go on over the lines between them.
_BEGINS: Final = expression(r"\s*(?:[-*+>|#§•]|\d+[.)]|[\w*][\w *]{0,30}[:：]|$)")


def withhold(text: str) -> tuple[str, tuple[str, ...]]:
    """Return a text with a mark in place of each passage that reads like an order.

    Returns:
        The text, and the passages that it lost, each on one line.
    """
    parts: list[str] = []
    lost: list[str] = []
    for lines in passages(text):
        passage = " ".join(line.strip() for line in lines)
        if families_of(passage):
            lost.append(passage)
            parts.append(WITHHELD)
        else:
            parts += lines
    return ("\n".join(parts) if lost else text), tuple(lost)


def passages(text: str) -> Iterator[list[str]]:
    """Yield the lines of a text in passages: an item of a list, a heading, a paragraph."""
    lines: list[str] = []
    for line in text.split("\n"):
        if lines and _BEGINS.match(line):
            yield lines
            lines = []
        lines.append(line)
    if lines:
        yield lines

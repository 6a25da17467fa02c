"""What is remembered, as a prompt may show it."""

from typing import Final

from afterword.pipeline.rules.masking import mask
from afterword.pipeline.rules.text.line import MAX_LINE, one_line

SHORT: Final = 300
"""Characters of a line among many: a sentence or three, so that no document fills a prompt."""


def sanitize(text: str, most: int = MAX_LINE) -> str:
    """Return a text as one line without secrets; done again, it does not change.

    Secrets are masked where they are written. This is the second net: it sees the characters a
    reader would see, and more of them than are shown, so that none is cut in half.
    """
    line = one_line(text, 2 * MAX_LINE)
    masked = mask(line)
    return line if masked is line and len(line) <= most else one_line(masked, most)

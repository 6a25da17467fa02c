"""Make remembered text safe for a prompt: one line, without secrets."""

from typing import Final

from afterword.pipeline.rules.masking import mask
from afterword.pipeline.rules.text.line import MAX_LINE, one_line

SHORT: Final = 300
"""Characters of a line among many: a sentence or three, so that no document fills a prompt."""


def sanitize(text: str, most: int = MAX_LINE) -> str:
    """Return a text as one line without secrets; applied again, it changes nothing.

    Secrets are masked before they are stored. This masks again, over the visible characters and
    over more of them than the line keeps, so that no secret is cut in half and missed.

    Args:
        most: characters of the line.
    """
    line = one_line(text, 2 * MAX_LINE)
    masked = mask(line)
    return line if masked is line and len(line) <= most else one_line(masked, most)

"""Make remembered text safe for a prompt: one line, without secrets, and no order to the agent."""

from functools import lru_cache
from typing import Final

from afterword.pipeline.domain.memory.flags import families_of, shown
from afterword.pipeline.rules.masking import mask
from afterword.pipeline.rules.text.line import MAX_LINE_CHARS, one_line

SHORT: Final = 300
"""Characters of a line among many: a sentence or three, so that no document fills a prompt."""

_MOST_KNOWN: Final = 1_000
"""Characters of a text whose line a process remembers: 2,000 of them take 4 MB at most."""


def sanitize(text: str, most: int = MAX_LINE_CHARS) -> str:
    """Return a text as one line without secrets; applied again, it changes nothing.

    Secrets are masked before they are stored. This masks again, over the visible characters and
    over more of them than the line keeps, so that no secret is cut in half and missed.

    Args:
        most: characters of the line.
    """
    # Each session shows most of the lines that the one before it showed.
    return _known(text, most) if len(text) <= _MOST_KNOWN else _sanitized(text, most)


def _sanitized(text: str, most: int) -> str:
    line = one_line(text, 2 * MAX_LINE_CHARS)
    masked = mask(line)
    return line if masked is line and len(line) <= most else one_line(masked, most)


_known = lru_cache(maxsize=2_000)(_sanitized)


def prompt_line(text: str, most: int = MAX_LINE_CHARS) -> str:
    """Return a text as `sanitize` does; nothing, so that a prompt leaves it out, if it is an order.

    For lines without a row whose flag says so: what is made of the names of markets, accounts,
    venues and tags. A row with a flag is left out where it is read.
    """
    line = sanitize(text, most)
    return "" if families_of(line) else line


def shown_name(text: str) -> str:
    """Return a name as a field of an answer, on one line; withheld if it reads like an order."""
    return shown(sanitize(text))

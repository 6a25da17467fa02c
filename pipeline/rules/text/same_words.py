"""Whether two texts have the same words, whatever the writing of them."""

from typing import Final
from unicodedata import normalize

from afterword.pipeline.expression import expression

_ENDS: Final = " .!…。！．"
_MONTHS: Final = expression(r"(?<=[0-9])M\b")
"""5M is a chart of months, and 5m one of minutes."""

_NO_CHARACTER: Final = "\0"  # stored text has none


def words_key(text: str) -> str:
    """Return a text that is equal for all writings of the same words.

    Case, spaces, the form of characters, and full stops and exclamation marks at the ends do not
    count.
    """
    months = _MONTHS.sub(_NO_CHARACTER, normalize("NFKC", text))
    return " ".join(months.casefold().split()).strip(_ENDS)

"""Which texts match: texts that name a subject, and texts that repeat forgotten content."""

import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from afterword.pipeline.core.area import ForgetPlace
from afterword.pipeline.operations.forget.finder import Finder
from afterword.pipeline.operations.forget.residue import phrases
from afterword.pipeline.rules.entities.entities import extract_entities
from afterword.pipeline.rules.entities.tokens import tokenise
from afterword.pipeline.rules.text.grams import UNSPACED

Names = Callable[[str], bool]

_LETTER: Final = re.compile(r"\w")


def names_subject(subject: str) -> Names:
    """Return a function that says whether a text names a subject: as whole words, in any case.

    A subject that is one ticker, chain or address is named by every form that the entity rules
    know: `BTC` also by bitcoin, `BTC-PERP` and 比特币.
    """
    wanted = _folded(subject)
    before = r"(?<!\w)" if _is_spaced(wanted[0]) else ""
    after = r"(?!\w)" if _is_spaced(wanted[-1]) else ""
    pattern = re.compile(f"{before}{re.escape(wanted)}{after}")
    entities = set(extract_entities(subject)) if len(tokenise(subject)) == 1 else set()

    def names(text: str) -> bool:
        if pattern.search(_folded(text)):
            return True
        return bool(entities) and not entities.isdisjoint(extract_entities(text))

    return names


class Repeats:
    """Says whether a text repeats one of the forgotten texts.

    Args:
        texts: contents of memories; a text below `KEY` bytes never matches.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._wholes = Finder(_folded(text).encode() for text in texts)
        self._parts = Finder(part for text in texts for part in phrases(_plain(text)))

    def is_in(self, text: str, quotes: bool) -> bool:
        """Say whether a text contains one of them or, with `quotes`, a phrase of one."""
        if self._wholes.pieces and self._wholes.search(_folded(text).encode()):
            return True
        return quotes and bool(self._parts.search(_plain(text).encode()))


def words_of(place: ForgetPlace, row: Sequence[Any], names: bool = True) -> list[str]:
    """Return all texts of a row in the columns of a place: plain text first, then JSON strings.

    Args:
        names: also return the keys of JSON objects; many of those are our own.
    """
    words = [str(cell) for cell in row[: len(place.words)] if cell]
    for cell in row[len(place.words) :]:
        words += _strings(json.loads(cell), names) if cell else []
    return words


def _strings(value: Any, names: bool) -> Iterator[str]:
    match value:
        case dict():
            yield from value if names else ()
            for one in value.values():
                yield from _strings(one, names)
        case list():
            for one in value:
                yield from _strings(one, names)
        case str() | int() | float() if not isinstance(value, bool):
            yield str(value)


def _folded(text: str) -> str:
    return _plain(text).casefold()


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split())


def _is_spaced(character: str) -> bool:
    """Say whether a character belongs to a script with spaces between words."""
    return bool(_LETTER.match(character)) and not UNSPACED.match(character)

"""Residue patterns: phrases of the erased texts, and words that no remaining row has."""

import json
import re
from collections.abc import Iterable, Sequence
from typing import Final

from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.operations.forget.finder import PHRASE, SHORTEST_PATTERN_BYTES

_WORD: Final = re.compile(r"\w+")


def phrases(text: str) -> list[bytes]:
    """Return the UTF-8 bytes of a text in phrases; the last one overlaps the one before."""
    whole = text.encode()
    last = max(0, len(whole) - PHRASE)
    return [whole[at : at + PHRASE] for at in (*range(0, last, PHRASE), last)]


def all_phrases(texts: Iterable[str]) -> list[bytes]:
    """Return the phrases of all texts as they are stored, and as JSON escapes them."""
    found = []
    for text in texts:
        found += phrases(text)
        escaped = json.dumps(text)[1:-1]
        if escaped != text:
            found += phrases(escaped)
    return list(dict.fromkeys(piece for piece in found if len(piece) >= SHORTEST_PATTERN_BYTES))


def own_words(texts: Sequence[str], living: Iterable[str]) -> list[bytes]:
    """Return the words and index terms of the texts that the present index does not have.

    Args:
        living: the terms of the present index.
    """
    terms = _terms(list(dict.fromkeys(word for text in texts for word in _WORD.findall(text))))
    known = set(living)
    own = {
        form
        for word, its_terms in terms.items()
        if its_terms.isdisjoint(known)
        for form in (word, *its_terms)
    }
    return sorted(found for form in own if len(found := form.encode()) >= SHORTEST_PATTERN_BYTES)


def _terms(words: Sequence[str]) -> dict[str, set[str]]:
    """Return the index terms of each word, from a temporary index of the same type."""
    conn = dbapi.connect(":memory:")
    try:
        conn.execute("CREATE VIRTUAL TABLE asked USING fts5 (word, tokenize='porter unicode61')")
        conn.execute("CREATE VIRTUAL TABLE terms USING fts5vocab (asked, instance)")
        rows = [(number, word) for number, word in enumerate(words, 1)]
        conn.executemany("INSERT INTO asked (rowid, word) VALUES (?, ?)", rows)
        found: dict[str, set[str]] = {}
        for term, number in conn.execute("SELECT term, doc FROM terms"):
            found.setdefault(words[number - 1], set()).add(term)
        return found
    finally:
        conn.close()

"""Words of the memories that differ by a letter or two from a word no memory contains."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.recall.search.fts import stems
from afterword.pipeline.recall.search.query import Term, quoted

_SHORTEST_CHARS: Final = 4
"""Letters of a word that may be misspelt: of three, too many others are near."""

LONG_WORD: Final = 8
"""Letters from which a word may differ by two letters instead of one."""

_VOCABULARY: Final = text("""
CREATE VIRTUAL TABLE IF NOT EXISTS temp.memory_words
USING fts5vocab('main', 'memories_fts', 'row')
""")
_BEGINNING: Final = text("""
SELECT term FROM temp.memory_words
WHERE term >= :first AND term < :next AND length(term) BETWEEN :shortest AND :longest
""")


@dataclass(frozen=True, slots=True)
class _Misspelt:
    term: Term
    stem: str

    @property
    def edits(self) -> int:
        return 2 if len(self.term.name) >= LONG_WORD else 1


def near_terms(conn: Connection, terms: Sequence[Term]) -> tuple[Term, ...]:
    """Return, for words of letters, the terms that match the words near them in spelling.

    A near word begins with the same letter. It is one edit away (a letter more, less, other, or two
    exchanged), or two where the word has `LONG_WORD` letters.
    """
    words = [term for term in terms if term.name.isalpha() and len(term.name) >= _SHORTEST_CHARS]
    if not words:
        return ()
    conn.execute(_VOCABULARY)
    misspelt = (
        (word, list(_near(conn, word)))
        for word in map(_Misspelt, words, stems([word.name for word in words]))
    )
    return tuple(Term(f"~{word.term.name}", quoted(*near)) for word, near in misspelt if near)


def _near(conn: Connection, misspelt: _Misspelt) -> Iterable[str]:
    first, length = misspelt.stem[0], len(misspelt.stem)
    values = {
        "first": first,
        "next": chr(ord(first) + 1),
        "shortest": length - misspelt.edits,
        "longest": length + misspelt.edits,
    }
    for (word,) in conn.execute(_BEGINNING, values):
        if edits_between(misspelt.stem, word, misspelt.edits) <= misspelt.edits:
            yield word


def edits_between(one: str, other: str, most: int) -> int:
    """Return how many edits lead from one word to another, or more than `most`.

    Source: the optimal string alignment distance (Damerau, Communications of the ACM 7, 1964).
    """
    before: list[int] = []
    last = list(range(len(other) + 1))
    for at, letter in enumerate(one, 1):
        row = [at]
        for to, wanted in enumerate(other, 1):
            cost = min(last[to] + 1, row[to - 1] + 1, last[to - 1] + (letter != wanted))
            if at > 1 and to > 1 and letter == other[to - 2] and one[at - 2] == wanted:
                cost = min(cost, before[to - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
        before, last = last, row
    return last[-1]

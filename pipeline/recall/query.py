"""What a query asks for: an expression of the query language, plain words, or pieces of text.

R1's language is FTS5's: words, "phrases", AND / OR / NOT, prefix*, `category:preference`. A query
that uses it means what it says. Everything else is plain words, of which the more and the rarer
ones a memory holds, the better it fits.
"""

import re
from typing import Final

MAX_QUERY: Final = 500
"""Characters of a query that are read (R4)."""

MAX_PIECES: Final = 24
"""Pieces of text looked for without an index: each one costs a look at every memory."""

_SYNTAX: Final = re.compile(
    r'"[^"]*\w[^"]*"|\b(?:AND|OR|NOT)\b|\w\*(?=\s|$)|\b(?:content|category|tags):'
)
_WORD: Final = re.compile(r"[^\W_]+")

# Scripts written without spaces: the index holds a whole run of theirs as one word.
# Thai to Tibetan, Myanmar, Khmer, kana, Han, Hangul, and the supplementary Han planes.
_UNSPACED: Final = re.compile(
    "[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+"
)

# English words that are in every other sentence: they cost the most and say the least. `us` is not
# among them: it is a market.
_COMMON: Final = """
a about all also am an and any are as at be because been being but by can could did do does doing
for from had has have having he her hers him his how i if in into is it its just me my no not of on
or our ours she should so some such than that the their them then there these they this those to
too was we were what when where which while who whom whose why will with would you your yours
"""
_STOP_WORDS: Final = frozenset(_COMMON.split())


def readable(text: str) -> str:
    """Return the part of a query that is read, without what no stored text can hold."""
    return text[:MAX_QUERY].encode("utf-8", "ignore").decode().replace("\0", " ").strip()


def uses_syntax(text: str) -> bool:
    """Say whether a query is written in the query language."""
    return bool(_SYNTAX.search(text))


def is_unspaced(text: str) -> bool:
    """Say whether a query has words in a script the word index cannot split."""
    return bool(_UNSPACED.search(text))


def words(text: str) -> list[str]:
    """Return the distinct words of a query in lower case, common ones only if there are no others.

    Returns:
        Letters and digits only, so that they can be quoted; empty for punctuation.
    """
    found = list(dict.fromkeys(_WORD.findall(text.lower())))
    return [word for word in found if word not in _STOP_WORDS] or found


def any_of(found: list[str]) -> str:
    """Return the expression that matches any of the words."""
    return " OR ".join(f'"{word}"' for word in found)


def pieces(text: str) -> list[str]:
    """Return what to look for inside longer runs of text.

    Returns:
        Neighbouring pairs of unspaced characters (one alone stays alone) and the other words;
        where there is neither, what stands between spaces.
    """
    pairs = [
        run[start : start + 2]
        for run in _UNSPACED.findall(text)
        for start in range(max(1, len(run) - 1))
    ]
    found = [*pairs, *words(_UNSPACED.sub(" ", text))] or text.split()
    return list(dict.fromkeys(found))[:MAX_PIECES]

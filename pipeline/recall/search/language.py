"""R1's query language: words, "phrases", AND / OR / NOT, prefix*, `category:preference`.

A memory that does not match such a query is not found. It is FTS5's language with every word
quoted, so that the punctuation of prices and pairs is not read as syntax.
"""

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from afterword.pipeline.recall.search.query import MAX_TERMS, Term, quoted, run_expression
from afterword.pipeline.rules.text.grams import UNSPACED

_USED: Final = re.compile(
    r'"[^"]*\w[^"]*"|\b(?:AND|OR|NOT)\b|\w\*(?=\s|$)|\b(?:content|category|tags):'
)
_TOKEN: Final = re.compile(
    r'(?P<column>content|category|tags)\s*:(?=\s*["(\w])|(?P<operator>\b(?:AND|OR|NOT)\b|[()])'
    r'|"(?P<phrase>[^"]*)"|(?P<word>[^\W_]+)(?P<star>\*?)'
)
_OTHER_COLUMN: Final = re.compile(r'(?<!\w)(?!(?:content|category|tags):)[^\W_]+:(?=["(\w])')
_BETWEEN: Final = ("AND", "OR", "NOT")
# The pairs of unspaced text have a column of their own.
_COLUMNS: Final = {"content": "{content grams}", "category": "category", "tags": "tags"}


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """A query in the language, parsed.

    Args:
        expression: matches the memories that fit; malformed where the query is, and None where it
            names an unknown column.
        terms: the terms it asks for, without those after a NOT.
    """

    expression: str | None
    terms: tuple[Term, ...]


def uses_language(text: str) -> bool:
    """Say whether a query is written in the query language."""
    return bool(_USED.search(text))


def read_language(text: str) -> ParsedQuery:
    """Parse a query in the language."""
    written: list[str] = []
    terms: dict[str, Term] = {}
    column = ""
    side = _Side()
    for token in _TOKEN.finditer(text):
        if operator := token["operator"]:
            written.append(column + operator)
            side.meet(operator)
        elif leaf := _leaf(token):
            written.append(column + leaf)
            if side.is_wanted:
                terms.setdefault(token[0], Term(token[0], column + leaf))
        column = f"{_COLUMNS[token['column']]} : " if token["column"] else ""
    expression = None if _OTHER_COLUMN.search(text) else _joined(written)
    return ParsedQuery(expression, tuple(terms.values())[:MAX_TERMS])


def _joined(written: list[str]) -> str:
    """Return the parts as one expression; beside brackets FTS5 needs an explicit AND."""
    joined = written[:1]
    for before, after in pairwise(written):
        is_between = before[-1] != "(" and before not in _BETWEEN and after not in (*_BETWEEN, ")")
        if is_between and (before[-1] == ")" or "(" in after):
            joined.append("AND")
        joined.append(after)
    return " ".join(joined)


class _Side:
    """Tracks whether the next word is excluded: a NOT ends at the next AND, OR or bracket."""

    def __init__(self) -> None:
        self._depth = 0
        self._since: int | None = None

    @property
    def is_wanted(self) -> bool:
        return self._since is None

    def meet(self, operator: str) -> None:
        self._depth += {"(": 1, ")": -1}.get(operator, 0)
        if operator == "NOT" and self._since is None:
            self._since = self._depth
        elif self._since is not None and (
            self._depth < self._since or (operator in ("AND", "OR") and self._depth == self._since)
        ):
            self._since = None


def _leaf(token: re.Match[str]) -> str:
    """Return the expression of a word or phrase; empty for one without a letter or digit."""
    words = token["word"] or token["phrase"] or ""
    parts = [run_expression(run) for run in UNSPACED.findall(words)]
    if spaced := quoted(UNSPACED.sub(" ", words)):
        parts.append(spaced + ("*" if token["star"] else ""))
    if len(parts) > 1 or " OR " in "".join(parts):
        return "(" + " AND ".join(f"({part})" for part in parts) + ")"
    return "".join(parts)

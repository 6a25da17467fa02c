"""Split a query into terms, each with the FTS5 expression that matches the memories with it."""

import re
from dataclasses import dataclass
from typing import Final
from unicodedata import normalize

from afterword.pipeline.recall.search.dates import Date, Span, find_dates
from afterword.pipeline.recall.search.forms import forms
from afterword.pipeline.recall.search.model import MAX_QUERY
from afterword.pipeline.recall.search.variants import variants
from afterword.pipeline.rules.text.grams import UNSPACED

MAX_TERMS: Final = 64
"""Terms of a query that are searched for: each reads the index once."""

MAX_PIECES: Final = 24
"""Pieces of text searched for without an index: each is compared with every memory."""

_WORD: Final = re.compile(r"[^\W_]+")
_NUMBER: Final = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_SEPARATED: Final = re.compile(r"(?<!\d)\d++(?:[.,]\d++)++[^\W_]*")
# `R:R`, `stop-loss`, `ETH-PERP`, `BTC/USD`: together they say more than word by word.
_COMPOUND: Final = re.compile(r"(?<![^\W_])[^\W_]++(?:[-/:.,&'+@][^\W_]++)++")
# `0xabc…`: a shortened address or hash; its beginning is kept.
_SHORTENED: Final = re.compile(r"\b([^\W_]{5,})(?:…|\.\.\.)")
_CONTRACTION: Final = re.compile(r"(?<=\w)['’](?:s|t|d|ll|re|ve|m)\b", re.IGNORECASE)

# English words in every other sentence: they cost the most time and say the least. `us` is not
# among them: it is a market.
_COMMON: Final = """
a about all also am an and any are as at be because been being both but by can could did do does
doing during each for from had has have having he her hers him his how i if in into is it its just
many may me might much must my no not now of on or other our ours s shall she should so some still
such t than that the their them then there these they this those to too very was we were what when
where which while who whom whose why will with would yet you your yours
"""
_STOP_WORDS: Final = frozenset(_COMMON.split())
# Words of a question about the question itself, not about the answer.
_SAYING: Final = """
called describe described kind likely mention mentioned mentions name said say says sort tell tells
told type
"""
_ASKING_WORDS: Final = frozenset(_SAYING.split())
_QUESTION: Final = re.compile(
    r"\?|^\W*(?:what|who|whom|whose|which|when|where|why|how|did|does|do|is|are|was|were|has|have|"
    r"had|can|could|would|will|should)\b",
    re.IGNORECASE,
)
_ASKING_RUNS: Final = re.compile(
    "什么时候|什麼時候|为什么|為什麼|怎么样|怎麼樣|什么|什麼|怎么|怎麼|怎样|怎樣|多少|哪些|哪个|哪個|哪里|哪裡|"
    "如何|是否|何时|何時|是不是|有没有|有沒有|[吗嗎呢]|"
    "どのくらい|どのように|どうやって|どんな|いくら|ですか|ますか|でしたか|ましたか|いつ|どこ|なぜ|何を|何が|"
    "무엇을|무엇|언제|어디서|어디|어떻게|얼마나|얼마|누구|인가요|입니까|습니까|나요|까요"
)


@dataclass(frozen=True, slots=True)
class Term:
    """One term of a query.

    Args:
        name: as it is shown.
        expression: matches it in the index; well-formed whatever the query.
        spans: memories of these times match it too.
    """

    name: str
    expression: str
    spans: tuple[Span, ...] = ()


def readable(text: str) -> str:
    """Return the part of a query that is read, without characters no stored text contains."""
    return text[:MAX_QUERY].encode("utf-8", "ignore").decode().replace("\0", " ").strip()


def terms(text: str) -> tuple[Term, ...]:
    """Return the terms of a query, in the order they are searched for; common words left out.

    Returns:
        Dates, compounds, numbers, words with their irregular forms, and pairs of characters of
        unspaced scripts in all their variants; each once, and `MAX_TERMS` of them.
    """
    dates, rest = find_dates(normalize("NFKC", text))
    spaced = _CONTRACTION.sub(" ", UNSPACED.sub(" ", rest))
    # The parts of a number with separators add nothing to the whole number.
    plain = _SEPARATED.sub(" ", spaced)
    parts = [
        *(_date_term(date) for date in dates),
        *_joined(spaced),
        *(_word_term(word) for word in _uncommon(plain)),
        *(_pair_term(pair) for pair in _pairs(rest)),
    ] or [_word_term(word) for word in words(plain)]
    return tuple({term.name: term for term in parts}.values())[:MAX_TERMS]


def words(text: str) -> list[str]:
    """Return the distinct words of a query in lower case, common ones only if there are no others.

    Returns:
        Letters and digits only, so that they can be quoted; empty for punctuation.
    """
    return _uncommon(text) or list(dict.fromkeys(_WORD.findall(text.lower())))


def quoted(*alternatives: str) -> str:
    """Return the expression that matches any of some texts, each as a row of words."""
    return " OR ".join(
        f'"{words}"' for words in (" ".join(_WORD.findall(text)) for text in alternatives) if words
    )


def run_expression(run: str) -> str:
    """Return the expression that matches a run of an unspaced script, in every way of writing.

    Args:
        run: characters of one such script, without spaces.
    """
    if len(run) == 1:
        return " OR ".join(f'"{way}"*' for way in variants(run))
    pairs = (run[at : at + 2] for at in range(len(run) - 1))
    return " + ".join(f'"{pair}"' for pair in pairs)


def pieces(text: str) -> list[str]:
    """Return the pieces to search for inside longer words, without an index.

    Returns:
        The single characters of unspaced scripts and the other words; where there is neither, the
        parts between spaces.
    """
    characters = "".join(UNSPACED.findall(text))
    parts = [*characters, *words(UNSPACED.sub(" ", text))] or text.split()
    return list(dict.fromkeys(parts))[:MAX_PIECES]


def _uncommon(text: str) -> list[str]:
    """Return the distinct words that are not common; of a question, those not about itself."""
    distinct = dict.fromkeys(_WORD.findall(text.lower()))
    uncommon = [word for word in distinct if word not in _STOP_WORDS]
    if _QUESTION.search(text):
        return [word for word in uncommon if word not in _ASKING_WORDS] or uncommon
    return uncommon


def _date_term(date: Date) -> Term:
    return Term(date.text, quoted(*date.words), date.spans)


def _joined(text: str) -> list[Term]:
    """Return the compounds joined by punctuation, and shortened names."""
    shortened = [Term(f"{part}*", f'"{part}"*') for part in _SHORTENED.findall(text)]
    compounds = [match[0] for match in _COMPOUND.finditer(text)]
    return shortened + [
        Term(
            compound.lower(),
            _spellings(compound) if _NUMBER.fullmatch(compound) else quoted(compound),
        )
        for compound in compounds
    ]


def _spellings(number: str) -> str:
    """Return the expression that matches a number with and without its separators."""
    whole, _, fraction = number.replace(",", "").partition(".")
    return quoted(f"{whole}.{fraction}", f"{int(whole):,}.{fraction}")


def _word_term(word: str) -> Term:
    if word.isdecimal() and len(word) > 3:
        return Term(word, _spellings(word))
    return Term(word, quoted(*forms(word)))


def _pairs(text: str) -> list[str]:
    runs = UNSPACED.findall(_ASKING_RUNS.sub(" ", text)) or UNSPACED.findall(text)
    return [run[at : at + 2] for run in runs for at in range(max(1, len(run) - 1))]


def _pair_term(pair: str) -> Term:
    if len(pair) == 1:
        return Term(pair, run_expression(pair))
    return Term(pair, " OR ".join(f'"{way}"' for way in variants(pair)))

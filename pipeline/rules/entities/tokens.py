"""Split a text into words, Chinese terms and breaks, in one pass."""

import re
from collections import defaultdict
from collections.abc import Iterable
from itertools import chain
from typing import Final

from afterword.pipeline.expression import expression
from afterword.pipeline.rules.entities.chains import CHINESE_CHAIN_TERMS
from afterword.pipeline.rules.entities.disambiguation import MARKET_NOUNS
from afterword.pipeline.rules.entities.lookalikes import CHINESE_IDIOMS
from afterword.pipeline.rules.entities.verbs import (
    CHINESE_VERBS,
    COMMAS,
    CONDITIONS,
    CONJUNCTIONS,
    REACH_OF_UNREAL,
    SENTENCE_ENDS,
)
from afterword.pipeline.rules.market.aliases import CHINESE_NAMES, CHINESE_WORD_NAMES
from afterword.pipeline.rules.text.words import in_both_scripts

# Characters that other rules look for: lists, fillers, price levels, 在…上.
_SINGLE_CHARACTERS: Final = "和及与了的我点在上设位线价单"

_TERMS: Final = in_both_scripts(
    dict.fromkeys(
        term
        for term in chain(
            CHINESE_NAMES,
            CHINESE_WORD_NAMES,
            CHINESE_CHAIN_TERMS,
            CHINESE_IDIOMS,
            CHINESE_VERBS,
            MARKET_NOUNS,
            CONDITIONS,
            CONJUNCTIONS,
            REACH_OF_UNREAL,
            _SINGLE_CHARACTERS,
        )
        if not term[0].isascii()
    )
)


def _by_first_character(terms: Iterable[str]) -> dict[str, str]:
    """Return by first character an alternation of the terms that can follow, longest first."""
    endings: dict[str, list[str]] = defaultdict(list)
    for term in sorted(terms, key=lambda term: (-len(term), term)):
        endings[term[0]].append(term[1:])
    return {first: "|".join(rest) for first, rest in endings.items()}


_ENDINGS: Final = _by_first_character(_TERMS)
_FIRSTS: Final = "".join(_ENDINGS)
_TERM: Final = "|".join(f"{first}(?:{endings})" for first, endings in _ENDINGS.items())

_TOKEN: Final = expression(
    # A word with its joints: $ETH, BTC/USDT, xyz:TSLA, S&P, didn't, 3,450.5, long-term; ETH's is
    # cut. The time is linear: joints end a run, and the group is possessive, so nothing is tried
    # twice.
    r"\$?[A-Za-z0-9]+"
    r"(?:(?:[:/_&.-]|['’](?!s(?![A-Za-z0-9])))\$?[A-Za-z0-9]+|(?<=[0-9]),(?=[0-9])[0-9]+)*+"
    rf"|[{re.escape(''.join(sorted(COMMAS | SENTENCE_ENDS)))}]"
    # Chinese that starts no term, then a term, then a character that may start one.
    rf"|[^\x00-\u33ff\ua000-\U0010ffff{_FIRSTS}]+|(?=[{_FIRSTS}])(?:{_TERM})|[\u3400-\u9fff]"
)


def tokenise(text: str) -> list[str]:
    """Split a text into words, Chinese terms, the Chinese between them, and breaks.

    Everything else (spaces, brackets, emoji, other scripts) is left out.
    """
    return _TOKEN.findall(text)

"""Guess which words of a column of sides buy and which sell, and which must be asked about."""

import re
from collections.abc import Sequence
from typing import Final

from afterword.pipeline.domain.exports.guess_names import plain_words
from afterword.pipeline.domain.exports.side_words import BUYS, KNOWN_SIDES, NO_TRADES, SELLS
from afterword.pipeline.rules.masking import mask

MOST_SIDE_WORDS: Final = 12
"""Words of one meaning that a guess or a question names; count."""

_BESIDE_SIDES: Final = frozenset(
    re.findall("[a-z]+", "market limit stop order trade spot margin perp futures loss instant")
)
"""Words that do not change what buys or sells beside them: `Market sell`, `LIMIT_BUY`."""

_POSITION: Final = {"long": "buy", "short": "sell"}
_SIDE_NAMES: Final = (("buy", frozenset(BUYS)), ("sell", frozenset(SELLS)))


def side_words(cells: Sequence[str], closed: bool) -> tuple[list[str], list[str]]:
    """Return what must be said about words of sides, and those of which nobody knows it."""
    known = (*KNOWN_SIDES, *(_POSITION if closed else ()))
    every = list(dict.fromkeys(cells))
    trades = {word.lower() for word in every} & set(KNOWN_SIDES)
    words: dict[str, list[str]] = {"buy": [], "sell": [], "short": [], "skip": []}
    odd: list[str] = []
    for word in every:
        is_fit = word.isprintable() and "|" not in word and mask(word) == word
        if word.lower() in known or "split" in plain_words(word).split(" "):
            continue  # the row of a split is left out as such
        meaning = _meaning(word, beside_trades=bool(trades))
        if meaning is None or not is_fit or len(words[meaning]) == MOST_SIDE_WORDS:
            odd.append(word)
        else:
            words[meaning].append(word)
    return [f"{key}:{'|'.join(meant)}" for key, meant in words.items() if meant], odd


def _meaning(word: str, *, beside_trades: bool = False) -> str | None:
    """Return what a word of a side may mean by the words in it; None if that is not clear.

    Args:
        beside_trades: the column has words that buy and sell; `short` then opens a short, and
            `long` says nothing of a side.
    """
    plain = plain_words(word)
    parts = set(plain.split(" "))
    if plain in NO_TRADES:
        return "skip"
    if parts <= set(_POSITION):
        if beside_trades:
            return "short" if parts == {"short"} else None
        return _POSITION[parts.pop()] if len(parts) == 1 else None
    if parts & {"short", "cover", "close", "open", "long"}:
        return None  # a word with a side and a position is known as a whole, or asked about
    meant = [key for key, names in _SIDE_NAMES if parts & {name for name in names if len(name) > 2}]
    sides = {word for word in parts if word in BUYS or word in SELLS}
    return meant[0] if len(meant) == 1 and parts - sides <= _BESIDE_SIDES else None


def has_sides(cells: Sequence[str]) -> bool:
    """Tell a column in which some words buy or sell."""
    return any(is_side(cell) or _meaning(cell) in ("buy", "sell") for cell in dict.fromkeys(cells))


def is_side(text: str) -> bool:
    """Tell a word that is known to name a side or a position."""
    return text.lower() in KNOWN_SIDES or text.lower() in _POSITION

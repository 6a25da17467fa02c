"""The concepts that a sentence names: "ignore", "instructions", "funds", "owner" in thirteen languages.

The learned arm weighs concepts and pairs of them that stand near each other, so that what it
learned of orders in one language holds in all.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from afterword.pipeline.rules.injection.languages import LATIN
from afterword.pipeline.rules.injection.lexicon import WITHOUT_SPACES, Named, spaced, unspaced
from afterword.pipeline.rules.injection.weights import BEGIN, CONCEPTS, END, NEAR_PAIRS

MOST_WORDS_BETWEEN: Final = 16
"""Words between two concepts that are a pair; of a language without spaces, concepts."""

NEAR_WORDS: Final = 3
"""The same for a near pair, which has a weight of its own."""


class Features(NamedTuple):
    """What is weighed of some concepts.

    Args:
        places: of the weights of the concepts and of their pairs, each once.
        number: of the concepts, each time they are named.
    """

    places: frozenset[int]
    number: int


def features_of(concepts: Sequence[Named]) -> Features:
    """Return what is weighed of the concepts of a sentence, or of a part of one.

    The first concept is a pair with the begin, the last one with the end.
    """
    places: list[int] = []
    before: list[tuple[int, int]] = []
    number = 0
    row = BEGIN * CONCEPTS
    for word, _, same in concepts:
        while before and word - before[0][0] > MOST_WORDS_BETWEEN:
            del before[0]
        for concept in same:
            if not number:
                places.append(row + concept)
            places.append(concept)
            places += [
                first + concept + (NEAR_PAIRS if word - other <= NEAR_WORDS else 0)
                for other, first in before
            ]
            row = CONCEPTS * concept
            before.append((word, row))
            number += 1
    if number:
        places.append(row + END)
    return Features(frozenset(places), number)


def concepts_of(words: Sequence[str], language: str) -> list[Named]:
    """Return the concepts that the words of a sentence name, in their order.

    Args:
        language: of the sentence; "" for that whose lexicon knows most of it.
    """
    if language in WITHOUT_SPACES:
        return list(_unspaced(words, language))
    if language in LATIN:
        return list(spaced(language).find(words))
    if language:  # traders write English words in every script
        return list(spaced(language).find(words, spaced("en")))
    return max((list(spaced(one).find(words)) for one in LATIN), key=len)


def _unspaced(words: Sequence[str], language: str) -> Iterator[Named]:
    """Yield the concepts of a sentence in a language without spaces; each counts as a word."""
    lexicon, english = unspaced(language), spaced("en")
    place = start = 0
    for word in words:
        if word.isascii():
            for _, _, concepts in english.find([word]):
                yield place, start, concepts
                place += 1
        else:
            for inside, concepts in lexicon.find(word):
                yield place, start + inside, concepts
                place += 1
        start += len(word) + 1

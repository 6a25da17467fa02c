"""The concepts that a text names: "ignore", "instructions", "funds", "owner" in thirteen languages.

The learned arm weighs concepts and pairs of them that stand near each other, so that what it
learned of orders in one language holds in all.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from afterword.pipeline.expression import expression
from afterword.pipeline.rules.injection.languages import LATIN, language_of
from afterword.pipeline.rules.injection.lexicon import WITHOUT_SPACES, Concepts, spaced, unspaced
from afterword.pipeline.rules.injection.weights import CONCEPTS, concept_weights

MOST_WORDS_BETWEEN: Final = 7
"""Words between two concepts of a sentence that are a pair; of a language without spaces, concepts."""

TENTHS_WITHOUT_SPACES: Final = 7
"""What a concept counts in a text of Chinese or Japanese, in tenths: its surfaces are found anywhere,
also across two words, so that more are there by chance (tried on notes that strangers published)."""

IDEOGRAPH: Final = expression("[\u3041-\u30ff\u3400-\u9fff]")

_LAST_OF_UTF_16: Final = "\uffff"


class ConceptPlace(NamedTuple):
    """Concepts at a place of a line.

    Args:
        place: number of the word that names them; those of two sentences are never near.
        start: where they begin in the line; characters.
    """

    place: int
    start: int
    concepts: Concepts


class ConceptSums(NamedTuple):
    """The concepts of a line, weighed.

    Args:
        starts: where each begins; UTF-16 units, ascending.
        sums: of the weights of those before each, and of all; one more than there are starts.
    """

    starts: list[int]
    sums: list[int]


def weighed(line: str) -> ConceptSums:
    """Return what the concepts of a line weigh, each with the pairs that it is the second of.

    Args:
        line: the words of a text between single spaces, as `Reading.line` has them.
    """
    weights = concept_weights()
    starts: list[int] = []
    sums = [0]
    total = 0
    tenths = TENTHS_WITHOUT_SPACES if IDEOGRAPH.search(line) else 10
    for start, features in features_of(line):
        for feature in features:
            total += weights[feature]
        starts.append(start)
        sums.append(total * tenths // 10)
    if not line.isascii() and max(line) > _LAST_OF_UTF_16:
        starts = [len(line[:at].encode("utf-16-le", "surrogatepass")) // 2 for at in starts]
    return ConceptSums(starts, sums)


def features_of(line: str) -> Iterator[tuple[int, list[int]]]:
    """Yield where each concept of a line begins, with the places of its weights."""
    near: list[tuple[int, int]] = []
    for place, start, concepts in named(line):
        near = [one for one in near if place - one[0] <= MOST_WORDS_BETWEEN]
        rows = [CONCEPTS * concept for _, concept in near]
        for concept in concepts:
            yield start, [concept, *[row + concept for row in rows]]
        near += [(place, concept) for concept in concepts]


def named(line: str) -> Iterator[ConceptPlace]:
    """Yield the concepts that a line names, in their order."""
    place, start = 0, 1
    for sentence in line.strip(" ").split(" . "):
        words = sentence.split(" ")
        language = language_of(sentence, words)
        if language in WITHOUT_SPACES:
            found = list(_unspaced(words, language))
        elif language:
            found = list(_spaced(words, language))
        else:
            found = max((list(_spaced(words, one)) for one in LATIN), key=len)
        for inside, at, concepts in found:
            yield ConceptPlace(place + inside, start + at, concepts)
        place += (found[-1].place if found else 0) + MOST_WORDS_BETWEEN + 1
        start += len(sentence) + len(" . ")


def _spaced(words: Sequence[str], language: str) -> Iterator[ConceptPlace]:
    """Yield the concepts of a sentence in a language with spaces."""
    lexicon = spaced(language)
    # Traders write English words in every script.
    english = lexicon if language in LATIN else spaced("en")
    place = start = 0
    while place < len(words):
        word = words[place]
        taken, concepts = (english if word.isascii() else lexicon).at(words, place)
        if concepts:
            yield ConceptPlace(place, start, concepts)
        start += sum(map(len, words[place : place + taken])) + taken
        place += taken


def _unspaced(words: Sequence[str], language: str) -> Iterator[ConceptPlace]:
    """Yield the concepts of a sentence in a language without spaces."""
    lexicon, english = unspaced(language), spaced("en")
    place = start = 0
    for at, word in enumerate(words):
        if word.isascii():
            if concepts := english.at(words, at)[1]:
                yield ConceptPlace(place, start, concepts)
                place += 1
        else:
            for inside, concepts in lexicon.find(word):
                yield ConceptPlace(place, start + inside, concepts)
                place += 1
        start += len(word) + 1

"""The learned arm of the scan: a linear model over concepts.

It weighs wordings that no rule lists. A text is read in parts: its sentences, windows of its long
sentences, and the whole if it is short. The score of a part is the sum of the weights of its
concepts and of pairs of them, against their number. All sums are integers, and what is divided is
divided as IEEE 754 says, so the verdict is the same on every machine and in every process. The
weights are made by `python -m benchmarks.train_injection`.
"""

from collections.abc import Iterator
from math import sqrt
from typing import Final, NamedTuple

from afterword.pipeline.rules.injection.concepts import Features, concepts_of, features_of
from afterword.pipeline.rules.injection.languages import language_of
from afterword.pipeline.rules.injection.learned_model import THRESHOLDS
from afterword.pipeline.rules.injection.weights import concept_weights

FEW_CONCEPTS: Final = 2
"""Concepts added to the number of those of a part: one alone proves nothing."""

OF_HIDDEN: Final = 0.5
"""The share of the threshold that is asked of words that somebody hid: true text is not hidden."""

LONG: Final = 20
WINDOW: Final = 10
STEP: Final = WINDOW // 2
"""A sentence of more than LONG concepts is read in windows too: it may hide an order."""

WHOLE: Final = range(60, 400)
"""Characters of a text of two sentences that is read whole too: the first may only say who speaks, and
the next what to do. More sentences are a list, which no one says in a breath."""

BREADTH: Final = 32
"""Sentences of a text that double the square of what is asked for: each is one more chance of a false
alarm."""


GATE: Final = 0.3
"""The share of what is asked for that makes a text worth a second look, at what it means: three of
four true texts do not reach it."""

GATE_OF_DISGUISED: Final = 0.45
"""The same for a text that somebody may have disguised: undone, a true one often makes no sense."""

STRANGE: Final = 0.15
STRANGE_WORDS: Final = 6
"""A text of so many words, of which a smaller share names concepts, is in words that no lexicon has:
misspelt, or in other letters. It is looked at too."""


class WeighedPart(NamedTuple):
    """A part of a text.

    Args:
        words: it holds.
        features: what is weighed of them.
        language: of the sentence, or of the last one; "" if nothing tells it.
    """

    words: str
    features: Features
    language: str


class Likeliest(NamedTuple):
    """The part of a text that reads most like an order.

    Args:
        words: it holds.
        reached: how many times it reaches what is asked for: above 1 it is taken for an order.
        concepts: that its richest part names, each time; count.
        is_strange: whether the text is in words that no lexicon has.
    """

    words: str
    reached: float
    concepts: int
    is_strange: bool


def likeliest(line: str, *, is_hidden: bool = False, sentences: int = 0) -> Likeliest:
    """Return the part of a line that reads most like an order.

    Args:
        line: the words of a text between single spaces, as `Reading.line` has them.
        is_hidden: whether somebody hid these words: then less is asked for.
        sentences: of the whole text, where the line is a piece of it; count.
    """
    own = sentences_of(line)
    asked = asked_of(max(sentences, len(own)), is_hidden=is_hidden)
    words, best, richest = "", 0.0, 0
    for part in parts_of(own):
        richest = max(richest, part.features.number)
        if (reached := score(part) / threshold(part.language) / asked) > best:
            words, best = part.words, reached
    number = line.count(" ") - 1
    is_strange = number >= STRANGE_WORDS and richest < STRANGE * number
    return Likeliest(words, best, richest, is_strange)


def named_in(line: str) -> frozenset[int]:
    """Return the concepts that a line names."""
    split = [(sentence, sentence.split(" ")) for sentence in sentences_of(line)]
    return frozenset(
        concept
        for sentence, words in split
        for _, _, concepts in concepts_of(words, language_of(sentence, words))
        for concept in concepts
    )


def sentences_of(line: str) -> list[str]:
    """Return the sentences of a line, without the dots between them."""
    return [one for one in line.strip(" .").split(" . ") if one]


def parts_of(sentences: list[str]) -> Iterator[WeighedPart]:
    """Yield the parts of a text that name concepts."""
    each: list[Features] = []
    language = ""
    for sentence in sentences:
        words = sentence.split(" ")
        language = language_of(sentence, words)
        concepts = concepts_of(words, language)
        each.append(features_of(concepts))
        yield WeighedPart(sentence, each[-1], language)
        if len(concepts) > LONG:
            for first in range(0, len(concepts) - WINDOW + 1, STEP):
                window = concepts[first : first + WINDOW]
                after = concepts[first + WINDOW :]
                end = after[0][1] if after else len(sentence)
                yield WeighedPart(
                    sentence[window[0][1] : end].strip(), features_of(window), language
                )
    if is_whole(sentences):
        yield WeighedPart(" . ".join(sentences), together(each), language)


def is_whole(sentences: list[str]) -> bool:
    """Say whether a text is read as a whole too."""
    size = sum(map(len, sentences))
    return len(sentences) == 2 and size in WHOLE


def together(each: list[Features]) -> Features:
    """Return what is weighed of several sentences."""
    places = frozenset[int]().union(*(one.places for one in each))
    return Features(places, sum(one.number for one in each))


def asked_of(sentences: int, *, is_hidden: bool) -> float:
    """Return how many times the threshold a text of some sentences must reach."""
    times = sqrt(1 + min(sentences - 1, BREADTH) / BREADTH)
    return times * OF_HIDDEN if is_hidden else times


def threshold(language: str) -> float:
    """Return the score that an order passes in a language."""
    return THRESHOLDS.get(language, THRESHOLDS["en"])


def score(part: WeighedPart) -> float:
    """Return by how much a part reads like an order."""
    weights = concept_weights()
    return sum([weights[place] for place in part.features.places]) * scale(part.features.number)


def scale(number: int) -> float:
    """Return what the weight of a part is multiplied by.

    Args:
        number: how many concepts it names.
    """
    return 1 / sqrt(sqrt(number + FEW_CONCEPTS))

"""The learned arm of the scan: a linear model over characters and concepts.

It weighs wordings that no rule lists. A text is read in parts: its sentences, windows of its long
sentences, and the whole if it is short. A part has a score of two halves: the sum of the weights of
its pieces of 2, 4 and 6 characters, against its length, and the sum of the weights of its concepts
and of pairs of them, against their number. The hash is fixed and all sums are integers; what is
divided is divided as IEEE 754 says, so the verdict is the same on every machine and in every
process. The weights are made by `python -m benchmarks.train_injection`.

Two ways lead to the same verdict: plain Python, for a short text in a process that has not loaded
numpy, and `learned_arrays`.
"""

import sys
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise, repeat
from math import sqrt
from struct import unpack
from typing import Final

from afterword.pipeline.rules.injection.concepts import ConceptSums, weighed
from afterword.pipeline.rules.injection.learned_model import THRESHOLD
from afterword.pipeline.rules.injection.weights import BITS, character_weights

MIX: Final = 0x9E3779B97F4A7C15
JOIN: Final = 0xC2B2AE3D27D4EB4F
"""Odd numbers of 64 bits that spread a piece, and join two: the golden ratio, and a prime of xxHash
(Y. Collet, 2012)."""

FEWEST: Final = 6
"""Characters of the longest piece: a shorter line has no score."""

SHORT_PART: Final = 12
"""Characters added to the length of a part: a few pieces alone prove nothing."""

FEW_CONCEPTS: Final = 2
"""Concepts added to the number of those of a part: one alone proves nothing."""

MOST_BY_CONCEPTS: Final = 1.2
"""What concepts add to a score at most, as a multiple of the threshold: a list of words that orders
have is no order."""

OF_HIDDEN: Final = 0.6
"""The share of the threshold that is asked of words that somebody hid: true text is not hidden."""

LONG: Final = 192
WINDOW: Final = 72
STEP: Final = WINDOW // 2
"""A sentence of more than LONG characters is read in windows too: it may hide an order."""

WHOLE: Final = range(60, 400)
FEW_SENTENCES: Final = 3
"""A text of a few sentences and so many characters is read whole too: one may only say who speaks, and
the next what to do. More or shorter ones are a list, which no one says in a breath."""

BREADTH: Final = 32
"""Sentences of a text that double the square of what is asked for: each is one more chance of a false
alarm."""

Part = tuple[int, int]
"""Where a part begins and ends; UTF-16 units of the line, the end not included."""

_MASK: Final = (1 << 64) - 1
_MOST_WITHOUT_NUMPY: Final = 2_000
"""Characters: more take plain Python longer than a few milliseconds."""

_PLAIN_TEXTS: Final = repeat(True, 200)
"""Texts of a process that are read without numpy; more of them take longer than loading it."""


def find(line: str, *, is_hidden: bool = False) -> str:
    """Return the part of a line that reads most like an order; "" if none does.

    Args:
        line: the words of a text between single spaces, as `Reading.line` has them.
        is_hidden: whether somebody hid these words: then less is asked for.
    """
    is_short = len(line) <= _MOST_WITHOUT_NUMPY
    if "numpy" not in sys.modules and is_short and next(_PLAIN_TEXTS, False):
        return find_plainly(line, is_hidden=is_hidden)
    # Imported here: numpy takes longer to start than a short text takes without it.
    from afterword.pipeline.rules.injection.learned_arrays import find_fast

    return find_fast(line, is_hidden=is_hidden)


def find_plainly(line: str, *, is_hidden: bool = False) -> str:
    """Return what `find` does, without numpy."""
    units = units_of(line)
    codes = unpack(f"<{len(units) // 2}H", units)
    if len(codes) < FEWEST:
        return ""
    sums = [0, *accumulate(_weights_of(codes))]
    starts = _starts(codes)
    parts = parts_of(starts, len(codes) - 1)
    totals = [sums[end] - sums[start] for start, end in parts]
    asked = threshold(len(starts), is_hidden=is_hidden)
    return best_part(units, asked, parts, totals, weighed(line))


def best_part(
    units: bytes,
    asked: float,
    parts: Sequence[Part],
    characters: Sequence[int],
    concepts: ConceptSums,
) -> str:
    """Return the words of the part that reads most like an order; "" if none does.

    Args:
        units: the line in UTF-16.
        asked: the score that an order passes.
        characters: what the pieces of each part weigh.
        concepts: those of the line.
    """
    best, above = (0, 0), asked
    for part, total in zip(parts, characters, strict=True):
        start, end = part
        first = bisect_left(concepts.starts, start)
        last = bisect_left(concepts.starts, end)
        reached = score(
            total, end - start, concepts.sums[last] - concepts.sums[first], last - first
        )
        if reached > above:
            best, above = part, reached
    if best == (0, 0):
        return ""
    return units[2 * best[0] : 2 * best[1] + 2].decode("utf-16-le", "replace").strip(" .")


def threshold(sentences: int, *, is_hidden: bool) -> float:
    """Return the score that an order passes in a line of some sentences."""
    asked = THRESHOLD * sqrt(1 + min(sentences - 1, BREADTH) / BREADTH)
    return asked * OF_HIDDEN if is_hidden else asked


def score(characters: int, size: int, concepts: int, number: int) -> float:
    """Return by how much a part reads like an order.

    Args:
        characters: what its pieces of characters weigh.
        size: its length; UTF-16 units.
        concepts: what its concepts and their pairs weigh.
        number: how many concepts it names.
    """
    by_concepts = concepts / sqrt(sqrt(number + FEW_CONCEPTS))
    return characters / sqrt(sqrt(size + SHORT_PART)) + min(
        by_concepts, MOST_BY_CONCEPTS * THRESHOLD
    )


def units_of(line: str) -> bytes:
    """Return a line in UTF-16, two bytes a unit."""
    return line.encode("utf-16-le", "surrogatepass")


def parts_of(starts: Sequence[int], size: int) -> list[Part]:
    """Return the parts of a line.

    Args:
        starts: where its sentences begin.
        size: its length without the last unit.
    """
    sentences = [*pairwise(starts), (starts[-1], size)]
    parts = [*sentences, *_windows(sentences)]
    if 1 < len(sentences) <= FEW_SENTENCES and size in WHOLE:
        parts.append((0, size))
    return parts


def _weights_of(codes: Sequence[int]) -> Iterator[int]:
    """Yield what the pieces weigh that begin at each character but the last."""
    weights = character_weights()
    shift = 64 - BITS
    pairs = [one | other << 16 for one, other in pairwise(codes)]
    two = [pair * MIX & _MASK for pair in pairs]
    four = [
        (pair | other << 32) * MIX & _MASK for pair, other in zip(pairs, pairs[2:], strict=False)
    ]
    six = [(one * JOIN + other) & _MASK for one, other in zip(four, two[4:], strict=False)]
    for at, piece in enumerate(two):
        total = weights[piece >> shift]
        if at < len(four):
            total += weights[four[at] >> shift]
        if at < len(six):
            total += weights[six[at] >> shift]
        yield total


def _starts(codes: Sequence[int]) -> list[int]:
    """Return where the sentences begin: after each dot that stands alone, but the last ones."""
    dot, space = ord("."), ord(" ")
    last = len(codes) - 1 - FEWEST
    return [0] + [
        at + 1
        for at in range(2, last)
        if codes[at] == dot and codes[at - 1] == space and codes[at + 1] == space
    ]


def _windows(sentences: Sequence[Part]) -> Iterator[Part]:
    for start, end in sentences:
        if end - start > LONG:
            for at in range(start, end - WINDOW + 1, STEP):
                yield at, at + WINDOW

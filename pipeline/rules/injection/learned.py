"""The learned arm of the scan: a linear model over character n-grams.

It weighs wordings that no rule lists. Each sentence of a line has a score: the sum of the weights
of its pieces of 2, 4 and 6 characters, against the square root of its length. All of it is integers
and a fixed hash, so the verdict is the same on every machine and in every process. The weights are
made by `python -m benchmarks.train_injection`.

Two ways lead to the same verdict: plain Python, for a short text in a process that has not loaded
numpy, and `learned_arrays`.
"""

import hashlib
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import accumulate, pairwise, repeat
from struct import unpack
from typing import Final

from afterword.pipeline.rules.injection.learned_model import THRESHOLD_RATIO, WEIGHTS_SHA256

BITS: Final = 18
"""The weights are a table of 2 ** BITS small integers, found by a hash."""

MIX: Final = 0x9E3779B97F4A7C15
JOIN: Final = 0xC2B2AE3D27D4EB4F
"""Odd numbers of 64 bits that spread a piece, and join two: the golden ratio, and a prime of xxHash
(Y. Collet, 2012)."""

FEWEST: Final = 6
"""Characters of the longest piece: a shorter line has no score."""

SHORT_WINDOW: Final = 12
"""Characters added to the length of a sentence: a few pieces alone prove nothing."""

LONG: Final = 192
WINDOW: Final = 96
STEP: Final = WINDOW // 2
"""A sentence of more than LONG characters is read in windows too: it may hide an order."""

BREADTH: Final = 32
"""Sentences of a text that double what is asked for: each is one more chance of a false alarm."""

_MASK: Final = (1 << 64) - 1
_MOST_WITHOUT_NUMPY: Final = 2_000
"""Characters: more take plain Python longer than a few milliseconds."""

_PLAIN_TEXTS: Final = repeat(True, 200)
"""Texts of a process that are read without numpy; more of them take longer than loading it."""


def find(line: str) -> str:
    """Return the sentence of a line that reads most like an order; "" if none does.

    Args:
        line: the words of a text between single spaces, as `Reading.line` has them.
    """
    is_short = len(line) <= _MOST_WITHOUT_NUMPY
    if "numpy" not in sys.modules and is_short and next(_PLAIN_TEXTS, False):
        return find_plainly(line)
    # Imported here: numpy takes longer to start than a short text takes without it.
    from afterword.pipeline.rules.injection.learned_arrays import find_fast

    return find_fast(line)


def find_plainly(line: str) -> str:
    """Return what `find` does, without numpy."""
    data = line.encode("utf-16-le", "surrogatepass")
    codes = unpack(f"<{len(data) // 2}H", data)
    if len(codes) < FEWEST:
        return ""
    size = len(codes) - 1
    starts = _starts(codes)
    sentences = list(zip(starts, [*starts[1:], size], strict=True))
    sums = [0, *accumulate(_weighed(codes))]
    best, margin = (0, 0), 0
    for start, end in (*sentences, *_windows(sentences)):
        total = sums[end] - sums[start]
        above = excess(total, end - start, len(sentences))
        if total > 0 and above > margin:
            best, margin = (start, end), above
    if not margin:
        return ""
    return data[2 * best[0] : 2 * best[1] + 2].decode("utf-16-le", "replace").strip(" .")


def excess(total: int, size: int, sentences: int) -> int:
    """Return by how much a sentence passes the threshold; an order if positive.

    Args:
        total: its weights, summed.
        size: its length; characters.
        sentences: how many its text has.
    """
    above, below = THRESHOLD_RATIO
    breadth = BREADTH + min(sentences - 1, BREADTH)
    return total * total * below * BREADTH - above * (size + SHORT_WINDOW) * breadth


@cache
def weight_bytes() -> bytes:
    """Load the weights when the first text needs them.

    Raises:
        RuntimeError: they are not those that the threshold belongs to.
    """
    packed = files("afterword.pipeline.rules.injection").joinpath("learned.bin").read_bytes()
    if hashlib.sha256(packed).hexdigest() != WEIGHTS_SHA256:
        raise RuntimeError("learned.bin belongs to another version of Afterword: install it again")
    return packed


def _weighed(codes: Sequence[int]) -> Iterator[int]:
    """Yield the weights of the pieces that begin at each character but the last."""
    weights = memoryview(weight_bytes()).cast("b")
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


def _windows(sentences: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    for start, end in sentences:
        if end - start > LONG:
            for at in range(start, end - WINDOW + 1, STEP):
                yield at, at + WINDOW

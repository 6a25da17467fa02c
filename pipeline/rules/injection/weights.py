"""The weights of the learned arm: of concepts, and of pairs of them."""

import hashlib
from functools import cache
from importlib.resources import files
from struct import unpack
from typing import Final

from afterword.pipeline.rules.injection.learned_model import WEIGHTS_SHA256

CONCEPTS: Final = 144
"""There is room for so many concepts. A row of weights has one for each: row 0 those of concepts
themselves, the row of a concept those of the pairs that it is the first of."""

NEAR_PAIRS: Final = CONCEPTS * CONCEPTS
"""From here on the same rows again, for pairs that stand near each other."""

ALL_WEIGHTS: Final = 2 * NEAR_PAIRS
"""All weights, of two bytes each."""

BEGIN: Final = CONCEPTS - 2
END: Final = CONCEPTS - 1
"""The begin and the end of a sentence, as concepts that pairs are made with."""


@cache
def concept_weights() -> tuple[int, ...]:
    """Load all weights, row by row, when the first text needs them.

    Raises:
        RuntimeError: they are not those that the threshold belongs to.
    """
    packed = files("afterword.pipeline.rules.injection").joinpath("learned.bin").read_bytes()
    if hashlib.sha256(packed).hexdigest() != WEIGHTS_SHA256:
        raise RuntimeError("learned.bin belongs to another version of Afterword: install it again")
    return unpack(f"<{ALL_WEIGHTS}h", packed)

"""The weights of the learned arm: those of pieces of characters, and those of concepts."""

import hashlib
from functools import cache
from importlib.resources import files
from struct import unpack
from typing import Final

from afterword.pipeline.rules.injection.learned_model import WEIGHTS_SHA256

BITS: Final = 18
"""Pieces of characters have 2 ** BITS weights of one byte, found by a hash."""

CONCEPTS: Final = 128
"""Concepts have CONCEPTS ** 2 weights of two bytes: of each concept in row 0, of each ordered pair in
the row of its first one."""


@cache
def weight_bytes() -> memoryview:
    """Load all weights when the first text needs them.

    Raises:
        RuntimeError: they are not those that the threshold belongs to.
    """
    packed = files("afterword.pipeline.rules.injection").joinpath("learned.bin").read_bytes()
    if hashlib.sha256(packed).hexdigest() != WEIGHTS_SHA256:
        raise RuntimeError("learned.bin belongs to another version of Afterword: install it again")
    return memoryview(packed)


def character_weights() -> memoryview:
    """Return the weights of pieces of characters, as signed bytes."""
    return weight_bytes()[: 1 << BITS].cast("b")


@cache
def concept_weights() -> tuple[int, ...]:
    """Return the weights of concepts and of their pairs, row by row."""
    packed = weight_bytes()[1 << BITS :]
    return unpack(f"<{CONCEPTS * CONCEPTS}h", packed)

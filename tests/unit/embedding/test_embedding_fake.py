"""The embedder of tests and of the demo."""

import struct
from math import isclose

from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.testing.embedding import HashedEmbedder


def vector(text: str, dimensions: int = 64) -> tuple[float, ...]:
    return struct.unpack(f"<{dimensions}f", HashedEmbedder(dimensions).vector(text))


def likeness(one: str, other: str) -> float:
    return sum(a * b for a, b in zip(vector(one), vector(other), strict=True))


@given(st.text(), st.integers(1, 100))
def test_every_text_has_a_unit_vector_of_any_dimension(text, dimensions):
    assert isclose(sum(part**2 for part in vector(text, dimensions)), 1.0, rel_tol=1e-5)


def test_texts_that_share_words_are_nearer_than_texts_that_do_not():
    asked = "altcoin drawdown overnight"

    alike = likeness(asked, "overnight the altcoins saw a drawdown")
    unlike = likeness(asked, "prefers weekly charts")
    assert alike > unlike

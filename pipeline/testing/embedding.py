"""A deterministic embedder in this process, without a model and without a network."""

from array import array
from collections.abc import Sequence
from math import sqrt
from struct import pack
from zlib import crc32

from afterword.pipeline.gateway.embedding.metered import check_texts

GRAM = 3
"""Characters per n-gram: the shortest length that distinguishes most words."""


class HashedEmbedder:
    """An `Embedder` in which texts are similar if they share character trigrams.

    Args:
        dimensions: length of the vectors, 1 or more; with few, different texts collide.
    """

    provider = "fake"
    model = "hashed-trigrams"

    def __init__(self, dimensions: int = 64) -> None:
        self.dimensions = dimensions

    def embed(
        self,
        texts: Sequence[str],
        group: str,  # noqa: ARG002 - the protocol's; nothing is paid here
        task: str,  # noqa: ARG002
    ) -> list[bytes]:
        """Return one unit vector per text; rejects the texts that no service embeds."""
        check_texts(texts)
        return [self.vector(text) for text in texts]

    def embed_query(
        self,
        query: str,
        group: str,  # noqa: ARG002
        task: str,  # noqa: ARG002
    ) -> bytes:
        """Return the unit vector of a query, equal to that of the same text."""
        check_texts([query])
        return self.vector(query)

    def vector(self, text: str) -> bytes:
        """Return the unit vector of one text as little-endian float32."""
        counts = array("d", bytes(8 * self.dimensions))
        for gram in _grams(text):
            # A checksum, because `hash` of a string differs between processes.
            counts[crc32(gram.encode("utf-8", "replace")) % self.dimensions] += 1.0
        # Counts are never negative, so they cannot cancel out: every text has a direction.
        length = sqrt(sum(count * count for count in counts))
        return pack(f"<{self.dimensions}f", *(count / length for count in counts))


def _grams(text: str) -> list[str]:
    padded = f" {' '.join(text.casefold().split())} "
    return [padded[start : start + GRAM] for start in range(max(1, len(padded) - GRAM + 1))]

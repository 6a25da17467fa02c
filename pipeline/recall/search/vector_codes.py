"""Compressed vectors: a bit and a byte per number, enough to choose candidates to compare.

A byte is a number divided by the largest one of its row, so that the codes of a row depend on that
row alone. A bit says on which side of the collection's mean a number lies. The mean moves with
later rows, so a read of the past does not use the bits.
"""

from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from afterword.pipeline.recall.search.ids import Ids

Vectors = NDArray[np.float32]
Number = TypeVar("Number", bound=np.generic)

_GROWTH: Final = 8
"""Room grows by an eighth, so that little of it is empty."""

STRIPE: Final = 1024
"""Rows converted to floats at once: so many stay in the processor's cache."""


class VectorCodes:
    """The codes of one model's vectors, in the order they were stored; for one thread at a time.

    Args:
        dimensions: length of the vectors.
        room: rows to reserve room for.
    """

    def __init__(self, dimensions: int, room: int = 0) -> None:
        self.dimensions = dimensions
        self.size = 0
        self._mean = np.zeros(dimensions, np.float32)
        self._centred = 0  # rows the mean was taken of
        self._signed = 0  # rows that have their bits
        self._ids = np.empty(0, np.int64)
        self._known_at = np.empty(0, np.int64)
        self._scales = np.empty(0, np.float32)
        self._bytes = np.empty((0, dimensions), np.int8)
        # By word first: a search reads one word of every row before it reads the next.
        self._bits = np.empty((-(-dimensions // 64), 0), np.uint64)
        self._make_room(room)

    @property
    def nbytes(self) -> int:
        """Return the bytes used, reserved room included."""
        arrays = (self._ids, self._known_at, self._scales, self._bytes, self._bits, self._mean)
        return sum(array.nbytes for array in arrays)

    def add(self, ids: Ids, known_at: NDArray[np.int64], vectors: Vectors) -> None:
        """Add rows; a vector without direction (zeros, or not finite) is left out."""
        with np.errstate(all="ignore"):
            lengths = np.linalg.norm(vectors, axis=1)
            directed = np.isfinite(lengths) & (lengths > 0)
            ids, known_at = ids[directed], known_at[directed]
            vectors = vectors[directed] / lengths[directed, None]
        start, end = self.size, self.size + len(ids)
        self._make_room(end)
        scales = np.abs(vectors).max(axis=1, initial=0) / 127
        self._ids[start:end], self._known_at[start:end] = ids, known_at
        self._scales[start:end] = scales
        self._bytes[start:end] = np.rint(vectors / scales[:, None])
        self.size = end

    def known_until(self, moment: int) -> int:
        """Return how many rows were known at a moment (microseconds)."""
        return int(np.count_nonzero(self._known_at[: self.size] <= moment))

    def nearest(self, query: Vectors, most: int, among: int) -> Ids:
        """Return the memories that seem nearest, best first.

        Args:
            query: (dimensions,), of length 1, like the rows.
            most: how many are returned.
            among: how many pass the bits and are compared by their bytes.
        """
        if among >= self.size:
            return self._best(query, np.arange(self.size), most)
        self._sign()
        (signs,) = self._signs(query[None]).T
        apart = np.zeros(self.size, np.uint16)
        for word, sign in zip(self._bits, signs, strict=True):
            apart += np.bitwise_count(word[: self.size] ^ sign)
        # Counting is cheaper than sorting: the distances are few and small.
        limit = np.searchsorted(np.cumsum(np.bincount(apart)), among)
        return self._best(query, np.flatnonzero(apart <= limit), most)

    def nearest_at(self, query: Vectors, most: int, moment: int) -> Ids:
        """Return the memories known at a moment that seem nearest, best first.

        Rows stored later change nothing: the products are sums of whole numbers that float32
        represents without rounding, whatever the other rows are.
        """
        known = np.flatnonzero(self._known_at[: self.size] <= moment)
        return self._best(query, known, most)

    def _best(self, query: Vectors, positions: NDArray[np.intp], most: int) -> Ids:
        whole = np.rint(query * (127 / np.abs(query).max())).astype(np.float32)
        scores = np.empty(len(positions), np.float32)
        for start in range(0, len(positions), STRIPE):
            stripe = positions[start : start + STRIPE]
            # A matrix product would be split over threads, and wait 8 ms for a busy core.
            scores[start : start + STRIPE] = np.vecdot(
                self._bytes[stripe].astype(np.float32), whole
            )
        scores *= self._scales[positions]
        if most < len(positions):
            # Rows that tie with the last one stay: the order below decides between them.
            chosen = scores >= np.partition(scores, -most)[-most]
            positions, scores = positions[chosen], scores[chosen]
        order = np.lexsort((self._ids[positions], -scores))
        return self._ids[positions[order[:most]]]

    def _sign(self) -> None:
        """Give each row its bits; around a new mean where the rows have doubled since."""
        if self.size > 2 * self._centred:
            total = np.zeros(self.dimensions)
            for rows in self._stripes(0):
                total += self._decoded(rows).sum(axis=0)
            self._mean = (total / self.size).astype(np.float32)
            self._centred, self._signed = self.size, 0
        for rows in self._stripes(self._signed):
            self._bits[:, rows] = self._signs(self._decoded(rows))
        self._signed = self.size

    def _signs(self, vectors: Vectors) -> NDArray[np.uint64]:
        """Return the bits of rows, (words, n)."""
        bits = np.zeros((len(vectors), 64 * len(self._bits)), np.bool_)
        bits[:, : self.dimensions] = vectors > self._mean
        packed: NDArray[np.uint64] = np.packbits(bits, axis=1).view(np.uint64).T
        return packed

    def _stripes(self, first: int) -> list[slice]:
        starts = range(first, self.size, STRIPE)
        return [slice(start, min(start + STRIPE, self.size)) for start in starts]

    def _decoded(self, rows: slice) -> Vectors:
        decoded: Vectors = self._bytes[rows] * self._scales[rows, None]
        return decoded

    def _make_room(self, rows: int) -> None:
        if rows <= len(self._ids):
            return
        room = max(rows, len(self._ids) + len(self._ids) // _GROWTH)
        self._ids = _wider(self._ids, room)
        self._known_at = _wider(self._known_at, room)
        self._scales = _wider(self._scales, room)
        bits, self._bits = self._bits, np.empty((len(self._bits), room), np.uint64)
        self._bits[:, : self.size] = bits[:, : self.size]
        before, self._bytes = self._bytes, np.empty((room, self.dimensions), np.int8)
        self._bytes[: self.size] = before[: self.size]


def _wider(array: NDArray[Number], room: int) -> NDArray[Number]:
    wide = np.empty(room, array.dtype)
    wide[: len(array)] = array
    return wide

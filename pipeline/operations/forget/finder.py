"""Search bytes for many patterns in one pass."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]

SHORTEST_PATTERN_BYTES: Final = 8
"""Length of the shortest pattern; bytes. Shorter ones occur by chance in vectors."""

PHRASE: Final = 32
"""Length of a pattern of a long text; bytes. A page break splits one of them; the others match."""

_TABLE_BITS: Final = 20
_SPREAD: Final = np.uint64(0x9E3779B97F4A7C15)  # odd, its bits well mixed (Knuth)


class Finder:
    """Searches for patterns; patterns shorter than `SHORTEST_PATTERN_BYTES` are left out.

    The bytes are read as numbers of eight bytes, once for each of the eight offsets. Each number is
    looked up among the beginnings of all patterns: some 20 ns per byte, for any number of patterns.
    """

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self.pieces = tuple(
            dict.fromkeys(piece for piece in pieces if len(piece) >= SHORTEST_PATTERN_BYTES)
        )
        self.longest = max(map(len, self.pieces), default=0)
        long = [piece for piece in self.pieces if len(piece) >= PHRASE]
        short = [piece for piece in self.pieces if len(piece) < PHRASE]
        self._sorts = [_Beginnings(PHRASE, long)] if long else []
        self._sorts += [_Beginnings(SHORTEST_PATTERN_BYTES, short)] if short else []

    def search(self, searched: bytes) -> set[bytes]:
        """Return the patterns that occur in the bytes."""
        found: set[bytes] = set()
        for start in range(
            min(SHORTEST_PATTERN_BYTES, len(searched) - SHORTEST_PATTERN_BYTES + 1)
            if self.pieces
            else 0
        ):
            count = (len(searched) - start) // SHORTEST_PATTERN_BYTES
            words = np.frombuffer(searched, dtype="<u8", offset=start, count=count)
            for beginnings in self._sorts:
                for pieces, places in beginnings.near(words):
                    for piece in pieces:
                        if piece not in found and any(
                            searched.startswith(piece, start + int(place) * SHORTEST_PATTERN_BYTES)
                            for place in places
                        ):
                            found.add(piece)
        return found


class _Beginnings:
    """The first bytes of patterns, as one number each.

    Args:
        size: number of bytes; a multiple of `SHORTEST_PATTERN_BYTES`, at most the length of the
            shortest pattern.
    """

    def __init__(self, size: int, pieces: Sequence[bytes]) -> None:
        self._words = size // SHORTEST_PATTERN_BYTES
        self._pieces: dict[int, list[bytes]] = {}
        for piece in pieces:
            number = self._numbers(np.frombuffer(piece, dtype="<u8", count=self._words))[0]
            self._pieces.setdefault(int(number), []).append(piece)
        self._keys = np.array(sorted(self._pieces), dtype=np.uint64)
        self._table = np.zeros(1 << _TABLE_BITS, dtype=bool)
        self._table[_slots(self._keys)] = True

    def near(self, words: Words) -> Iterator[tuple[list[bytes], NDArray[np.int64]]]:
        """Yield patterns with the places in `words` where they may begin."""
        if len(words) < self._words:
            return
        numbers = self._numbers(words)
        places = np.flatnonzero(self._table[_slots(numbers)])
        places = places[np.isin(numbers[places], self._keys)]
        places = places[np.argsort(numbers[places], kind="stable")]
        keys, firsts = np.unique(numbers[places], return_index=True)
        for key, some in zip(keys, np.split(places, firsts[1:]), strict=False):
            yield self._pieces[int(key)], some

    def _numbers(self, words: Words) -> Words:
        """Hash the words of each possible beginning into one number."""
        last = len(words) - self._words + 1
        mixed = words[:last].copy()
        for place in range(1, self._words):
            mixed = mixed * _SPREAD + words[place : last + place]
        return mixed


def _slots(numbers: Words) -> Words:
    return (numbers * _SPREAD) >> np.uint64(64 - _TABLE_BITS)

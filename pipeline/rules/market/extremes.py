"""The lowest or highest of any stretch of a growing list, and where it first passes a level."""

from collections.abc import Callable
from itertools import accumulate
from operator import ge, le
from typing import Final

BLOCK: Final = 16
"""Numbers of one block: a stretch is the end of one, whole ones, and the beginning of one."""


class Extremes:
    """The extreme of any stretch of numbers in constant time; numbers are only added.

    Args:
        pick: `min` or `max`.
    """

    def __init__(self, pick: Callable[..., int]) -> None:
        self._pick = pick
        self._reaches = le if pick is min else ge
        self.values: list[int] = []
        # The extreme from the beginning of its block to each number, and from each to the end.
        self._up_to: list[int] = []
        self._from: list[int] = []
        # levels[k][b] is the extreme of 2**k blocks from block b on.
        self._levels: list[list[int]] = [[]]

    def extend(self, values: list[int]) -> None:
        """Add numbers at the end."""
        pick, levels, up_to = self._pick, self._levels, self._up_to
        self.values += values
        for place in range(len(up_to), len(self.values)):
            value = self.values[place]
            up_to.append(pick(up_to[-1], value) if place % BLOCK else value)
        for block in range(len(levels[0]), len(self.values) // BLOCK):
            backwards = self.values[block * BLOCK : (block + 1) * BLOCK][::-1]
            self._from += list(accumulate(backwards, pick))[::-1]
            levels[0].append(self._from[block * BLOCK])
            size, at = 1, 1
            while 2 * size <= block + 1:
                if at == len(levels):
                    levels.append([])
                first = block + 1 - 2 * size
                levels[at].append(pick(levels[at - 1][first], levels[at - 1][first + size]))
                size, at = 2 * size, at + 1

    def between(self, first: int, last: int) -> int:
        """Return the extreme of the numbers from place `first` to `last`, both included."""
        begin, end = first // BLOCK + 1, last // BLOCK
        if begin > end:
            return self._pick(self.values[first : last + 1])
        if begin == end:
            return self._pick(self._from[first], self._up_to[last])
        at = (end - begin).bit_length() - 1
        level = self._levels[at]
        return self._pick(
            self._from[first], level[begin], level[end - (1 << at)], self._up_to[last]
        )

    def first_reaching(self, level: int, first: int, last: int) -> int | None:
        """Return the first place from `first` to `last` with the level or a number beyond it."""
        block = -(-first // BLOCK)
        place = self._scan(level, first, min(last, block * BLOCK - 1))
        if place is not None:
            return place
        end, at = (last + 1) // BLOCK, 0
        while True:  # leap over blocks that do not reach it, by twice as many each time
            if block + (1 << at) <= end and not self._reaches(self._levels[at][block], level):
                block, at = block + (1 << at), at + 1
            elif at:
                at -= 1
            else:
                break
        start = max(first, block * BLOCK)
        return self._scan(level, start, min(last, start + BLOCK - 1))

    def _scan(self, level: int, first: int, last: int) -> int | None:
        reaches, values = self._reaches, self.values
        for place in range(first, last + 1):
            if reaches(values[place], level):
                return place
        return None

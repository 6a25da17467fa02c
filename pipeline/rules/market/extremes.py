"""The lowest or highest of any stretch of a growing list, and where it first passes a level."""

from collections.abc import Callable
from typing import Final

BLOCK: Final = 16
"""Numbers of one block: the least of a block is kept, the ends of a stretch are read one by one."""


class Extremes:
    """The extreme of any stretch of numbers in logarithmic time; numbers are only added.

    Args:
        pick: `min` or `max`.
    """

    def __init__(self, pick: Callable[..., int]) -> None:
        self._pick = pick
        self.values: list[int] = []
        # levels[k][b] is the extreme of 2**k blocks from block b on.
        self._levels: list[list[int]] = [[]]

    def extend(self, values: list[int]) -> None:
        """Add numbers at the end."""
        pick, levels = self._pick, self._levels
        self.values += values
        for block in range(len(levels[0]), len(self.values) // BLOCK):
            levels[0].append(pick(self.values[block * BLOCK : (block + 1) * BLOCK]))
            size, at = 1, 1
            while 2 * size <= block + 1:
                if at == len(levels):
                    levels.append([])
                first = block + 1 - 2 * size
                levels[at].append(pick(levels[at - 1][first], levels[at - 1][first + size]))
                size, at = 2 * size, at + 1

    def between(self, first: int, last: int) -> int:
        """Return the extreme of the numbers from place `first` to `last`, both included."""
        pick, values = self._pick, self.values
        begin, end = (first + BLOCK - 1) // BLOCK, (last + 1) // BLOCK
        if end <= begin:
            return pick(values[first : last + 1])
        at = (end - begin).bit_length() - 1
        level = self._levels[at]
        found = pick(level[begin], level[end - (1 << at)])
        if first < begin * BLOCK:
            found = pick(found, pick(values[first : begin * BLOCK]))
        if end * BLOCK <= last:
            found = pick(found, pick(values[end * BLOCK : last + 1]))
        return found

    def first_reaching(self, level: int, first: int, last: int) -> int | None:
        """Return the first place from `first` to `last` with the level or a number beyond it."""
        block = -(-first // BLOCK)
        found = self._scan(level, first, min(last, block * BLOCK - 1))
        if found is not None:
            return found
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
        values = self.values
        for place in range(first, last + 1):
            if self._reaches(values[place], level):
                return place
        return None

    def _reaches(self, value: int, level: int) -> bool:
        return self._pick(value, level) == value

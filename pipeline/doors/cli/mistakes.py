"""Tell each mistake of a file once, with the lines that make it."""

import re
from typing import Final

from afterword.pipeline.errors import InvalidInputError

_MAX_PLACES: Final = 3
"""Further lines that a mistake names; the rest are counted."""

_NUMBER: Final = re.compile(r"\d+")


class Mistakes:
    """The distinct mistakes of the lines of a file, in the order in which they were found.

    Two lines make the same mistake if it is of the same field and differs in numbers only, such as
    a length or a moment.
    """

    def __init__(self) -> None:
        self._first: dict[tuple[str, ...], InvalidInputError] = {}
        self._others: dict[tuple[str, ...], list[str]] = {}
        self._counts: dict[tuple[str, ...], int] = {}

    def add(self, at: str, mistake: InvalidInputError) -> None:
        """Add a mistake of a line.

        Args:
            at: the place of the line, such as `memories[3]`; the field begins with it.
        """
        words = (mistake.field.removeprefix(at), mistake.problem, mistake.accepted)
        key = tuple(_NUMBER.sub("0", part) for part in words)
        if key not in self._first:
            self._first[key], self._others[key], self._counts[key] = mistake, [], 0
            return
        self._counts[key] += 1
        if len(self._others[key]) < _MAX_PLACES:
            self._others[key].append(at)

    def errors(self) -> list[InvalidInputError]:
        """Return an error for each mistake: the first one's, with the other lines that make it."""
        return [self._told(key) for key in self._first]

    def _told(self, key: tuple[str, ...]) -> InvalidInputError:
        first, others = self._first[key], self._others[key]
        if not others:
            return first
        more = self._counts[key] - len(others)
        also = ", ".join(others) + (f" and {more:,} more" if more else "")
        problem = f"{first.problem} (also {also})"
        return InvalidInputError(first.field, problem, first.accepted)

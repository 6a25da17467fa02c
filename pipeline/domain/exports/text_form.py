"""Cells that hold several things in a fixed form: `Sell 3 @ 139.74 USD`."""

import re
from typing import Final, NamedTuple

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.masking import shown

_PLACE: Final = re.compile(r"\{([a-z_]*)\}")


class TextForm(NamedTuple):
    """The form of a cell: what stands before its first part, and behind each.

    A cell is cut where the words between its parts are found first, from left to right, so that
    it takes a time in proportion to its length.

    Args:
        keys: of its parts; an empty one is not read.
        marks: what stands before the first part and behind each.
    """

    keys: tuple[str, ...]
    marks: tuple[str, ...]

    @classmethod
    def parse(cls, written: str) -> "TextForm":
        """Return a form as a layout file writes it: `{side} {qty} @ {price} {quote}`.

        Raises:
            InvalidInputError: it has no part, or two that nothing divides.
        """
        pieces = _PLACE.split(written)
        form = cls(tuple(pieces[1::2]), tuple(pieces[0::2]))
        named = [key for key in form.keys if key]
        if not named or len(set(named)) < len(named) or not all(form.marks[1:-1]):
            accepted = "parts by their keys, each once and divided: {side} {qty} @ {price}"
            raise InvalidInputError("texts", f"is {shown(written, 60)}", accepted)
        return form

    def read(self, text: str) -> list[str]:
        """Return the parts of a cell; empty ones where the cell has another form."""
        rest, cut = text, [""] * len(self.keys)
        if not rest.startswith(self.marks[0]):
            return cut
        rest = rest[len(self.marks[0]) :]
        parts: list[str] = []
        for mark in self.marks[1:-1]:
            part, found, rest = rest.partition(mark)
            if not found:
                return cut
            parts.append(part.strip())
        if not rest.endswith(self.marks[-1]):
            return cut
        parts.append(rest.removesuffix(self.marks[-1]).strip())
        return parts if all(parts) else cut

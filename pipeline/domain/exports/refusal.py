"""The error that refuses a file of no known layout: what was found, what is near, what to try."""

import shlex
from collections.abc import Collection, Sequence
from typing import Final

from afterword.pipeline.domain.documents.cells import plain_name
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.exports.guess import guess_mapping
from afterword.pipeline.domain.exports.preview import preview
from afterword.pipeline.domain.layouts.layout import Layout
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.masking import mask

_CELLS: Final = 20
_NAMED: Final = 6
_WIDE: Final = 40
_BARS: Final = frozenset({"high", "low", "close"})


class UnknownLayoutError(InvalidInputError):
    """A table of no known layout; what is accepted says the mapping to try."""


def unknown_layout(document: Document, layouts: Sequence[Layout]) -> InvalidInputError:
    """Return the error for a file that no layout recognises, with the mapping to try."""
    if document.form != "sheet":
        return _no_sheet(document)
    if has_bars(document):
        accepted = "afterword prices import FILE, or an export of trades"
        return InvalidInputError(document.name, "holds prices", accepted)
    guess = guess_mapping(document)
    row = guess.header or document.head[0]
    place = f"{document.name}: line {row.line}" if row.line else document.name
    words = "header" if guess.header else "first row"
    problem = f"has a {words} of no known layout ({_shown(row.cells)}){_near(row.cells, layouts)}"
    if told := preview(document, guess):
        problem += f"; {told}"
    tried = " ".join(
        ["--columns", shlex.quote(guess.columns)]
        + [f"{name} {shlex.quote(value)}" for name, value in guess.options]
    )
    lacks = [f"the columns of {', '.join(guess.lacks)} for COLUMN"] if guess.lacks else []
    if asked := [*lacks, *guess.questions]:
        tried += f" with {'; and '.join(asked)}"
    return UnknownLayoutError(place, problem, tried)


def has_bars(document: Document) -> bool:
    """Tell a sheet of prices by its columns."""
    return any(
        {cell.strip().strip("<>").lower() for cell in row.cells} >= _BARS for row in document.head
    )


def nearest(cells: Sequence[str], layouts: Sequence[Layout]) -> Layout | None:
    """Return the layout with most columns in common, two at least; of equals the narrowest."""
    names = {plain_name(cell) for cell in cells}

    def shared(layout: Layout) -> int:
        return sum(_is_there(column, names) for column in layout.columns)

    best = max(layouts, key=lambda layout: (shared(layout), -len(layout.columns)), default=None)
    return best if best is not None and shared(best) >= 2 else None


def _near(cells: Sequence[str], layouts: Sequence[Layout]) -> str:
    layout = nearest(cells, layouts)
    if layout is None:
        return ""
    here = {plain_name(cell) for cell in cells}
    lacks = [column for column in layout.columns if not _is_there(column, here)]
    more = [
        cell
        for cell in cells
        if cell and not any(_is_there(column, {plain_name(cell)}) for column in layout.columns)
    ]
    differs = [
        f"{what} {_shown(names, _NAMED)}"
        for what, names in (("lacks", lacks), ("also has", more))
        if names
    ] or ["has other letters or another order"]
    return f"; the nearest is {layout.title} ({layout.name}): this one {' and '.join(differs)}"


def _no_sheet(document: Document) -> InvalidInputError:
    content = document.content
    first = content[0] if isinstance(content, list) and content else content
    keys = f" with the keys {_shown(list(first))}" if isinstance(first, dict) else ""
    problem = f"is {document.kind} of no known layout{keys}"
    return InvalidInputError(document.name, problem, "a known export, or a CSV with --columns")


def _shown(cells: Sequence[str], most: int = _CELLS) -> str:
    """Return cells as they may be shown: masked, cut, without control characters."""
    named = [_plain(mask(cell)[:_WIDE]) for cell in cells if cell]
    more = f", and {len(named) - most} more" if len(named) > most else ""
    return ", ".join(named[:most]) + more


def _plain(text: str) -> str:
    return text if text.isprintable() else ascii(text)[1:-1]


def _is_there(column: str, names: Collection[str]) -> bool:
    """Tell whether a layout's column is among names; one that ends with `*` by its beginning."""
    plain = plain_name(column)
    if plain.endswith("*"):
        return any(name.startswith(plain[:-1]) for name in names)
    return plain in names

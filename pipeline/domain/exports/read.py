"""Find the layout of a file, and read it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

from afterword.pipeline.domain.documents.document import Document, open_document
from afterword.pipeline.domain.documents.record_table import as_table
from afterword.pipeline.domain.exports.guess_names import places_by_names
from afterword.pipeline.domain.exports.kept import KnownTable, fitted
from afterword.pipeline.domain.exports.layout_files import shipped_layouts
from afterword.pipeline.domain.exports.mapped import mapped_layout
from afterword.pipeline.domain.exports.mapping import ColumnMapping
from afterword.pipeline.domain.exports.refusal import unknown_layout
from afterword.pipeline.domain.layouts.layout import Item, Layout, Origin
from afterword.pipeline.domain.venues.layouts import LAYOUTS
from afterword.pipeline.errors import InvalidInputError

_FEWEST_NAMES: Final = 3
"""Names of columns by which records of JSON are taken for trades."""


@cache
def known_layouts() -> tuple[Layout, ...]:
    """Return all layouts that ship: those with a reader of their own, and those of files."""
    return (*LAYOUTS, *(mapped_layout(file.mapping) for file in shipped_layouts()))


def layout_of(document: Document) -> Layout | None:
    """Return the layout of a file; of several, that with the most columns. None if unknown."""
    layouts = [layout for layout in known_layouts() if layout.recognises(document)]
    return max(layouts, key=lambda layout: len(layout.columns), default=None)


def refuse_trades(path: Path, accepted: str = "afterword learn FILE") -> None:
    """Refuse an export of trades that was named as a file of prices.

    Args:
        accepted: where it belongs, as it is typed.

    Raises:
        InvalidInputError: it is one, or cannot be read.
    """
    document = open_document(path)
    layout = layout_of(document)
    if layout is not None:
        problem = f"holds trades ({layout.title}), not prices"
        raise InvalidInputError(document.name, problem, accepted)


def refuse_wallet(document: Document) -> None:
    """Refuse a file of what a wallet did where round trips are read: it makes none.

    Raises:
        InvalidInputError: it is one.
    """
    layout = layout_of(document)
    if layout is not None and layout.is_of_wallet:
        problem = "holds what a wallet did on a chain, which makes no round trips"
        raise InvalidInputError(document.name, problem, "afterword history import FILE")


def read_export(
    path: Path,
    origin: Origin,
    mapping: ColumnMapping | None = None,
    kept: Sequence[KnownTable] = (),
) -> tuple[Layout, Iterator[Item]]:
    """Return the layout of a file and what it holds, read row by row.

    Args:
        mapping: which columns hold what, where the owner says it for this file.
        kept: mappings that were kept, and layouts of the owner; one that the file fits is used.

    Raises:
        InvalidInputError: no layout fits, here; or a row is bad, while the items are read.
    """
    return read_document(open_document(path), origin, mapping, kept)


def read_as(document: Document, *, has_mapping: bool = False) -> Document:
    """Return records of JSON that no layout knows as a table, where they may hold trades.

    Args:
        has_mapping: the owner named their columns.
    """
    if document.form != "json" or layout_of(document) is not None:
        return document
    table = as_table(document)
    if table is document:
        return document
    names = places_by_names(table.head[0].cells)
    return table if has_mapping or len(names) >= _FEWEST_NAMES else document


def read_document(
    document: Document,
    origin: Origin,
    mapping: ColumnMapping | None = None,
    kept: Sequence[KnownTable] = (),
) -> tuple[Layout, Iterator[Item]]:
    """Return the layout of an opened file and what it holds; see `read_export`.

    Without an account in its origin, the account is named by the venue.
    """
    document = read_as(document, has_mapping=mapping is not None)
    origin, mapping = fitted(document, origin, mapping, kept)
    layout = layout_of(document) if mapping is None else mapped_layout(mapping)
    if layout is None:
        raise unknown_layout(document, known_layouts())
    document = replace(document, mark=origin.mark)
    return layout, layout.read(document, replace(origin, account=origin.account or layout.venue))

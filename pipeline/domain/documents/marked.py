"""Rows of a known table whose decimal mark is found: spreadsheets save it with their own."""

from collections.abc import Iterator
from itertools import islice

from afterword.pipeline.domain.documents.cells import Cells, Variants, cells_of
from afterword.pipeline.domain.documents.document import HEAD, Document
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.tabular.numbers import mark_of


def marked_cells(
    document: Document, *columns: str, numbers: tuple[str, ...], variants: Variants | None = None
) -> Iterator[Cells]:
    """Yield the rows below the header that has these columns, with the mark of their numbers.

    Args:
        columns: see `cells_of`.
        numbers: those of them that hold numbers.
        variants: other names of columns.

    Raises:
        InvalidInputError: the numbers can be read in two ways.
    """
    head = islice(cells_of(document, *columns, variants=variants), HEAD)
    mark = mark_of(row.text(column) for row in head for column in numbers)
    if mark is None:
        problem = "has numbers such as 1,234 that can be read in two ways"
        raise InvalidInputError(document.name, problem, "the file as it was exported")
    yield from cells_of(document, *columns, mark=mark, variants=variants)

"""A row by the names of its columns; a bad cell is refused with its line and column."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from decimal import Decimal
from functools import lru_cache
from json.encoder import encode_basestring as _quoted
from typing import Final, Literal, NamedTuple

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.documents.document import HEAD, Document
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.masking import mask, shown
from afterword.pipeline.rules.tabular.moments import read_any
from afterword.pipeline.rules.tabular.numbers import (
    DecimalMark,
    is_blank,
    mark_of,
    read_number,
    split_unit,
)
from afterword.pipeline.rules.tabular.sheet import Row

_ZERO: Final = Decimal(0)
_number = lru_cache(maxsize=4_096)(read_number)
"""Fills of one order repeat its numbers, and most profits and fees are 0."""
_LONGEST_NUMBER: Final = 40
_DATED: Final = re.compile("0[0-9]")
"""How a day of a month, or an hour, begins: `01.02` is no number that says a mark."""
_DOUBLED: Final = -1
"""Place of a name that several columns have: none of them is read for it."""

Variants = Mapping[str, Sequence[str]]
"""Other names under which a layout's column is found, by its usual one."""


class Cells(NamedTuple):
    """One row of a sheet.

    Args:
        name: of the file.
        header: names of the columns as the file writes them; of equal names the later ones differ.
        places: name to place, under the names of the layout and those of the file; `_DOUBLED` for
            a name of several columns.
        cells: at least as many as the header has.
        mark: decimal mark of its numbers; None where the file does not say it.
        keys: `keys_of` the header, made once for all rows.
    """

    name: str
    header: Sequence[str]
    places: Mapping[str, int]
    line: int
    cells: Sequence[str]
    mark: DecimalMark | None
    keys: Sequence[str] = ()

    def text(self, column: str) -> str:
        """Return a cell; empty if the row is too short or the column is not there.

        Raises:
            InvalidInputError: several columns have the name.
        """
        place = self.places.get(column)
        if place is None:
            return ""
        if place == _DOUBLED:
            accepted = "one of them, or --columns with their places: #1, #2, ..."
            raise InvalidInputError(self.name, f"has several columns {mask(column)}", accepted)
        return self.cells[place]

    def heading(self, column: str) -> str:
        """Return the name of a column as the file writes it; it may hold a zone or a currency."""
        self.text(column)  # refuses a name of several columns
        return self.header[self.places[column]]

    def number(self, column: str) -> Decimal:
        """Return the number in a cell, with its sign.

        Raises:
            InvalidInputError: it is none.
        """
        return self.amount(column, self.text(column))

    def amount(self, column: str, part: str) -> Decimal:
        """Return the number in a part of a cell, such as that before a currency.

        Raises:
            InvalidInputError: it is none, or one of two; the whole cell is shown.
        """
        number = _number(part, self.mark or ".")
        if self.mark is None and number != (other := _number(part, ",")):
            if number is not None and other is not None:
                raise self.refusal(column, "--decimal . or --decimal , for its two readings")
            number = other if number is None else number
        if number is None:
            raise self.refusal(column, "a number")
        return number

    def number_in_text(self, column: str, part: str) -> Decimal:
        """Return a number inside a sentence: a program writes it with a point in every country.

        A spreadsheet that writes the numbers of a table anew leaves sentences as they are.

        Raises:
            InvalidInputError: it is none; the whole cell is shown.
        """
        number = _number(part, ".")
        if number is None:
            raise self.refusal(column, "a number with a decimal point")
        return number

    def number_or_zero(self, column: str) -> Decimal:
        """Return the number in a cell; 0 for an empty one."""
        return _ZERO if is_blank(self.text(column)) else self.number(column)

    def positive(self, column: str) -> Decimal:
        """Return the number in a cell, above 0."""
        return self.above_zero(column, self.text(column))

    def above_zero(self, column: str, part: str) -> Decimal:
        """Return the number in a part of a cell, above 0."""
        number = self.amount(column, part)
        if number <= 0:
            raise self.refusal(column, "a number above 0")
        return number

    def price(self, column: str) -> Decimal:
        """Return the number in a cell, not below 0: what expires or is given away costs nothing."""
        number = self.number(column)
        if number < 0:
            raise self.refusal(column, "a number from 0")
        return number

    def size(self, column: str) -> Decimal:
        """Return the number in a cell without its sign, above 0."""
        size = abs(self.number(column))
        if not size:
            raise self.refusal(column, "a number other than 0")
        return size

    def moment(
        self, column: str, zone: tzinfo, *patterns: str, part: str | None = None
    ) -> datetime:
        """Return the moment in a cell as aware UTC.

        Args:
            patterns: of `strptime`, or `iso`; the first that fits counts.
            part: of the cell, where it holds more.
        """
        text = self.text(column) if part is None else part
        moment = read_any(text, patterns, zone)
        if moment is not None:
            return moment
        if read_any(text, patterns, UTC) is None:
            raise self.refusal(column, " or ".join(patterns))
        accepted = f"a time that clocks of {zone} did not skip; --zone names the zone of the times"
        raise self.refusal(column, accepted)

    def millis(self, column: str, zone: tzinfo, *patterns: str, part: str | None = None) -> int:
        """Return the moment in a cell as UTC milliseconds since 1970; see `moment`."""
        return to_micros(self.moment(column, zone, *patterns, part=part)) // 1_000

    def side(self, column: str, buys: Iterable[str], sells: Iterable[str]) -> Literal["B", "A"]:
        """Return the side in a cell; the words are compared in small letters."""
        text = self.text(column).lower()
        if text in buys:
            return "B"
        if text in sells:
            return "A"
        raise self.refusal(column, ", ".join((*buys, *sells)))

    def raw(self) -> str:
        """Return the row as compact JSON text, empty cells left out."""
        keys = self.keys or keys_of(self.header)
        pairs = zip(keys, self.cells, strict=False)
        return "{%s}" % ",".join([key + _quoted(cell) for key, cell in pairs if cell])  # noqa: UP031

    def refusal(self, column: str, accepted: str) -> InvalidInputError:
        """Return the error that refuses a cell, with its line and column."""
        text = self.text(column)
        problem = f"is {shown(text, label=column)}" if text else "is empty"
        raise InvalidInputError(
            f"{self.name}: line {self.line}, column {mask(column)}", problem, accepted
        )


def keys_of(header: Iterable[str]) -> list[str]:
    """Return what stands before each cell in the JSON text of a row."""
    return [f"{_quoted(name)}:" for name in header]


@lru_cache(maxsize=4096)
def plain_name(name: str) -> str:
    """Return the name of a column for comparison: small, without marks and double blanks."""
    return " ".join(name.strip("\ufeff\"' \t").split()).casefold()


def has_columns(*columns: str, variants: Variants | None = None) -> Callable[[Document], bool]:
    """Return what recognises a sheet by columns of its header; see `cells_of`."""

    def recognises(document: Document) -> bool:
        return document.form == "sheet" and header_of(document, columns, variants) is not None

    return recognises


def header_of(
    document: Document, columns: Iterable[str], variants: Variants | None = None
) -> tuple[Row, dict[str, int]] | None:
    """Return the first row of the head that has all these columns, and their places."""
    wanted = [
        (column, [plain_name(name) for name in (column, *(variants or {}).get(column, ()))])
        for column in columns
    ]
    for row in document.head:
        names = [plain_name(cell) for cell in row.cells]
        places: dict[str, int] = {}
        for column, spellings in wanted:
            place = _first_place(names, spellings)
            if place is None:
                break
            places[column] = place
        else:
            return row, places
    return None


def cells_of(
    document: Document, *columns: str, usual: DecimalMark = ".", variants: Variants | None = None
) -> Iterator[Cells]:
    """Yield the rows below the header that has these columns.

    Args:
        columns: compared without case and marks; one that ends with `*` is found by its beginning
            and is asked for under that name.
        usual: decimal mark of the numbers as the program writes them.
        variants: other names of columns.

    Raises:
        InvalidInputError: from a row, where a column is read whose name several have: which of them
            is meant is not guessed.
    """
    located = header_of(document, columns, variants)
    assert located is not None  # the layout recognised it
    header, wanted = located
    names = _told_apart(header.cells)
    places = {name: place for place, name in enumerate(names)} | wanted
    counts = Counter(map(plain_name, header.cells))
    for name, place in places.items():
        plain = plain_name(header.cells[place])
        if plain and counts[plain] > 1:
            places[name] = _DOUBLED
    width, keys, mark = len(names), keys_of(names), mark_in(document, usual)
    for row in document.rows():
        if row.line > header.line:
            cells = row.cells
            if len(cells) < width:
                cells = cells + [""] * (width - len(cells))
            yield Cells(document.name, names, places, row.line, cells, mark, keys=keys)


def mark_in(
    document: Document, usual: DecimalMark = ".", rows: Iterable[Row] | None = None
) -> DecimalMark | None:
    """Return the decimal mark of a table: spreadsheets save it with that of their country.

    Every cell that holds a number, with or without a unit, says it.

    Args:
        usual: mark that the program writes.
        rows: of a document that is no sheet.

    Returns:
        What its owner says, else what its numbers say; None where these can be read in two ways.
    """
    if document.mark is not None:
        return document.mark
    rows = document.rows() if rows is None else rows
    return mark_of((map(_number_of, row.cells) for row in rows), usual, HEAD)


def _number_of(text: str) -> str:
    """Return the number of a cell without its unit; empty where it holds none that says a mark."""
    if len(text) > _LONGEST_NUMBER or _DATED.match(text):
        return ""
    return split_unit(text)[0]


def cells_under(document: Document, header: Row, row: Row, mark: DecimalMark | None) -> Cells:
    """Return a row under a header inside the file: statements have one for each section.

    Args:
        mark: `mark_in` the file.
    """
    names = _told_apart(header.cells)
    places = {name: place for place, name in enumerate(names)}
    cells = row.cells + [""] * (len(names) - len(row.cells))
    return Cells(document.name, names, places, row.line, cells, mark)


def _first_place(names: Sequence[str], spellings: Iterable[str]) -> int | None:
    for spelling in spellings:
        start = spelling.removesuffix("*")
        for place, name in enumerate(names):
            if name == spelling or (start != spelling and name.startswith(start)):
                return place
    return None


def _told_apart(names: Sequence[str]) -> list[str]:
    """Return names of which none is equal to another: `Price`, `Price 2`."""
    distinct: dict[str, None] = {}
    counts: Counter[str] = Counter()
    for name in names:
        different = name.strip("\ufeff") or "?"
        while different in distinct:
            # Going on behind the last number: counting from 1 again would be cubic in all.
            counts[name] += 1
            different = f"{name} {counts[name] + 1}"
        distinct[different] = None
    return list(distinct)

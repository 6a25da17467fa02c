"""A sheet by the keys of its columns, and what its texts say before its first row is read."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from afterword.pipeline.domain.documents.document import HEAD, Document
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.tabular.numbers import DecimalMark, mark_of, split_unit
from afterword.pipeline.rules.tabular.sheet import Row
from afterword.pipeline.rules.tabular.stamps import TimeUnit
from afterword.pipeline.rules.tabular.timing import Timing, timing_of

_TWO_WAYS: Final = "that can be read in two ways"


@dataclass(frozen=True, slots=True)
class KeyedTable:
    """A sheet of which it is known where its columns are.

    Args:
        start: the line of its last row before the data; 0 if they begin at once.
        at: by key, the place of a column, or those of a date and a time.
        names: by key, the column as the file writes it; `#3` without a header.
        extend: adds to a row the cells that are found in others of it; None if there are none.
    """

    document: Document
    start: int
    at: Mapping[str, tuple[int, ...]]
    names: Mapping[str, str]
    extend: Callable[[Row], Row] | None = None

    @property
    def name(self) -> str:
        """The name of its file."""
        return self.document.name

    def rows(self) -> Iterator[Row]:
        """Yield the rows of data."""
        rows = (row for row in self.document.rows() if row.line > self.start)
        return rows if self.extend is None else map(self.extend, rows)

    def head(self) -> Iterator[Row]:
        """Yield the first rows of data, by which the form of its numbers is found."""
        return islice(self.rows(), HEAD)

    def text(self, row: Row, key: str) -> str:
        """Return what a row holds under a key, a date and its time together; empty if nothing."""
        return joined(row.cells, self.at[key]).strip()

    def timing(self, key: str, unit: TimeUnit | None = None, form: str | None = None) -> Timing:
        """Return how the moments of a column are read.

        Args:
            unit: of numbers, where the owner of the file says it.
            form: `dmy`, `mdy`, `ymd` or a pattern of `strptime`, where the owner says it.

        Raises:
            InvalidInputError: its days and months can be read in two ways.
        """
        timing = timing_of((self.text(row, key) for row in self.rows()), unit, form)
        if timing.is_unclear:
            column = f"{self.name}: column {self.names[key]}"
            accepted = "--time-format dmy or --time-format mdy"
            raise InvalidInputError(column, f"has days and months {_TWO_WAYS}", accepted)
        return timing

    def mark(
        self,
        keys: Iterable[str],
        stated: DecimalMark | None = None,
        number: Callable[[str], str] = lambda text: split_unit(text)[0],
    ) -> DecimalMark:
        """Return the decimal mark of the numbers in some columns.

        Args:
            stated: mark that counts where the numbers do not say it.
            number: the number of a cell, without its unit.

        Raises:
            InvalidInputError: they can be read in two ways, and none is stated.
        """
        places = [at for key in keys for at in self.at[key]]
        rows = (
            [number(row.cells[at]) for at in places if at < len(row.cells)] for row in self.rows()
        )
        mark = mark_of(rows, most=HEAD) or stated
        if mark is None:
            problem = f"has numbers such as 1,234 {_TWO_WAYS}"
            raise InvalidInputError(self.name, problem, "--decimal . or --decimal ,")
        return mark


def joined(cells: Sequence[str], places: Iterable[int]) -> str:
    """Return the cells at some places, with a blank between them."""
    return " ".join([cells[place] for place in places if place < len(cells)])

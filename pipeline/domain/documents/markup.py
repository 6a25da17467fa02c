"""The rows of tables in a page of HTML."""

from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Final

from afterword.pipeline.rules.tabular.sheet import Row

_CHUNK: Final = 1 << 16


def table_rows(page: str) -> Iterator[Row]:
    """Yield the rows of all tables with their lines; cells of the class `hidden` are left out.

    `html.parser` neither loads nor runs anything, and repairs nothing but what is cut off.
    """
    reader = _Tables()
    for place in range(0, len(page), _CHUNK):
        reader.feed(page[place : place + _CHUNK])
        yield from reader.taken()
    reader.close()
    yield from reader.taken()


class _Tables(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.rows: list[Row] = []
        self.row: Row | None = None
        self.cell: list[str] | None = None

    def taken(self) -> list[Row]:
        """Return the rows that are complete, once."""
        found, self.rows = self.rows, []
        return found

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self._end_row()
            self.row = Row(self.getpos()[0], [])
        elif tag in ("td", "th"):
            self._end_cell()
            hidden = "hidden" in (dict(attrs).get("class") or "").split()
            self.cell = None if hidden else []

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._end_cell()
        elif tag in ("tr", "table"):
            self._end_row()

    def handle_data(self, data: str) -> None:
        if self.cell is not None:
            self.cell.append(data)

    def close(self) -> None:
        super().close()
        self._end_row()

    def _end_cell(self) -> None:
        if self.row is not None and self.cell is not None:
            self.row.cells.append(" ".join("".join(self.cell).split()))
        self.cell = None

    def _end_row(self) -> None:
        self._end_cell()
        if self.row is not None and any(self.row.cells):
            self.rows.append(self.row)
        self.row = None

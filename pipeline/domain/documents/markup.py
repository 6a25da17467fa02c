"""The rows of tables in a page of HTML, in one pass: a page is as long as its writer likes.

`html.parser` looks again from every `<!--` or `<td` for the end that is missing, so that a page of
them takes a time that is quadratic in its length.
"""

import html
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.tabular.sheet import MOST_COLUMNS, Row

_OPEN: Final = re.compile(r"<(?:!--|[!?]|/?[A-Za-z])")
_NAME: Final = re.compile(r"<(/?[A-Za-z][^\s/>]*+)")
# A quote opens a value behind an equals sign only; elsewhere it is a character like others.
_REST: Final = re.compile(r"""(?:[^>=]++|=\s*+(?:"[^"]*+"|'[^']*+'|(?!["'])))*+>""")
_CLASS: Final = re.compile(r"""\sclass\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))""", re.IGNORECASE)
_VERBATIM: Final = {
    name: re.compile(rf"</{name}[^>]*+>", re.IGNORECASE) for name in ("script", "style")
}
"""Ends of the elements whose content is no markup."""

_ENDS: Final = {"<!--": re.compile("-->"), "<!": re.compile(">"), "<?": re.compile(">")}


class _Part(NamedTuple):
    """The text before a tag, and the tag.

    Args:
        tag: its name in small letters, `/td` for an end; empty behind the last tag.
    """

    line: int
    text: str
    tag: str
    is_hidden: bool


def table_rows(page: str, name: str) -> Iterator[Row]:
    """Yield the rows of all tables with their lines; cells of the class `hidden` are left out.

    Nothing is loaded or run.

    Args:
        name: of the file, for messages.

    Raises:
        InvalidInputError: a tag or comment does not end, or a row has more cells than a table has.
    """
    row: Row | None = None
    cell: list[str] | None = None
    for part in _parts(page, name):
        if cell is not None:
            cell.append(part.text)
        if part.tag not in _ENDS_CELL:
            continue
        if row is not None and cell is not None:
            row.cells.append(" ".join("".join(cell).split()))
            _check_width(row, name)
        is_cell = part.tag in ("td", "th") and not part.is_hidden
        cell = [] if is_cell else None
        if part.tag in _ENDS_ROW:
            if row is not None and any(row.cells):
                yield row
            row = Row(part.line, []) if part.tag == "tr" else None


_WHOLE: Final = "the page saved again, to its end"
_ENDS_ROW: Final = frozenset({"tr", "/tr", "/table", ""})
_ENDS_CELL: Final = frozenset({"td", "th", "/td", "/th"}) | _ENDS_ROW


def _check_width(row: Row, name: str) -> None:
    if len(row.cells) > MOST_COLUMNS:
        accepted = f"tables of {MOST_COLUMNS:,} columns at most"
        raise InvalidInputError(f"{name}: line {row.line}", "has too many cells", accepted)


def _parts(page: str, name: str) -> Iterator[_Part]:
    """Yield the tags of a page, each with the text before it, entities decoded."""
    line, counted, done = 1, 0, 0
    while opening := _OPEN.search(page, done):
        start = opening.start()
        text = page[done:start]
        line, counted = line + page.count("\n", counted, start), start
        tag, is_hidden, done = _tag(page, start, opening[0], f"{name}: line {line}")
        yield _Part(line, _decoded(text, f"{name}: line {line}"), tag, is_hidden)
    yield _Part(line, _decoded(page[done:], f"{name}: line {line}"), "", False)


def _tag(page: str, start: int, opening: str, place: str) -> tuple[str, bool, int]:
    """Return the name of the tag at a place, whether it hides its content, and where it ends."""
    if opening in _ENDS:
        return opening, False, _behind(page, _ENDS[opening], start, opening, place)
    named = _NAME.match(page, start)
    rest = _REST.match(page, named.end()) if named else None
    if named is None or rest is None:
        raise InvalidInputError(place, "begins a tag that does not end", _WHOLE)
    tag = named[1].lower()
    if tag in _VERBATIM:
        return tag, False, _behind(page, _VERBATIM[tag], rest.end(), f"<{tag}>", place)
    attribute = _CLASS.search(rest[0]) if tag in ("td", "th") else None
    classes = (attribute[1] or attribute[2] or attribute[3] or "") if attribute else ""
    return tag, "hidden" in classes.split(), rest.end()


def _behind(page: str, end: re.Pattern[str], start: int, opening: str, place: str) -> int:
    """Return where something that is skipped ends."""
    match = end.search(page, start)
    if match is None:
        problem = f"begins {opening} that does not end"
        raise InvalidInputError(place, problem, _WHOLE)
    return match.end()


def _decoded(text: str, place: str) -> str:
    try:
        return html.unescape(text) if "&" in text else text
    except ValueError:  # a character of thousands of digits
        raise InvalidInputError(place, "must have entities of characters", "HTML") from None

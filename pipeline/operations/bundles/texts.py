"""Texts of other programs: decoded, without comments, in parts of the length of a memory."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time
from typing import Any, Final

from afterword.pipeline.core.files.plain_tree import PlainTree
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.operations.bundles.model import MOST_FOREIGN_BYTES

_HEADING: Final = re.compile(r"(#{1,6})[ \t]+(\S.*)")
_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_LONGEST_PART: Final = 2_000
"""Characters of a section that stays one memory; a longer one becomes one for each paragraph."""


def text_of(tree: PlainTree, path: str) -> str:
    """Return the text of a file.

    Raises:
        InvalidInputError: it is too large or not UTF-8.
    """
    try:
        return tree.read(path, MOST_FOREIGN_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidInputError(path, "is not UTF-8", "text in UTF-8") from None


def json_of(tree: PlainTree, path: str) -> Any:
    """Return what a JSON file says.

    Raises:
        InvalidInputError: it is none.
    """
    try:
        return json.loads(text_of(tree, path))
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(path, f"is no JSON ({error!s:.80})", "JSON") from None


def parts_of(text: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of a markdown text: the headings above it, and what it says below them."""
    above: list[str] = []
    lines: list[str] = []
    is_code = False
    for line in [*_without_comments(text).splitlines(), "# "]:
        if line.lstrip().startswith(("```", "~~~")):
            is_code = not is_code
        heading = None if is_code else _HEADING.fullmatch(line)
        if heading is None and line != "# ":
            lines.append(line)
            continue
        title = " / ".join(filter(None, above))
        for part in _short("\n".join(lines).strip()):
            yield title, part
        lines = []
        if heading is not None:
            level = len(heading[1]) - 1
            above = [*above[:level], *[""] * (level - len(above)), heading[2].strip()]


def said(title: str, part: str) -> str:
    """Return a part with the headings that say what it is about."""
    return f"{title}: {part}" if title else part


def moment_of(value: object) -> datetime | None:
    """Return a moment that another program wrote; without a zone it is taken for UTC."""
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, UTC)
        if isinstance(value, str):
            moment = datetime.fromisoformat(value.strip())
            return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None


def day_in(name: str) -> datetime | None:
    """Return the beginning of the day that a file's name begins with."""
    match = _DAY.match(name)
    try:
        return match and datetime.combine(date.fromisoformat(match[0]), time(), UTC)
    except ValueError:
        return None


def _without_comments(text: str) -> str:
    """Return a markdown text without its comments; one that does not end is text."""
    kept: list[str] = []
    place = 0
    while (begin := text.find("<!--", place)) >= 0 and (end := text.find("-->", begin)) >= 0:
        kept.append(text[place:begin])
        place = end + len("-->")
    return "".join([*kept, text[place:]])


def _short(text: str) -> Iterator[str]:
    if len(text) <= _LONGEST_PART:
        if text.strip("-*_= \n"):
            yield text
        return
    for paragraph in re.split(r"\n[ \t]*\n", text):
        if paragraph.strip("-*_= \n"):
            yield paragraph.strip()

"""The text behind escapes: of JSON and other strings, of web addresses, and of HTML."""

import re
from html import unescape
from typing import Final

from afterword.pipeline.expression import expression

_ESCAPE: Final = expression(
    r"\\{1,4}(?:u(?P<unicode>[0-9A-Fa-f]{4})|x(?P<hex>[0-9A-Fa-f]{2})|(?P<sign>[nrtbf/\"']))"
    r"|%(?P<percent>[2-7][0-9A-Fa-f])|&(?:\#\d{1,7}|\#[xX][0-9A-Fa-f]{1,6}|[a-z]{2,6});"
)
_PERCENT: Final = expression(r"%[2-7][0-9A-Fa-f]")
_ENTITY: Final = expression(r"&(?:\#|[a-z]{2,6};)")
_SIGNS: Final = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}


def has_escapes(text: str) -> bool:
    """Return whether a text can have escapes; most have none."""
    return (
        "\\" in text
        or ("%" in text and _PERCENT.search(text) is not None)
        or ("&" in text and _ENTITY.search(text) is not None)
    )


def unescaped(text: str) -> tuple[str, list[int], list[int]]:
    """Return a text with its escapes decoded.

    Returns:
        The text; and for each of its characters where it starts and ends in the original.
    """
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    for match in _ESCAPE.finditer(text):
        plain = _decoded(match)
        pieces += (text[at : match.start()], plain)
        starts += range(at, match.start())
        ends += range(at + 1, match.start() + 1)
        starts += [match.start()] * len(plain)
        ends += [match.end()] * len(plain)
        at = match.end()
    starts += range(at, len(text))
    ends += range(at + 1, len(text) + 1)
    return "".join([*pieces, text[at:]]), starts, ends


def _decoded(match: re.Match[str]) -> str:
    digits = match["unicode"] or match["hex"] or match["percent"]
    if digits:
        return chr(int(digits, 16))
    sign = match["sign"]
    return _SIGNS.get(sign, sign) if sign else unescape(match[0])

"""Private keys between BEGIN and END lines, even if one of the lines is missing."""

import re
from collections.abc import Iterator
from typing import Final

from afterword.pipeline.expression import expression
from afterword.pipeline.rules.masking.finding import Secret

PEM_MARK: Final = "----"
_KIND: Final = r"[ ]?(?:[A-Z0-9]+ ){0,4}(?:PRIVATE KEY(?: BLOCK)?|Static key V1)"
_EDGE: Final = expression(rf"-{{4,5}}[ ]?(?:(?P<begin>BEGIN)|END){_KIND}[ ]?-{{4,5}}")
_NEXT_BEGIN: Final = "-BEGIN "
_GAP: Final = r"(?:\s|\\{1,4}[nrt])"
_HEADERS: Final = expression(rf"(?:{_GAP}+[A-Za-z][A-Za-z-]{{2,30}}: [^\n\\]{{0,200}})*+")
_BODY: Final = expression(rf"{_GAP}*+([A-Za-z0-9+/=]++)", re.ASCII)
_WORD: Final = expression(r"[A-Z]?[a-z]{0,18}|[A-Z]{1,12}|\d{1,12}")
_REVERSED_BODY: Final = expression(r"(?:\s|[nrt]\\{1,4})*+([A-Za-z0-9+/=]{1,1024}+)", re.ASCII)


def find(text: str) -> Iterator[Secret]:
    """Yield each private key with its BEGIN and END line.

    Without END the key continues while the text looks like base 64; without BEGIN it starts where
    the text before END looks so.
    """
    done = 0
    edges = list(_EDGE.finditer(text))
    for index, edge in enumerate(edges):
        if edge.start() < done:
            continue
        start, end = edge.span()
        if edge["begin"] is None:
            start = _start_before(text, done, start)
        else:
            following = edges[index + 1] if index + 1 < len(edges) else None
            if following and not following["begin"] and _is_one(text, end, following.start()):
                end = following.end()
            else:
                end = _end_after(text, end)
        yield Secret(start, end, "pem-key")
        done = end


def _is_one(text: str, end: int, start: int) -> bool:
    """Return whether no other block starts between one edge and the next."""
    return text.find(_NEXT_BEGIN, end, start) < 0


def _end_after(text: str, at: int) -> int:
    headers = _HEADERS.match(text, at)
    at = headers.end() if headers else at
    while (part := _BODY.match(text, at)) and not _WORD.fullmatch(part[1]):
        at = part.end()
    return at


def _start_before(text: str, least: int, at: int) -> int:
    before = text[least:at][::-1]
    back = 0
    while (part := _REVERSED_BODY.match(before, back)) and not _WORD.fullmatch(part[1][::-1]):
        back = part.end()
    return at - back

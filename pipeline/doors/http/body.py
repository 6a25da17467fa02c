"""What a request may carry, and the shape of its body before it is read as JSON."""

import re
from typing import Final

MAX_HEAD_BYTES: Final = 16 << 10
"""Bytes of the first line and the headers of a request."""

MAX_BODY_BYTES: Final = 1 << 20
"""Bytes of one body: the largest text that is accepted has 100,000 characters."""

MAX_BODY_DEPTH: Final = 64
"""How deep lists and objects may stand in each other; reading recurses once a level."""

MAX_BODY_VALUES: Final = 50_000
"""Values of one body: each takes hundreds of bytes once it is read."""

BODY_S: Final = 10.0
"""How long a body may take to arrive; seconds."""

_MARK: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{},]', re.DOTALL)
"""A text as a whole, or a mark between values."""


def problem_of(body: bytes) -> str | None:
    """Return what is wrong with the shape of a body; None if it can be read as JSON safely."""
    if body.startswith(b"\xef\xbb\xbf"):
        return "the body begins with a byte order mark; accepted: JSON in UTF-8 without one"
    depth = commas = 0
    for mark in _MARK.finditer(body):
        match mark.group():
            case b"[" | b"{":
                depth += 1
                if depth > MAX_BODY_DEPTH:
                    return f"the body is nested deeper than {MAX_BODY_DEPTH} levels"
            case b"]" | b"}":
                depth -= 1
            case b",":
                commas += 1
                if commas > MAX_BODY_VALUES:
                    return f"the body has more than {MAX_BODY_VALUES} values"
    return None

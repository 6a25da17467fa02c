"""A secret found in a text, and the marker that takes its place."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple


class Secret(NamedTuple):
    """A stretch of a text that is a secret.

    Args:
        start: index of its first character.
        end: index after its last character.
        kind: what it is, in lower-case words joined by hyphens, such as `github-token`.
    """

    start: int
    end: int
    kind: str


MARKER: Final = re.compile(r"\[masked:[a-z0-9-]+\]")


def marker(kind: str) -> str:
    """Return what replaces a secret of a kind."""
    return f"[masked:{kind}]"


def merged(found: Iterable[Secret]) -> list[Secret]:
    """Return findings in order, overlapping ones as one; the first of them names its kind."""
    result: list[Secret] = []
    for one in sorted(found, key=lambda finding: (finding.start, -finding.end)):
        if result and one.start < result[-1].end:
            result[-1] = result[-1]._replace(end=max(one.end, result[-1].end))
        else:
            result.append(one)
    return result

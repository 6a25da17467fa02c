"""A secret that was found in a text, and the marker that replaces it."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from afterword.pipeline.expression import expression


class Secret(NamedTuple):
    """The range of a secret in a text.

    Args:
        start: index of its first character.
        end: index after its last character.
        kind: lower-case words joined by hyphens, such as `github-token`.
    """

    start: int
    end: int
    kind: str


MARKER: Final = expression(r"\[masked:[a-z0-9-]+\]")


def marker(kind: str) -> str:
    """Return the marker that replaces a secret of a kind."""
    return f"[masked:{kind}]"


def merged(secrets: Iterable[Secret]) -> list[Secret]:
    """Return findings in order, with overlapping ones merged; the first one gives the kind."""
    result: list[Secret] = []
    for secret in sorted(secrets, key=lambda finding: (finding.start, -finding.end)):
        if result and secret.start < result[-1].end:
            result[-1] = result[-1]._replace(end=max(secret.end, result[-1].end))
        else:
            result.append(secret)
    return result

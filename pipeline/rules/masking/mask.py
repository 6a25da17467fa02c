"""A text without its secrets."""

from collections.abc import Sequence

from afterword.pipeline.rules.masking.finding import Secret, marker
from afterword.pipeline.rules.masking.scan import findings


def mask(text: str) -> str:
    """Return a text with a marker such as `[masked:github-token]` in place of each secret.

    Masking a masked text changes nothing. A text without secrets comes back as the same object.
    """
    # What is masked can bring two things together that stood apart, so look until nothing is
    # left. Every round takes away a character outside of markers, so there is a last one.
    while found := findings(text):
        text = replaced(text, found)
    return text


def replaced(text: str, found: Sequence[Secret]) -> str:
    pieces: list[str] = []
    at = 0
    for one in found:
        pieces += (text[at : one.start], marker(one.kind))
        at = one.end
    return "".join([*pieces, text[at:]])

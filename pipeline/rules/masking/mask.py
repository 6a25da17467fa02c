"""Replace the secrets of a text by markers."""

from collections.abc import Sequence

from afterword.pipeline.rules.masking.finding import Secret, marker
from afterword.pipeline.rules.masking.scan import findings


def mask(text: str) -> str:
    """Return a text with a marker such as `[masked:github-token]` in place of each secret.

    Masking a masked text changes nothing. A text without secrets is returned as the same object.
    """
    # A marker can bring two parts together that form a new secret, so repeat until nothing is
    # found. Each round removes a character outside of markers, so the loop ends.
    while secrets := findings(text):
        text = replaced(text, secrets)
    return text


def replaced(text: str, secrets: Sequence[Secret]) -> str:
    """Return a text with a marker in place of each secret.

    Args:
        secrets: places in the text, in order of their start; none overlaps another.
    """
    pieces: list[str] = []
    at = 0
    for secret in secrets:
        pieces += (text[at : secret.start], marker(secret.kind))
        at = secret.end
    return "".join([*pieces, text[at:]])

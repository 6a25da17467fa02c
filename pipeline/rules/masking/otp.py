"""Shared secrets of one-time passwords: base 32, in groups of four or in one word."""

from collections.abc import Iterator
from typing import Final

from afterword.pipeline.expression import expression
from afterword.pipeline.rules.masking.finding import Secret
from afterword.pipeline.rules.text.words import any_of

_LABEL: Final = expression(
    r"2fa|mfa|t?otp(?![a-z])|authenticat|setup[\s_-]key|secret[\s_-]?key"
    r"|двухфактор|谷歌验证|动态口令|两步验证"
)
OTP_WORDS: Final = ("2fa", "mfa", "otp", "authenticat")
"""Labels in ASCII that are of such secrets only; the others are of keys too."""

_POSSIBLE: Final = any_of(OTP_WORDS)
_GROUPS: Final = expression(
    r"(?<![A-Za-z0-9])(?:[A-Z2-7]{4}[ -](?:[A-Z2-7]{4}[ -]){2,15}[A-Z2-7]{2,4}"
    r"|[a-z2-7]{4}[ -](?:[a-z2-7]{4}[ -]){2,15}[a-z2-7]{2,4})(?![A-Za-z0-9])"
)
_WORD: Final = expression(r"(?<![A-Za-z0-9])[A-Z2-7]{16,128}+=*+(?![A-Za-z0-9])")
_MIGRATION: Final = expression(r"otpauth-migration://[^\s\"'<>=]{0,40}=[^\s\"'<>]{16,}")
_DIGIT: Final = expression("[2-7]")
_REACH: Final = 80
"""How far the label may be before the secret; characters."""


def are_possible(low: str) -> bool:
    """Return quickly whether a lower-case text can have a label that is of such secrets only."""
    return _POSSIBLE.search(low) is not None or (
        not low.isascii() and _LABEL.search(low) is not None
    )


def find(text: str, low: str) -> Iterator[Secret]:
    """Yield the base-32 secrets behind a label.

    Args:
        low: the text in lower case, of the same length.
    """
    for match in _MIGRATION.finditer(text):
        yield Secret(match.start(), match.end(), "otp-secret")
    for pattern in (_GROUPS, _WORD):
        for match in pattern.finditer(text):
            since = max(0, match.start() - _REACH)
            if _DIGIT.search(match[0]) and _LABEL.search(low, since, match.start()):
                yield Secret(match.start(), match.end(), "otp-secret")

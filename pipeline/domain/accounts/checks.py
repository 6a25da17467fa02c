"""Names and addresses of accounts, checked before the venue is asked."""

import re
from typing import Final

from afterword.pipeline.errors import InvalidInputError, NotFoundError
from afterword.pipeline.rules.masking import is_near_secret

_NAME: Final = re.compile(r"[A-Za-z0-9_.:-]{1,64}")
_ADDRESS: Final = re.compile(r"0x[0-9a-fA-F]{40}")
_HEX: Final = re.compile(r"0[xX][0-9a-fA-F]+")

_LOOKS_SECRET: Final = "looks like a private key or a recovery phrase; it was not stored"


def checked_name(name: str) -> str:
    """Return a name of an account.

    Raises:
        InvalidInputError: it is not one.
    """
    if is_near_secret(name):
        problem = f"must be a name, and this {_LOOKS_SECRET}"
        raise InvalidInputError("name", problem, "a name that you chose")
    if not _NAME.fullmatch(name):
        accepted = "1-64 of the characters A-Z a-z 0-9 _ . : -"
        raise InvalidInputError("name", "must be a short name without blanks", accepted)
    return name


def checked_address(address: str) -> str:
    """Return a public address in small letters.

    Raises:
        InvalidInputError: it is not one; the message never repeats what was given, which may be a
            key.
    """
    text = address.strip()
    if is_near_secret(text):
        problem = f"must be public, and this {_LOOKS_SECRET}"
        raise InvalidInputError("address", problem, "a public address: 0x and 40 hex digits")
    if not _ADDRESS.fullmatch(text):
        problem = f"must be 0x and 40 hex digits, got {len(text)} characters"
        raise InvalidInputError("address", problem, "a public address")
    return text.lower()


def is_address(text: str) -> bool:
    """Return whether a text is a public address."""
    return _ADDRESS.fullmatch(text) is not None


def is_meant_as_address(text: str) -> bool:
    """Return whether somebody who writes this means an address, even a wrong one, or a secret."""
    return _HEX.fullmatch(text) is not None or is_near_secret(text)


def missing_account(name: str) -> NotFoundError:
    """Return the error for a name that no account has."""
    shown = "so" if is_near_secret(name) else f"{name!a:.80}"  # a key is repeated nowhere
    return NotFoundError(f"no account is named {shown}; afterword account ls lists them")

"""Base 58, with and without a checksum."""

from hashlib import sha256
from typing import Final

ALPHABET: Final = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_VALUE: Final = {digit: value for value, digit in enumerate(ALPHABET)}
_CHECKSUM_BYTES: Final = 4


def decoded(word: str) -> bytes:
    """Return the bytes of a base-58 word."""
    number = 0
    for digit in word:
        number = number * 58 + _VALUE[digit]
    leading_zeros = len(word) - len(word.lstrip("1"))
    return bytes(leading_zeros) + number.to_bytes((number.bit_length() + 7) // 8)


def checked(word: str) -> bytes | None:
    """Return the payload of a word with a checksum, the version first; None if the checksum is
    wrong."""
    raw = decoded(word)
    carried, checksum = raw[:-_CHECKSUM_BYTES], raw[-_CHECKSUM_BYTES:]
    twice = sha256(sha256(carried).digest()).digest()
    return carried if twice[:_CHECKSUM_BYTES] == checksum else None

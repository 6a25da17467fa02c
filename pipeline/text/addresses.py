"""Which words are wallet or contract addresses."""

import re
from typing import Final

SHORTEST_ADDRESS: Final = 32

_EVM: Final = re.compile(r"0x[0-9a-fA-F]{40}", re.ASCII)
_BASE58: Final = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_SOLANA: Final = re.compile(rf"[{_BASE58}]{{32,44}}")
_VALUE: Final = {digit: value for value, digit in enumerate(_BASE58)}


def read_address(word: str) -> str | None:
    """Return the address a word is, in its canonical form; None if it is none.

    Returns:
        An EVM address in lower case, a Solana address as written. Transaction hashes (0x and
        64 digits; 87 or 88 base-58 characters), digests and identifiers are none.
    """
    if _EVM.fullmatch(word):
        return word.lower()
    return word if _is_solana(word) else None


def _is_solana(word: str) -> bool:
    """A public key is 32 bytes, and a random one mixes all three kinds of characters."""
    mixed = not (word.isupper() or word.islower() or word.isalpha())
    return mixed and _SOLANA.fullmatch(word) is not None and _decoded_size(word) == 32


def _decoded_size(word: str) -> int:
    number = 0
    for digit in word:
        number = number * 58 + _VALUE[digit]
    leading_zeros = len(word) - len(word.lstrip("1"))
    return leading_zeros + (number.bit_length() + 7) // 8

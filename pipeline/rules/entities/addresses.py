"""Recognise wallet and contract addresses."""

import re
from typing import Final

from afterword.pipeline.expression import expression
from afterword.pipeline.rules.text import base58

SHORTEST_ADDRESS: Final = 32

_EVM: Final = expression(r"0x[0-9a-fA-F]{40}", re.ASCII)
_SOLANA: Final = expression(rf"[{base58.ALPHABET}]{{32,44}}")


def read_address(word: str) -> str | None:
    """Return the address of a word in canonical form; None if it is not an address.

    Returns:
        An EVM address in lower case, a Solana address as written. Transaction hashes (0x and 64
        digits; 87 or 88 base-58 characters), digests and identifiers are not addresses.
    """
    if _EVM.fullmatch(word):
        return word.lower()
    return word if _is_solana(word) else None


def _is_solana(word: str) -> bool:
    """Return whether a word is 32 bytes and mixes letters of both cases and digits."""
    mixed = not (word.isupper() or word.islower() or word.isalpha())
    return mixed and _SOLANA.fullmatch(word) is not None and len(base58.decoded(word)) == 32

"""Which words are wallet or contract addresses."""

import re
from typing import Final

from afterword.pipeline.rules.text import base58

SHORTEST_ADDRESS: Final = 32

_EVM: Final = re.compile(r"0x[0-9a-fA-F]{40}", re.ASCII)
_SOLANA: Final = re.compile(rf"[{base58.ALPHABET}]{{32,44}}")


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
    return mixed and _SOLANA.fullmatch(word) is not None and len(base58.decoded(word)) == 32

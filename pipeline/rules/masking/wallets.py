"""Wallet keys that can be verified: by a checksum, or by the public half they contain."""

from base64 import b32decode, urlsafe_b64decode
from binascii import crc_hqx
from collections.abc import Iterator, Sequence
from typing import Final

from afterword.pipeline.expression import expression
from afterword.pipeline.rules.masking.finding import Secret
from afterword.pipeline.rules.text import base58

_SHORTEST: Final = 29
_WORD: Final = expression(rf"(?<![A-Za-z0-9])[{base58.ALPHABET}]{{29,}}+(?![A-Za-z0-9])")
_EXTENDED: Final = expression(rf"(?<![A-Za-z0-9])[xyztuvYZUV]prv[{base58.ALPHABET}]{{40,}}+")
_HEX: Final = expression(r"(?<![0-9A-Za-z])(?:0x)?([0-9a-fA-F]{128})(?![0-9A-Za-z])")
_BASE64: Final = expression(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{86}==")
_BYTES: Final = expression(
    r"(?<![\d.,-])\d{1,3}(?:\s{0,8},\s{0,8}\d{1,3}){63}(?![\d.])(?!\s{0,8},\s{0,8}\d)"
)
_URL_SAFE: Final = str.maketrans("+/", "-_")
_STELLAR: Final = expression(r"(?<![A-Za-z0-9])S[A-D][A-Z2-7]{54}(?![A-Za-z0-9])")
_STELLAR_SEED: Final = 18 << 3
_RIPPLE: Final = str.maketrans(
    "rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz", base58.ALPHABET
)
_PAIR_BYTES: Final = 64
KEY_PAIR_COMMAS: Final = _PAIR_BYTES - 1
"""Number of commas in a key pair written as numbers."""
_BIP38: Final = (b"\x01\x42", b"\x01\x43")
_EXTENDED_BYTES: Final = 78
_EXTENDED_KEY_AT: Final = 45
_TEZOS_PREFIXES: Final = ("edsk", "spsk", "p2sk", "edesk")


def find(text: str, longest: int) -> Iterator[Secret]:
    """Yield the keys among decodable words; addresses, public keys and signatures are skipped.

    Args:
        longest: length of the longest word of the text; characters.
    """
    if longest >= _SHORTEST:
        yield from _base58(text)
    if longest >= 56 and "S" in text:
        yield from _stellar(text)
    if longest >= 88:
        yield from _key_pairs(text)


def find_byte_arrays(text: str) -> Iterator[Secret]:
    """Yield key pairs written as 64 numbers with commas between them."""
    for match in _BYTES.finditer(text):
        if is_byte_array([int(number) for number in match[0].split(",")]):
            yield Secret(match.start(), match.end(), "solana-key")


def is_byte_array(numbers: Sequence[object]) -> bool:
    """Return whether numbers are the bytes of a key pair."""
    if len(numbers) != _PAIR_BYTES:
        return False
    values = [number for number in numbers if type(number) is int and 0 <= number <= 255]
    return len(values) == _PAIR_BYTES and is_key_pair(bytes(values))


def is_key_pair(raw: bytes) -> bool:
    """Return whether the second half of 64 bytes is the Ed25519 public key of the first half."""
    if len(raw) != _PAIR_BYTES:
        return False
    # Loaded at the first candidate: it takes 8 ms, and most texts have none.
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    private = Ed25519PrivateKey.from_private_bytes(raw[:32])
    return private.public_key().public_bytes_raw() == raw[32:]


def _base58(text: str) -> Iterator[Secret]:
    for match in _WORD.finditer(text):
        kind = _kind(match[0])
        if kind:
            yield Secret(match.start(), match.end(), kind)
    if "prv" in text:
        for match in _EXTENDED.finditer(text):  # cut off, but still recognised by its prefix
            yield Secret(match.start(), match.end(), "extended-key")


def _stellar(text: str) -> Iterator[Secret]:
    for match in _STELLAR.finditer(text):
        raw = b32decode(match[0])
        checksum = crc_hqx(raw[:-2], 0).to_bytes(2, "little")
        if raw[0] == _STELLAR_SEED and raw[-2:] == checksum:
            yield Secret(match.start(), match.end(), "stellar-key")


def _key_pairs(text: str) -> Iterator[Secret]:
    for match in _HEX.finditer(text):
        if is_key_pair(bytes.fromhex(match[1])):
            yield Secret(match.start(), match.end(), "ed25519-key")
    for match in _BASE64.finditer(text):
        if is_key_pair(urlsafe_b64decode(match[0].translate(_URL_SAFE))):
            yield Secret(match.start(), match.end(), "ed25519-key")


def _kind(word: str) -> str | None:
    size = len(word)
    if 85 <= size <= 88:
        return "solana-key" if is_key_pair(base58.decoded(word)) else None
    if size in {29, 31} and word[0] == "s":
        carried = base58.checked(word.translate(_RIPPLE))
        return "xrp-seed" if carried and len(carried) in {17, 19} else None
    if size in {51, 52}:
        carried = base58.checked(word)
        return "wif-key" if carried and len(carried) in {33, 34} else None
    if size == 58 and word.startswith("6P"):
        carried = base58.checked(word)
        return "bip38-key" if carried and carried.startswith(_BIP38) else None
    if word.startswith(_TEZOS_PREFIXES):
        return "tezos-key" if size < 120 and base58.checked(word) else None
    if 107 <= size <= 113:
        carried = base58.checked(word)
        is_private = carried and len(carried) == _EXTENDED_BYTES and not carried[_EXTENDED_KEY_AT]
        return "extended-key" if is_private else None
    return None

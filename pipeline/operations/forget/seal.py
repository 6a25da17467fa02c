"""Seal texts so that only the key can open or recognise them."""

import hmac
import secrets
from hashlib import sha256, shake_256
from typing import Final

from afterword.pipeline.errors import CorruptStoreError

_NONCE: Final = 16
_TAG: Final = 32


def digest(key: bytes, text: str) -> str:
    """Return the digest of a text for the audit log; without the key it reveals nothing.

    Returns:
        HMAC-SHA256, hexadecimal.
    """
    return hmac.digest(_part(key, "digest"), text.encode(), "sha256").hex()


def seal(key: bytes, plain: bytes) -> bytes:
    """Encrypt and authenticate bytes with the key.

    The bytes are mixed with a stream of SHAKE-256 over key and nonce, then signed with HMAC-SHA256
    (encrypt, then authenticate). Each nonce is used once.
    """
    nonce = secrets.token_bytes(_NONCE)
    hidden = _mixed(key, nonce, plain)
    return nonce + hidden + _tag(key, nonce + hidden)


def unseal(key: bytes, sealed: bytes) -> bytes:
    """Return the bytes that were sealed.

    Raises:
        CorruptStoreError: another key sealed them, or they were changed.
    """
    body, tag = sealed[:-_TAG], sealed[-_TAG:]
    if not hmac.compare_digest(_tag(key, body), tag):
        raise CorruptStoreError(
            "an erasure was sealed with another key than keys/hmac.key; restore that key, or "
            "forget the same content again"
        )
    return _mixed(key, body[:_NONCE], body[_NONCE:])


def _mixed(key: bytes, nonce: bytes, given: bytes) -> bytes:
    stream = shake_256(_part(key, "seal") + nonce).digest(len(given))
    mixed = int.from_bytes(given) ^ int.from_bytes(stream)
    return mixed.to_bytes(len(given))


def _tag(key: bytes, body: bytes) -> bytes:
    return hmac.digest(_part(key, "tag"), body, "sha256")


def _part(key: bytes, use: str) -> bytes:
    """Return a key for one purpose."""
    return sha256(key + b"afterword forget " + use.encode()).digest()

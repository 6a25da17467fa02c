"""Words only the holder of the key can read or recognise."""

import hmac
import secrets
from hashlib import sha256, shake_256
from typing import Final

from afterword.pipeline.errors import CorruptStoreError

_NONCE: Final = 16
_TAG: Final = 32


def digest(key: bytes, text: str) -> str:
    """Return what the audit log keeps of a text: the same for the same text, nothing without key.

    Returns:
        HMAC-SHA256, hexadecimal.
    """
    return hmac.digest(_part(key, "digest"), text.encode(), "sha256").hex()


def seal(key: bytes, plain: bytes) -> bytes:
    """Return bytes that only the key opens again.

    A stream of SHAKE-256 over key and nonce, then HMAC-SHA256 over all of it (encrypt, then
    authenticate); each nonce is used once.
    """
    nonce = secrets.token_bytes(_NONCE)
    hidden = _mixed(key, nonce, plain)
    return nonce + hidden + _tag(key, nonce + hidden)


def unseal(key: bytes, sealed: bytes) -> bytes:
    """Return what was sealed.

    Raises:
        CorruptStoreError: another key sealed it, or it was changed.
    """
    body, tag = sealed[:-_TAG], sealed[-_TAG:]
    if not hmac.compare_digest(_tag(key, body), tag):
        raise CorruptStoreError(
            "an erasure was sealed with another key than keys/hmac.key; put that key back, "
            "or forget the same again"
        )
    return _mixed(key, body[:_NONCE], body[_NONCE:])


def _mixed(key: bytes, nonce: bytes, given: bytes) -> bytes:
    stream = shake_256(_part(key, "seal") + nonce).digest(len(given))
    mixed = int.from_bytes(given) ^ int.from_bytes(stream)
    return mixed.to_bytes(len(given))


def _tag(key: bytes, body: bytes) -> bytes:
    return hmac.digest(_part(key, "tag"), body, "sha256")


def _part(key: bytes, use: str) -> bytes:
    """Return a key for one use only."""
    return sha256(key + b"afterword forget " + use.encode()).digest()

"""The keys of a chain and its digests: who has no key can make none."""

import hmac
import struct
from hashlib import blake2b
from marshal import dumps
from typing import Final

DIGEST_BYTES: Final = 16
"""Length of a row's digest; bytes."""

LINK_BYTES: Final = 32
"""Length of a link; bytes."""

ABSENT: Final = bytes(DIGEST_BYTES)
"""The digest of a row that is not there."""

CellValue = int | float | str | bytes | None
"""What a column holds, as SQLite gives it."""

_BY_VALUE: Final = 0
"""The first format of `marshal`: its bytes depend on the values and their types alone. A test holds
it to known digests; it takes a sixth of the time of `repr`."""

_HEADER: Final = struct.Struct("<qq")


class ChainKey:
    """The keys of one chain, derived from the secret of the installation.

    Args:
        secret: of the installation; see `afterword.pipeline.core.store.key`.
        purpose: what the chain is about, such as the group's name.
    """

    def __init__(self, secret: bytes, purpose: str) -> None:
        self._rows = _derived(secret, f"rows of {purpose}")
        self._links = _derived(secret, f"links of {purpose}")
        self.id: Final = _derived(secret, f"id of {purpose}")[:8].hex()
        """What the chain's first block says of its key, so that another key is told at once."""

    def row(self, cells: tuple[CellValue, ...]) -> bytes:
        """Return the digest of a row.

        Args:
            cells: the number of its table, and its covered columns as SQLite gives them.
        """
        told = dumps(cells, _BY_VALUE)
        return blake2b(told, key=self._rows, digest_size=DIGEST_BYTES).digest()

    def link(self, before: bytes, number: int, at: int, *parts: bytes) -> bytes:
        """Return the link of a block or an anchor.

        Args:
            before: the link before it; empty at the first.
            number: its number in the chain.
            at: when it was written; microseconds since 1970.
            parts: what it holds.
        """
        lengths = struct.pack(f"<{len(parts)}q", *map(len, parts))
        told = b"".join((before, _HEADER.pack(number, at), lengths, *parts))
        return blake2b(told, key=self._links, digest_size=LINK_BYTES).digest()


def row_digest(*key: CellValue) -> int:
    """Return the number that names a row by its key, in a table without ids."""
    told = blake2b(dumps(key, _BY_VALUE), digest_size=8).digest()
    return int.from_bytes(told, "little", signed=True)


def _derived(secret: bytes, purpose: str) -> bytes:
    return hmac.digest(secret, f"afterword chain: {purpose}".encode(), "sha256")

"""A write of a client, as the network door asks for it."""

from dataclasses import dataclass
from typing import Final

MAX_IDEMPOTENCY_KEY: Final = 255
"""Length limit of an Idempotency-Key; characters."""

KEPT_S: Final = 86_400
"""How long the answer to a key is kept; seconds. A client repeats within minutes."""


@dataclass(frozen=True, slots=True)
class ClientWrite:
    """One request that writes.

    Args:
        token_id: of the token that asks.
        key: its Idempotency-Key; None where the client gave none.
        request: digest of what is asked, so that a key of another request is noticed.
        most: writes of the token on one UTC day at most; None for no limit.
    """

    token_id: int
    key: str | None
    request: str
    most: int | None

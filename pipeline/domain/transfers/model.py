"""One update of an account's ledger."""

import hashlib
from decimal import Decimal
from typing import Final, NamedTuple

DOLLAR: Final = "USDC"
"""The dollar that Hyperliquid accounts in."""


class LedgerEffect(NamedTuple):
    """What an update does to an account; amounts are exact, and negative went out.

    Args:
        usdc: what became of its dollars, the fee taken off; 0 for a move inside the account.
        fee: the dollars of it that somebody kept.
        token, amount: another token that moved, and how much of it; None where none did.
        other_party: the address or the vault on the other side; None where there is none.
    """

    usdc: Decimal
    fee: Decimal = Decimal(0)
    token: str | None = None
    amount: Decimal | None = None
    other_party: str | None = None


class LedgerTransfer(NamedTuple):
    """One update of the ledger that is no funding, as it is stored.

    Args:
        time_ms: UTC milliseconds.
        kind: the venue's word for it, such as `deposit`.
        hash: of the transaction; one transaction may hold several updates.
        usdc: as in `LedgerEffect`; None for an update of which the effect is not known.
        raw: the row as compact JSON text.
        occurrence: how many equal updates of its moment come before it; count.
    """

    time_ms: int
    kind: str
    hash: str
    usdc: Decimal | None
    fee: Decimal
    token: str | None
    amount: Decimal | None
    other_party: str | None
    raw: str
    occurrence: int = 0

    @property
    def transfer_uid(self) -> str:
        """Name the update inside its account, by all that the venue says of it."""
        parts = (str(self.time_ms), self.hash, self.raw, str(self.occurrence))
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]

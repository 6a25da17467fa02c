"""What a wallet did on a chain: one side given, one side got, and what it was worth."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Final, Literal, NamedTuple

SpotType = Literal["swap", "transfer"]
"""A swap gives one token for another; a transfer brings or takes one."""

SpotStatus = Literal["confirmed", "failed"]
"""Whether a transaction took effect; one that failed moved nothing, but may have cost gas."""

ValueBasis = Literal["stable_leg", "price"]
"""What a value in dollars is based on: a side in a dollar token, or a price known at the moment."""

ETHEREUM: Final = "ethereum"


@dataclass(frozen=True, slots=True)
class SpotActivity:
    """One leg of a transaction, as a file reports it; R1's `external_spot_activities`.

    Args:
        account: the wallet's name inside this store.
        chain: in small letters: `ethereum`, `arbitrum`.
        from_token, from_amount: what was given, exact; None for what only came.
        to_token, to_amount: what was got, exact; None for what only left.
        gas: what the transaction cost, in the coin of the chain; None if nobody says.
        raw: the row as compact JSON text.
        line: of the file; not stored.
    """

    account: str
    chain: str
    tx_hash: str
    time_ms: int
    type: SpotType
    from_token: str | None
    from_amount: Decimal | None
    to_token: str | None
    to_amount: Decimal | None
    gas: Decimal | None
    status: SpotStatus
    raw: str
    line: int = 0

    @property
    def content(self) -> tuple[object, ...]:
        """Return what tells the legs of one transaction apart."""
        sides = (self.from_token, self.from_amount, self.to_token, self.to_amount)
        return (self.type, *sides)

    @property
    def sides(self) -> tuple[tuple[str, Decimal], ...]:
        """Return the sides that it has as (token, amount), what was given first."""
        pairs = ((self.from_token, self.from_amount), (self.to_token, self.to_amount))
        return tuple(
            (token, amount) for token, amount in pairs if token is not None and amount is not None
        )


class SpotValue(NamedTuple):
    """What an activity was worth.

    Args:
        usd: exact.
        price_token, price, price_at: dollars of one unit, and when the bar with this close ended;
            None where a side is in dollars.
    """

    usd: Decimal
    basis: ValueBasis
    price_token: str | None = None
    price: Decimal | None = None
    price_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class StoredActivity:
    """An activity as it is stored.

    Args:
        leg: its number among those of its transaction, in the order in which they became known.
        value: None where no dollars are known.
    """

    activity: SpotActivity
    leg: int
    value: SpotValue | None = None


@dataclass(frozen=True, slots=True)
class SpotCounts:
    """What an import of activities did; counts.

    Args:
        known: activities that were here before, or came twice.
        priced: activities that got dollars by a stored price, those of earlier imports among them.
    """

    new: int = 0
    known: int = 0
    priced: int = 0

"""An address that can hold trades, or why it cannot."""

from afterword.pipeline.domain.accounts.ask import role_of
from afterword.pipeline.domain.accounts.model import TradingRole
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.venue.info import VenueInfo


def trading_role(venue: VenueInfo, address: str) -> TradingRole:
    """Return what the venue says of an address that can hold trades.

    A wrong address answers every other question with an empty list, so this is asked first.

    Raises:
        InvalidInputError: the venue never saw the address, or it only signs for another one.
        UnavailableError: the venue gave no usable reply.
    """
    address_role = role_of(venue, address)
    if address_role.role == "agent":
        problem = "must hold the trades itself, and this one only signs for another address"
        raise InvalidInputError(
            "address", problem, f"the address it signs for: {address_role.master}"
        )
    if address_role.role == "missing":
        problem = "must be known to Hyperliquid, and it never saw this one"
        raise InvalidInputError("address", problem, "an address that has traded or deposited there")
    return TradingRole(address_role.role, address_role.master)

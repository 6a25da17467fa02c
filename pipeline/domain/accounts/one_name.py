"""One address under one name: else its trades would count twice, or be mixed with another's."""

from sqlalchemy import Connection

from afterword.pipeline.domain.accounts import rows
from afterword.pipeline.domain.accounts.model import VENUE
from afterword.pipeline.domain.fills.rows import other_name_of, wallet_of
from afterword.pipeline.errors import InvalidInputError


def check_one_name(conn: Connection, name: str, address: str, venue: str = VENUE) -> None:
    """Refuse a name for the trades of an address, if one of the two is in use otherwise.

    Trades stay when their account is removed, so they are looked at, too.

    Raises:
        InvalidInputError: the name has the trades of another address, or the address another name.
    """
    owner, same_address = rows.named(conn, name), rows.at_address(conn, venue, address)
    taken = wallet_of(conn, name) or (owner and owner.kind == "own" and owner.address)
    if taken and taken != address:
        raise InvalidInputError("account", f"must be new, and {name} is of {taken}", "another name")
    is_named = same_address is not None and same_address.kind == "own"
    known = same_address.name if same_address is not None and is_named else None
    other = known if known not in (None, name) else other_name_of(conn, address, name)
    if other is not None:
        problem = f"must be {other}: the trades of this address are kept under that name"
        remedy = f"{other}; or afterword forget --subject {address} --trades, which erases them"
        raise InvalidInputError("account", problem, remedy)

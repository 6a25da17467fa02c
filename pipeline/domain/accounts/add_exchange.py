"""Add an account at an exchange, once the venue has said whose its key is."""

import re
from collections.abc import Sequence
from contextlib import closing
from typing import Final

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.accounts import rows
from afterword.pipeline.domain.accounts.add import known_account
from afterword.pipeline.domain.accounts.checks import checked_name
from afterword.pipeline.domain.accounts.model import Account, AccountRole, AddedAccount
from afterword.pipeline.domain.memory.audit_log import ChangedRow, record
from afterword.pipeline.domain.memory.model import Actor
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.exchanges.binance import check_markets
from afterword.pipeline.gateway.exchanges.build import Exchanges
from afterword.pipeline.gateway.exchanges.model import ExchangeVenue, exchange_named
from afterword.pipeline.gateway.exchanges.rights import KeyHolder

_MARKET: Final = re.compile(r"[A-Z0-9]{1,20}/[A-Z0-9]{2,10}")
MOST_NAMED_MARKETS: Final = 200
"""Each is one request more in every run."""


def add_exchange_account(
    store: Store,
    exchanges: Exchanges,
    venue_name: str,
    name: str,
    markets: Sequence[str],
    clock: Clock,
    actor: Actor = "owner",
) -> AddedAccount:
    """Add an own account at an exchange; the same one again changes nothing.

    Nothing of its key is stored: the venue tells the number of the account, and that is its
    address here. So a second key of an account is the same account.

    Args:
        markets: spot markets, such as `BTC/USDT`, where the venue tells of one at a time.

    Raises:
        InvalidInputError: a bad name, venue or market; a name or an account that is taken; no key,
            or one that may do more than read.
        UnavailableError: the venue gave no usable reply; nothing was added.
    """
    venue, name = exchange_named(venue_name), checked_name(name)
    named = _checked_markets(venue, markets)
    opened = exchanges.open(venue.name, name, named)
    with closing(opened.client):
        if named:
            check_markets(opened.client, named)
    address = address_of(venue.name, opened.holder)
    master = opened.holder.master
    with reading(store) as conn:
        known = known_account(conn, name, address, "own", venue.name)
    if known is not None:
        return AddedAccount(_with_markets(known, named), is_new=False)
    with writing(store) as conn:
        # Another process may have added it since.
        known = known_account(conn, name, address, "own", venue.name)
        if known is not None:
            return AddedAccount(_with_markets(known, named), is_new=False)
        now = clock()
        role: AccountRole = "user" if master is None else "subAccount"
        account = Account(name, venue.name, address, "own", role, master, now, markets=tuple(named))
        row_id = rows.insert(conn, account)
        record(conn, now, actor, "account.add", "accounts", [ChangedRow(row_id)])
    return AddedAccount(account, is_new=True)


def address_of(venue: str, holder: KeyHolder) -> str:
    """Return the address of the account of a key: its venue, and the number it has there."""
    return f"{venue}:{holder.uid.lower()}"


def _checked_markets(venue: ExchangeVenue, markets: Sequence[str]) -> list[str]:
    named = list(dict.fromkeys(market.strip().upper() for market in markets))
    if named and not venue.names_markets:
        problem = f"must not be named for {venue.title}, which tells the trades of all of them"
        raise InvalidInputError("market", problem, "no --market")
    for market in named:
        if not _MARKET.fullmatch(market):
            raise InvalidInputError("market", f"is {market!a:.40}", "such as BTC/USDT")
    if len(named) > MOST_NAMED_MARKETS:
        raise InvalidInputError(
            "market", f"is given {len(named)} times", f"{MOST_NAMED_MARKETS} at most"
        )
    return named


def _with_markets(known: Account, markets: Sequence[str]) -> Account:
    """Return a known account, unless it is asked for other markets.

    A mirror goes on from its newest row: what was traded in a new market before would be missing.
    """
    if set(known.markets) != set(markets):
        problem = f"must be those of the account: {', '.join(known.markets) or 'none'}"
        remedy = f"afterword account rm {known.name}, and add it again: all is asked for anew"
        raise InvalidInputError("market", problem, remedy)
    return known

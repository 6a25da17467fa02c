"""The way to what the venue of an account tells."""

from typing import Final

from afterword.pipeline.domain.accounts.model import VENUE, Account
from afterword.pipeline.domain.sync.account_history import AccountHistory
from afterword.pipeline.domain.sync.exchange_history import ExchangeHistory
from afterword.pipeline.domain.sync.hyperliquid_history import HyperliquidHistory
from afterword.pipeline.domain.sync.turn import SyncSource
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.exchanges.build import Exchanges
from afterword.pipeline.gateway.exchanges.model import COVERED_EXCHANGES
from afterword.pipeline.gateway.venue.info import VenueInfo

_ALL: Final[tuple[SyncSource, ...]] = ("funding", "perps_fills")


def open_history(info: VenueInfo, exchanges: Exchanges | None, account: Account) -> AccountHistory:
    """Return the history of an account; close it when done.

    Args:
        exchanges: None where nobody asks exchanges.

    Raises: see `ExchangeHistory`.
    """
    if account.venue == VENUE:
        return HyperliquidHistory(info, account)
    if exchanges is None:
        raise InvalidInputError("venue", "is asked by no part of this process", VENUE)
    return ExchangeHistory(exchanges, account)


def sources_of(account: Account) -> tuple[SyncSource, ...]:
    """Return what the venue of an account tells, in the order in which it is mirrored."""
    venue = COVERED_EXCHANGES.get(account.venue)
    return _ALL if venue is None or venue.has_funding else ("perps_fills",)

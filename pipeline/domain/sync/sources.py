"""What is mirrored of an account: what its venue tells."""

from collections.abc import Sequence
from typing import Final

from afterword.pipeline.domain.accounts.model import VENUE, Account
from afterword.pipeline.domain.sync.exchange_mirror import (
    mirror_exchange_fills,
    mirror_exchange_funding,
)
from afterword.pipeline.domain.sync.mirror import HYPERLIQUID_MIRRORS, Mirror
from afterword.pipeline.domain.sync.turn import SyncSource
from afterword.pipeline.gateway.exchanges.model import exchange_named

_FUNDING: Final[tuple[SyncSource, Mirror]] = ("funding", mirror_exchange_funding)
_FILLS: Final[tuple[SyncSource, Mirror]] = ("perps_fills", mirror_exchange_fills)


def mirrors_of(account: Account) -> Sequence[tuple[SyncSource, Mirror]]:
    """Return the mirrors of an account, in the order in which they run: fills derive the trips."""
    if account.venue == VENUE:
        return HYPERLIQUID_MIRRORS
    return (_FUNDING, _FILLS) if exchange_named(account.venue).has_funding else (_FILLS,)

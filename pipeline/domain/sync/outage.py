"""Tell an outage of a venue from an account that it cannot answer for."""

from typing import Final

from afterword.pipeline.domain.accounts.model import VENUE
from afterword.pipeline.domain.sync.mirror import MirrorParts
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.venue.info import VenueInfo
from afterword.pipeline.gateway.venue.model import InfoRequest

_ABOUT_NOBODY: Final = InfoRequest("exchangeStatus", {}, 1)


def check_venue(parts: MirrorParts, info: VenueInfo, venue: str) -> None:
    """Ask a venue a light question about nobody.

    Its answer also keeps the circuit closed: failures of one account in a row would open it for
    all of them.

    Args:
        info: Hyperliquid's.

    Raises:
        UnavailableError, PostponedError: the venue answers nothing now.
    """
    try:
        if venue == VENUE:
            info.ask(_ABOUT_NOBODY)
        elif parts.exchanges is not None:
            parts.exchanges.check(venue)
    except InvalidInputError:
        return  # a refusal is an answer, too; what is wrong here is told for each account

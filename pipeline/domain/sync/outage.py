"""Tell an outage of the venue from an account that it cannot answer for."""

from typing import Final

from afterword.pipeline.gateway.http.model import RefusedError
from afterword.pipeline.gateway.venue.info import VenueInfo
from afterword.pipeline.gateway.venue.model import InfoRequest

_ABOUT_NOBODY: Final = InfoRequest("exchangeStatus", {}, 1)


def check_venue(info: VenueInfo) -> None:
    """Ask a light question about nobody.

    Its answer also keeps the circuit closed: failures of one account in a row would open it for
    all of them.

    Raises:
        UnavailableError, PostponedError: the venue answers nothing now.
    """
    try:
        info.ask(_ABOUT_NOBODY)
    except RefusedError:
        return  # an answer, too

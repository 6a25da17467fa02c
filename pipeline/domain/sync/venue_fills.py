"""The fills that Hyperliquid hands out of an address, page by page."""

from collections.abc import Hashable, Iterator
from typing import Any, Final

from afterword.pipeline.domain.sync.pages import VenuePage, VenueRow, read_pages
from afterword.pipeline.gateway.venue.info import VenueInfo
from afterword.pipeline.gateway.venue.model import InfoRequest

PAGE_FILLS: Final = 2_000
"""Fills of a full page. Source: Hyperliquid docs, "Retrieve a user's fills by time"."""

REACHABLE_FILLS: Final = 10_000
"""The newest fills of an address that any request reaches; the same source. What is older is only
in an export of its owner."""


def read_fills(venue: VenueInfo, address: str, start_ms: int, end_ms: int) -> Iterator[VenuePage]:
    """Yield the fills of a span of time, as the venue writes them; both ends are included.

    Raises:
        AskFailedError: no usable reply; see `HyperliquidInfo.ask` for the others.
    """

    def ask(from_ms: int, to_ms: int) -> Any:
        # Never aggregated: rows of one order would be summed under the id of one of them.
        fields = {"user": address, "startTime": from_ms, "endTime": to_ms}
        return venue.ask(InfoRequest("userFillsByTime", fields, PAGE_FILLS))

    return read_pages(ask, start_ms, end_ms, PAGE_FILLS, _name)


def _name(row: VenueRow) -> Hashable:
    """Return what tells a fill from the others of its moment; dust conversions have no id."""
    keys = ("tid", "oid", "coin", "side", "px", "sz", "startPosition")
    return tuple(str(row.get(key)) for key in keys)

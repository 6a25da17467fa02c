"""The funding that Hyperliquid booked for an address, page by page."""

from collections.abc import Hashable, Iterator
from typing import Any, Final

from afterword.pipeline.domain.sync.pages import VenuePage, VenueRow, read_pages
from afterword.pipeline.gateway.venue.info import VenueInfo
from afterword.pipeline.gateway.venue.model import InfoRequest

PAGE_PAYMENTS: Final = 500
"""Rows of a full page. Source: Hyperliquid docs, "Pagination"."""


def read_funding(venue: VenueInfo, address: str, start_ms: int, end_ms: int) -> Iterator[VenuePage]:
    """Yield the payments of a span of time, as the venue writes them; both ends are included.

    Raises:
        AskFailedError: no usable reply; see `HyperliquidInfo.ask` for the others.
    """

    def ask(from_ms: int, to_ms: int) -> Any:
        fields = {"user": address, "startTime": from_ms, "endTime": to_ms}
        return venue.ask(InfoRequest("userFunding", fields, PAGE_PAYMENTS))

    return read_pages(ask, start_ms, end_ms, PAGE_PAYMENTS, _name)


def _name(row: VenueRow) -> Hashable:
    """Return what tells a payment from the others of its moment: a market has one."""
    delta = row.get("delta")
    return str(delta.get("coin")) if isinstance(delta, dict) else None

"""The updates of an address's ledger that Hyperliquid hands out, page by page."""

import json
from collections import Counter
from collections.abc import Hashable, Iterator
from typing import Any, Final

from afterword.pipeline.domain.sync.pages import VenuePage, VenueRow, read_pages
from afterword.pipeline.domain.transfers.read import OCCURRENCE
from afterword.pipeline.gateway.venue.info import VenueInfo
from afterword.pipeline.gateway.venue.model import InfoRequest

PAGE_UPDATES: Final = 500
"""Rows of a full page. Source: Hyperliquid docs, "Pagination"."""


def read_ledger(venue: VenueInfo, address: str, start_ms: int, end_ms: int) -> Iterator[VenuePage]:
    """Yield the updates of a span of time, as the venue writes them; both ends are included.

    Raises:
        AskFailedError: no usable reply; see `HyperliquidInfo.ask` for the others.
    """

    def ask(from_ms: int, to_ms: int) -> Any:
        fields = {"user": address, "startTime": from_ms, "endTime": to_ms}
        request = InfoRequest("userNonFundingLedgerUpdates", fields, PAGE_UPDATES)
        return _counted(venue.ask(request))

    return read_pages(ask, start_ms, end_ms, PAGE_UPDATES, _name)


def _counted(reply: Any) -> Any:
    """Return the rows of a reply, each with the number of equal ones before it.

    A page begins with a whole moment, so an update has the same number on every page.
    """
    if not isinstance(reply, list) or not all(isinstance(row, dict) for row in reply):
        return reply
    seen: Counter[str] = Counter()
    rows = []
    for row in reply:
        text = json.dumps(row, sort_keys=True)
        rows.append({**row, OCCURRENCE: seen[text]})
        seen[text] += 1
    return rows


def _name(row: VenueRow) -> Hashable:
    """Return what tells an update from the others of its moment: all that it says.

    One transaction may hold several updates, so its hash is not enough.
    """
    return json.dumps(row, sort_keys=True)

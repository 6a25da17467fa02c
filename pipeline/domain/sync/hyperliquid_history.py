"""What Hyperliquid tells of an address."""

from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Final, TypeVar

from afterword.pipeline.domain.accounts.model import Account
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.funding.model import FundingPayment
from afterword.pipeline.domain.funding.read import payments_in
from afterword.pipeline.domain.history.files import FileMark
from afterword.pipeline.domain.sync.account_history import HistoryPart
from afterword.pipeline.domain.sync.pages import VenueRow
from afterword.pipeline.domain.sync.venue_fills import REACHABLE_FILLS, read_fills
from afterword.pipeline.domain.sync.venue_funding import read_funding
from afterword.pipeline.domain.venues.hyperliquid_api import parse_fills
from afterword.pipeline.gateway.http.model import RefusedError
from afterword.pipeline.gateway.venue.info import VenueInfo, read_json
from afterword.pipeline.gateway.venue.model import InfoRequest

_Value = TypeVar("_Value")

_MIRROR: Final = FileMark(
    sha256(b"mirror of hyperliquid").hexdigest(),
    "hyperliquid-fills",
    "the mirror of Hyperliquid",
    is_mirror=True,
)
"""Files of other layouts are compared with it: the page of the venue exports the same trades."""


class HyperliquidHistory:
    """Reads the history of an address by the info API; see `AccountHistory`."""

    def __init__(self, info: VenueInfo, account: Account) -> None:
        self._info, self._account = info, account
        self._has_answered = False

    @property
    def file(self) -> FileMark:
        """See `AccountHistory`."""
        return _MIRROR

    @property
    def has_answered(self) -> bool:
        """See `AccountHistory`."""
        return self._has_answered

    def ask(self, request: InfoRequest, read: Callable[[bytes], _Value] = read_json) -> _Value:
        """See `VenueInfo`."""
        try:
            reply = self._info.ask(request, read)
        except RefusedError:
            self._has_answered = True
            raise
        self._has_answered = True
        return reply

    def fills(self, start_ms: int, end_ms: int) -> Iterator[HistoryPart[Fill]]:
        """Yield the fills in one part: the venue hands out few enough of them.

        As many rows as it hands out at most may be the end of a longer history.
        """
        rows: list[VenueRow] = []
        full_ms: list[int] = []
        for page in read_fills(self, self._account.address, start_ms, end_ms):
            rows += page.rows
            full_ms += [] if page.full_at_ms is None else [page.full_at_ms]
        since_ms = rows[0]["time"] if len(rows) >= REACHABLE_FILLS else 0
        fills = parse_fills(list(rows), self._account.name, "fills")
        # By its newest row, not by our clock: that may be ahead of the venue's.
        yield HistoryPart(fills, _newest_ms(rows), full_ms, since_ms)

    def payments(self, start_ms: int, end_ms: int) -> Iterator[HistoryPart[FundingPayment]]:
        """Yield the payments in one part."""
        rows: list[VenueRow] = []
        for page in read_funding(self, self._account.address, start_ms, end_ms):
            rows += page.rows
        yield HistoryPart(payments_in(rows), _newest_ms(rows))

    def close(self) -> None:
        """Do nothing: the way to the venue serves every account."""


def _newest_ms(rows: list[VenueRow]) -> int | None:
    return max((row["time"] for row in rows), default=None)

"""What OKX tells of an account: spot, swaps and futures of the last three months."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from afterword.pipeline.gateway.exchanges.client import ExchangeClient
from afterword.pipeline.gateway.exchanges.model import (
    ExchangePayment,
    ExchangePayments,
    ExchangeTrades,
)
from afterword.pipeline.gateway.exchanges.windows import DAY_MS, spans

_PAGE: Final = 100
_WINDOW_MS: Final = 30 * DAY_MS
_REACH_MS: Final = 89 * DAY_MS
"""Fills and bills are told of the last 3 months. Source: OKX docs, "Get transaction details (last 3
months)" and "Get bills details (last 3 months)"."""

_TYPES: Final = ("SPOT", "SWAP", "FUTURES")
_FUNDING: Final = "8"


class OkxReader:
    """Reads OKX; see `ExchangeReader`."""

    def __init__(self, client: ExchangeClient) -> None:
        self._client = client

    @property
    def horizon_ms(self) -> int:
        """Return since when fills are told."""
        return self._client.now_ms() - _REACH_MS

    def trades(self, start_ms: int, end_ms: int) -> Iterator[ExchangeTrades]:
        """Yield the trades of a span of time."""
        for first, last in spans(max(start_ms, self.horizon_ms), end_ms, _WINDOW_MS):
            rows = [
                row
                for sort in _TYPES
                for row in self._listed(
                    "privateGetTradeFillsHistory", "instType", sort, first, last
                )
            ]
            upto_ms = min(last, self._client.now_ms())
            yield ExchangeTrades(tuple(self._client.unified(rows)), upto_ms)

    def payments(self, start_ms: int, end_ms: int) -> Iterator[ExchangePayments]:
        """Yield the payments of funding of a span of time; of an isolated position its own."""
        for first, last in spans(max(start_ms, self.horizon_ms), end_ms, _WINDOW_MS):
            bills = self._listed("privateGetAccountBillsArchive", "type", _FUNDING, first, last)
            payments = (
                ExchangePayment(bill["instId"], int(bill["ts"]), _amount(bill)) for bill in bills
            )
            yield ExchangePayments(tuple(payments), min(last, self._client.now_ms()))

    def _listed(
        self, endpoint: str, field: str, sort: str, start_ms: int, end_ms: int
    ) -> list[dict[str, Any]]:
        """Return all rows of a span, the oldest first; a page is asked for by the last one's ids.

        Whether the ends of a span are included the venue does not say, so it is asked a bit more.
        """
        asked = {field: sort, "begin": start_ms - 1, "end": end_ms + 1, "limit": _PAGE}
        rows: list[dict[str, Any]] = []
        while True:
            page = self._client.ask_rows(endpoint, asked, "data")
            rows += page
            if len(page) < _PAGE:
                return rows[::-1]
            asked |= {"after": min((row["billId"] for row in page), key=int)}


def _amount(bill: Mapping[str, Any]) -> str:
    """Return what a payment changed: the balance, or that of an isolated position."""
    change: str = bill["balChg"]
    return change if change.strip("-0.") else str(bill["posBalChg"])

"""What Bybit tells of a unified account: spot, and contracts that are paid in dollar coins.

ccxt's `fetch_my_trades` asks for executions of the type `Trade` only: liquidations would be left
out, and the positions that they closed stay open.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from afterword.pipeline.gateway.exchanges.client import ExchangeClient
from afterword.pipeline.gateway.exchanges.errors import unreadable
from afterword.pipeline.gateway.exchanges.model import (
    ExchangePayment,
    ExchangePayments,
    ExchangeTrades,
)
from afterword.pipeline.gateway.exchanges.windows import DAY_MS, spans

_PAGE: Final = 100
_WINDOW_MS: Final = 7 * DAY_MS
_REACH_MS: Final = 729 * DAY_MS
"""A request spans 7 days at most, of the last 2 years. Source: Bybit docs, "Get Trade History"."""

_MOVES: Final = frozenset({"Trade", "BustTrade", "AdlTrade", "BlockTrade"})
"""Executions that move a position; the others are funding and settlements."""


class BybitReader:
    """Reads Bybit; see `ExchangeReader`."""

    def __init__(self, client: ExchangeClient) -> None:
        self._client = client

    @property
    def horizon_ms(self) -> int:
        """Return since when executions are told."""
        return self._client.now_ms() - _REACH_MS

    def trades(self, start_ms: int, end_ms: int) -> Iterator[ExchangeTrades]:
        """Yield the trades of a span of time."""
        for first, last in spans(max(start_ms, self.horizon_ms), end_ms, _WINDOW_MS):
            rows = [
                row | {"category": category}
                for category in ("spot", "linear")
                for row in self._executions({"category": category}, first, last)
                if row["execType"] in _MOVES
            ]
            upto_ms = min(last, self._client.now_ms())
            yield ExchangeTrades(tuple(self._client.unified(rows)), upto_ms)

    def payments(self, start_ms: int, end_ms: int) -> Iterator[ExchangePayments]:
        """Yield the payments of funding of a span of time; the venue writes what was paid."""
        fields = {"category": "linear", "execType": "Funding"}
        for first, last in spans(max(start_ms, self.horizon_ms), end_ms, _WINDOW_MS):
            rows = self._executions(fields, first, last)
            payments = (
                ExchangePayment(
                    row["symbol"],
                    int(row["execTime"]),
                    _negated(row["execFee"]),
                    row.get("execQty") or None,
                    row.get("feeRate") or None,
                )
                for row in rows
            )
            yield ExchangePayments(tuple(payments), min(last, self._client.now_ms()))

    def _executions(
        self, fields: Mapping[str, str], start_ms: int, end_ms: int
    ) -> list[dict[str, Any]]:
        """Return all executions of a span, by the venue's cursor, each once, the oldest first."""
        asked = {**fields, "startTime": start_ms, "endTime": end_ms, "limit": _PAGE}
        rows: dict[str, dict[str, Any]] = {}
        cursors: set[str] = set()
        while True:
            result = self._client.ask("privateGetV5ExecutionList", asked)["result"]
            rows.update((row["execId"], row) for row in result["list"])
            cursor = result["nextPageCursor"]
            if not cursor or not result["list"]:
                return list(rows.values())[::-1]
            if cursor in cursors:  # it would never end
                raise unreadable(self._client.venue)
            cursors.add(cursor)
            asked |= {"cursor": cursor}


def _negated(text: str) -> str:
    return text[1:] if text.startswith("-") else f"-{text}"

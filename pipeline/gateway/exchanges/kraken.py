"""What Kraken tells of an account: all trades, spot and on margin, 50 a page.

ccxt's `fetch_my_trades` returns one page and hides how many there are.
"""

from collections.abc import Iterator
from typing import Any, Final

from afterword.pipeline.gateway.exchanges.client import ExchangeClient
from afterword.pipeline.gateway.exchanges.errors import unreadable
from afterword.pipeline.gateway.exchanges.model import ExchangePayments, ExchangeTrades
from afterword.pipeline.gateway.http.model import AskFailedError

_AT_ONCE: Final = 500
"""Trades that are read before they are stored; the venue lets a key ask about once in 2 seconds."""

_SECOND_MS: Final = 1_000


class KrakenReader:
    """Reads Kraken; see `ExchangeReader`."""

    def __init__(self, client: ExchangeClient) -> None:
        self._client = client

    @property
    def horizon_ms(self) -> int:
        """Return 0: all trades are told."""
        return 0

    def trades(self, start_ms: int, end_ms: int) -> Iterator[ExchangeTrades]:
        """Yield the trades of a span of time, halved until one has few of them."""
        todo = [(start_ms, min(end_ms, self._client.now_ms()))]
        while todo:
            first, last = todo.pop()
            page, count = self._page(first, last, 0)
            if count > _AT_ONCE and last - first > 2 * _SECOND_MS:
                middle = (first + last) // 2
                todo += [(middle, last), (first, middle)]
                continue
            rows = dict(page)
            while page and len(rows) < count:
                page, count = self._page(first, last, len(rows))
                rows.update(page)
            if len(rows) != count:
                raise AskFailedError(
                    f"Kraken tells of {count} trades and sent {len(rows)}; try again later"
                )
            named = [row | {"id": name} for name, row in reversed(rows.items())]
            yield ExchangeTrades(tuple(self._client.unified(named)), last)

    def payments(self, start_ms: int, end_ms: int) -> Iterator[ExchangePayments]:  # noqa: ARG002
        """Yield nothing: the venue has no funding here."""
        yield from ()

    def _page(
        self, start_ms: int, end_ms: int, offset: int
    ) -> tuple[dict[str, dict[str, Any]], int]:
        """Return trades by their ids, and how many the span has; it counts in whole seconds.

        The venue leaves the first second of a span out.
        """
        span = {
            "start": max(0, start_ms // _SECOND_MS - 1),
            "end": end_ms // _SECOND_MS + 1,
            "ofs": offset,
        }
        result = self._client.ask("privatePostTradesHistory", span)["result"]
        trades: dict[str, dict[str, Any]] = result["trades"]
        if type(result["count"]) is not int or not isinstance(trades, dict):
            raise unreadable(self._client.venue)
        return trades, result["count"]

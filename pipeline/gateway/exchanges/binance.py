"""What Binance tells of an account: futures paid in dollar coins, and the spot markets named.

It tells trades of one market at a time. Which futures were traded, its list of income says; which
spot markets, nothing does, so their owner names them.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from afterword.pipeline.gateway.exchanges.client import ExchangeClient
from afterword.pipeline.gateway.exchanges.model import (
    ExchangePayment,
    ExchangePayments,
    ExchangeTrades,
)
from afterword.pipeline.gateway.exchanges.windows import DAY_MS, read_span, spans

_PAGE: Final = 1_000
_WINDOW_MS: Final = 7 * DAY_MS
_INCOME_MS: Final = 89 * DAY_MS
"""A request for trades spans 7 days at most, and income is told of the last 3 months. Source:
Binance docs, "Account Trade List" and "Get Income History" of USDⓈ-M futures."""

_NEAR_MS: Final = 60_000
"""A trade and its income are booked within this time; milliseconds."""

_Row = Mapping[str, Any]


class BinanceReader:
    """Reads Binance; see `ExchangeReader`.

    Args:
        markets: spot markets, such as `BTC/USDT`.
    """

    def __init__(self, client: ExchangeClient, markets: Sequence[str]) -> None:
        self._client, self._markets = client, markets

    @property
    def horizon_ms(self) -> int:
        """Return since when futures are told; spot markets are told from their first trade on."""
        return self._client.now_ms() - _INCOME_MS

    def trades(self, start_ms: int, end_ms: int) -> Iterator[ExchangeTrades]:
        """Yield the trades of a span of time."""
        income, full_income = self._income(max(start_ms, self.horizon_ms), end_ms, None)
        spot = [trade for market in self._markets for trade in self._spot(market, start_ms)]
        # Spot with the first span: a run that is killed later goes on behind it.
        for first, last in spans(max(start_ms, self.horizon_ms), end_ms, _WINDOW_MS):
            rows: list[dict[str, Any]] = []
            full = [at_ms for at_ms in full_income if first <= at_ms <= last]
            for symbol in _traded(income, first - _NEAR_MS, last + _NEAR_MS):
                found, full_ms = self._futures(symbol, first, last)
                rows += found
                full += full_ms
            trades = self._client.unified(rows) + spot
            yield ExchangeTrades(tuple(trades), min(last, self._client.now_ms()), tuple(full))
            spot = []

    def payments(self, start_ms: int, end_ms: int) -> Iterator[ExchangePayments]:
        """Yield the payments of funding of a span of time."""
        first = max(start_ms, self.horizon_ms)
        rows, full_ms = self._income(first, end_ms, "FUNDING_FEE")
        payments = (
            ExchangePayment(row["symbol"], int(row["time"]), str(row["income"])) for row in rows
        )
        yield ExchangePayments(tuple(payments), min(end_ms, self._client.now_ms()), full_ms)

    def _income(
        self, start_ms: int, end_ms: int, kind: str | None
    ) -> tuple[list[_Row], tuple[int, ...]]:
        fields = {} if kind is None else {"incomeType": kind}

        def ask(first: int, last: int) -> Sequence[_Row]:
            span = {"startTime": first, "endTime": last, "limit": _PAGE}
            return self._client.ask_rows("fapiPrivateGetIncome", fields | span)

        def name(row: _Row) -> tuple[str, ...]:
            return tuple(str(row[key]) for key in ("incomeType", "symbol", "tranId", "time"))

        return read_span(ask, start_ms, end_ms, _PAGE, _time, name)

    def _futures(
        self, symbol: str, start_ms: int, end_ms: int
    ) -> tuple[list[dict[str, Any]], tuple[int, ...]]:
        def ask(first: int, last: int) -> Sequence[_Row]:
            span = {"startTime": first, "endTime": last, "limit": _PAGE}
            return self._client.ask_rows("fapiPrivateGetUserTrades", {"symbol": symbol, **span})

        rows, full_ms = read_span(ask, start_ms, end_ms, _PAGE, _time, _id)
        return [dict(row) for row in rows], full_ms

    def _spot(self, market: str, start_ms: int) -> list[dict[str, Any]]:
        """Return the trades of a spot market: its newest page, or all of them by their ids."""
        fields = {"symbol": market.replace("/", ""), "limit": _PAGE}
        page = self._client.ask_rows("privateGetMyTrades", fields)
        rows = {_id(row): row for row in page}
        reaches_back = len(page) < _PAGE or min(map(_time, page)) < start_ms
        next_id = 0
        while not reaches_back:
            page = self._client.ask_rows("privateGetMyTrades", fields | {"fromId": next_id})
            rows.update((_id(row), row) for row in page)
            newest = max(map(_id, page), default=next_id)
            reaches_back = len(page) < _PAGE or newest <= next_id
            next_id = newest
        found = [dict(row) for row in rows.values() if _time(row) >= start_ms]
        # The futures market has the same name there.
        return [trade | {"symbol": market} for trade in self._client.unified(found)]


def _traded(income: Sequence[_Row], first: int, last: int) -> list[str]:
    symbols = {row["symbol"] for row in income if first <= _time(row) <= last}
    return sorted(symbol for symbol in symbols if symbol)


def _time(row: _Row) -> int:
    return int(row["time"])


def _id(row: _Row) -> int:
    return int(row["id"])


def check_markets(client: ExchangeClient, markets: Sequence[str]) -> None:
    """Ask for each named spot market once.

    Raises:
        RefusedError: the venue has none of that name; see `ExchangeClient.ask` for the others.
    """
    for market in markets:
        client.ask("privateGetMyTrades", {"symbol": market.replace("/", ""), "limit": 1})

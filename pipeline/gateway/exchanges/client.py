"""Requests with one key to one exchange, guarded by the circuit of the venue."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, TypeVar

from afterword.pipeline.clock import Clock
from afterword.pipeline.gateway.exchanges.errors import (
    UNREADABLE,
    not_installed,
    own_error,
    unreadable,
)
from afterword.pipeline.gateway.exchanges.keys import ExchangeKey
from afterword.pipeline.gateway.exchanges.model import ExchangeVenue
from afterword.pipeline.gateway.exchanges.wired import ExchangeSender, wired_exchange
from afterword.pipeline.gateway.http.address import checked_address
from afterword.pipeline.gateway.http.breaker import Breaker
from afterword.pipeline.gateway.http.model import Service
from afterword.pipeline.gateway.http.wire import Wire

_Value = TypeVar("_Value")


class ExchangeClient:
    """Requests with one key to one exchange; close it when done.

    Args:
        base_url: another address of the venue; empty for its own.
        timeout_s: longest one request may take; seconds.
        clock: for a Retry-After that names a moment.
        breaker: leaves the venue alone while it fails.
        throttles: whether it waits between requests as ccxt knows the venue's limits.

    Raises:
        InvalidInputError: ccxt is not installed, or an address that can never work.
    """

    def __init__(
        self,
        venue: ExchangeVenue,
        key: ExchangeKey,
        base_url: str,
        timeout_s: float,
        clock: Clock,
        breaker: Breaker,
        *,
        throttles: bool = True,
    ) -> None:
        self.venue = venue
        self._has_old_markets = False
        self._key, self._breaker = key, breaker
        service = Service(venue.title, "AFTERWORD_EXCHANGE", "/", "request")
        origin = checked_address(service, base_url) if base_url else ""
        try:
            self._errors = import_module("ccxt.base.errors")
        except ImportError:
            raise not_installed() from None
        self._wire = Wire(service, origin or "https://", {}, timeout_s)
        sender = ExchangeSender(venue, key, service, self._wire, clock)
        self._exchange = wired_exchange(sender, origin, throttles=throttles)

    def ask(self, endpoint: str, fields: Mapping[str, Any] | None = None) -> Any:
        """Return the reply to one request.

        Args:
            endpoint: ccxt's name of it, such as `fapiPrivateGetUserTrades`.

        Raises:
            RefusedError: the venue answered that it refuses the key or the request.
            AskFailedError: no usable reply; a `BusyError` where it accepts nothing for now.
            NotSentError: the venue was not reached.
            CircuitOpenError: it is left alone for now.
        """
        return self._guarded(lambda: getattr(self._exchange, endpoint)(dict(fields or {})))

    def ask_rows(
        self, endpoint: str, fields: Mapping[str, Any], *place: str
    ) -> list[dict[str, Any]]:
        """Return the rows in the reply to one request; see `ask`.

        Args:
            place: names below which they stand in it.
        """
        reply = self.ask(endpoint, fields)
        try:
            for name in place:
                reply = reply[name]
        except UNREADABLE:
            raise unreadable(self.venue) from None
        if not isinstance(reply, list) or not all(isinstance(row, dict) for row in reply):
            raise unreadable(self.venue)
        return reply

    def learn_clock(self) -> None:
        """Ask for the venue's time, by which requests are signed; see `ask`."""
        self._guarded(self._exchange.load_time_difference)

    def learn_markets(self, known: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
        """Learn the venue's markets and return them; see `ask`.

        Args:
            known: as another client of this venue learned them; None asks the venue.
        """
        self._has_old_markets = known is not None
        if known is None:
            self._guarded(lambda: self._exchange.load_markets(True))
        else:
            self._exchange.set_markets(dict(known))
        markets: Mapping[str, Any] = self._exchange.markets
        return markets

    def now_ms(self) -> int:
        """Return the venue's present; UTC milliseconds."""
        ms: int = self._exchange.milliseconds() - self._exchange.options["timeDifference"]
        return ms

    def unified(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return trades as ccxt unifies them, with the units of a contract as `contractSize`.

        Raises:
            AskFailedError: they cannot be read; see `ask` for the others.
        """
        try:
            trades = [self._unified(row) for row in rows]
            if self._has_old_markets and any(trade["symbol"] is None for trade in trades):
                self.learn_markets()  # it may be a new one
                trades = [self._unified(row) for row in rows]
            return trades
        except UNREADABLE:
            raise unreadable(self.venue) from None

    def close(self) -> None:
        """Close the connections."""
        self._wire.close()

    def _unified(self, row: dict[str, Any]) -> dict[str, Any]:
        trade: dict[str, Any] = self._exchange.parse_trade(row)
        told = (trade[name] for name in ("id", "side", "price", "amount"))
        if not all(told) or type(trade["timestamp"]) is not int:
            raise ValueError("no trade")
        market = self._exchange.markets.get(trade["symbol"]) or {}
        # What the venue lists no more has no symbol of ccxt's: its own name says what it can.
        symbol = trade["symbol"] if market else None
        return trade | {"symbol": symbol, "contractSize": market.get("contractSize")}

    def _guarded(self, call: Callable[[], _Value]) -> _Value:
        def send() -> _Value:
            try:
                return call()
            except (self._errors.BaseError, *UNREADABLE) as error:
                raise own_error(error, self._errors, self.venue, self._key) from None

        return self._breaker.guard(send)

"""One request to an exchange: ccxt signs it and reads the reply, our wire sends it, once.

ccxt's own way of sending has a time-out for each read, follows redirects and obeys the proxies of
the environment; its errors repeat the address with its signature.
"""

import json
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final
from urllib.parse import urlsplit

from afterword.pipeline.clock import Clock
from afterword.pipeline.gateway.exchanges.errors import not_installed, refused_status, unreadable
from afterword.pipeline.gateway.exchanges.keys import ExchangeKey
from afterword.pipeline.gateway.exchanges.model import ExchangeVenue
from afterword.pipeline.gateway.http.model import Service
from afterword.pipeline.gateway.http.status import failure
from afterword.pipeline.gateway.http.wire import HttpReply, Wire

_LARGEST_REPLY: Final = 64 * 1024 * 1024
"""The list of all markets of a large venue; bytes."""

_BANNED: Final = 418
"""Binance's status for an address that went on after HTTP 429. Source: its docs, "Limits"."""


@dataclass(frozen=True, slots=True)
class ExchangeSender:
    """Sends what ccxt signed, and reads the reply with ccxt's rules."""

    venue: ExchangeVenue
    key: ExchangeKey
    service: Service
    wire: Wire
    clock: Clock

    def fetch(self, exchange: Any, url: str, method: str, headers: Any, body: Any) -> Any:
        """Return the reply to one request.

        Args:
            exchange: ccxt's, which knows the venue's errors.

        Raises:
            PipelineError: ours, by the status.
            Exception: ccxt's, by what the reply says; or whatever it raises of an unknown shape.
        """
        sent = body.encode() if body else b""
        reply = self.wire.send(method, url, sent, _LARGEST_REPLY, headers)
        if reply.status == _BANNED:
            reply = HttpReply(429, reply.headers, reply.body)
        if reply.status == 429 or reply.status >= 500:
            raise failure(self.service, reply, self.clock())
        text = reply.body.decode("utf-8", "replace").strip()
        parsed = exchange.parse_json(text)
        if parsed is not None:
            # Raises ccxt's error for what the reply says, also with HTTP 200.
            exchange.handle_errors(reply.status, "", url, method, {}, text, parsed, {}, "")
        if reply.status != 200:
            raise refused_status(reply.status, self.venue, self.key)
        if parsed is None:
            raise unreadable(self.venue)
        return parsed


def wired_exchange(sender: ExchangeSender, origin: str, *, throttles: bool) -> Any:
    """Return ccxt's exchange of a venue, with our wire below it.

    Args:
        origin: another address of the venue; empty for its own.
        throttles: whether it waits between requests as ccxt knows the venue's limits.

    Raises:
        InvalidInputError: ccxt is not installed.
    """
    venue, key = sender.venue, sender.key
    try:
        base = getattr(import_module(f"ccxt.{venue.name}"), venue.name)
    except ImportError:
        raise not_installed() from None

    exchange = _wired_class(base, sender)(
        {
            "apiKey": key.key.get_secret_value(),
            "secret": key.secret.get_secret_value(),
            "password": key.password.get_secret_value(),
            "enableRateLimit": throttles,
            "options": {"maxRetriesOnFailure": 0},
        }
    )
    exchange.has["fetchCurrencies"] = False  # would need more rights than to read
    if venue.market_types is not None:
        exchange.options["fetchMarkets"] = {"types": list(venue.market_types)}
    if origin:
        exchange.urls["api"] = _moved(exchange.urls["api"], origin)
    return exchange


def _wired_class(base: Any, sender: ExchangeSender) -> Any:
    class WiredExchange(base):  # type: ignore[misc]  # ccxt's class of the venue
        """The exchange, with our wire below it."""

        number = str  # a float would round

        @staticmethod
        def on_json_response(text: str) -> Any:
            return json.loads(text, parse_float=str)

        def fetch(
            self, url: str, method: str = "GET", headers: Any = None, body: Any = None
        ) -> Any:
            return sender.fetch(self, url, method, headers or {}, body)

    WiredExchange.__name__ = base.__name__
    return WiredExchange


def _moved(urls: Any, origin: str) -> Any:
    """Return ccxt's addresses with another host."""
    if isinstance(urls, dict):
        return {name: _moved(part, origin) for name, part in urls.items()}
    return origin + urlsplit(urls).path

"""Open the way to the account of a key."""

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from pydantic import SecretStr

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.store import Store
from afterword.pipeline.gateway.exchanges.binance import BinanceReader
from afterword.pipeline.gateway.exchanges.bybit import BybitReader
from afterword.pipeline.gateway.exchanges.client import ExchangeClient
from afterword.pipeline.gateway.exchanges.keys import ExchangeKey, key_of
from afterword.pipeline.gateway.exchanges.kraken import KrakenReader
from afterword.pipeline.gateway.exchanges.model import ExchangeReader, ExchangeVenue, exchange_named
from afterword.pipeline.gateway.exchanges.okx import OkxReader
from afterword.pipeline.gateway.exchanges.readable import ReadableReader
from afterword.pipeline.gateway.exchanges.rights import KeyHolder, holder_of
from afterword.pipeline.gateway.http.address import setup_of
from afterword.pipeline.gateway.http.breaker import Breaker
from afterword.pipeline.gateway.http.circuit import CircuitName
from afterword.pipeline.settings import Settings

_READERS: Final[Mapping[str, Callable[[ExchangeClient, Sequence[str]], ExchangeReader]]] = {
    "binance": BinanceReader,
    "bybit": lambda client, _: BybitReader(client),
    "okx": lambda client, _: OkxReader(client),
    "kraken": lambda client, _: KrakenReader(client),
}

_MARKETS_STAY: Final = timedelta(hours=6)
"""How long a list of markets is used; an unknown market asks for a new one at once."""


_NO_KEY: Final = ExchangeKey("AFTERWORD_EXCHANGE_NAME_KEY", *[SecretStr("")] * 3)


class OpenExchange(NamedTuple):
    """The way to one account; close the client when done.

    Args:
        holder: whose the key is.
        reader: reads what the venue tells of the account.
    """

    client: ExchangeClient
    holder: KeyHolder
    reader: ExchangeReader


class Exchanges:
    """The exchanges that the settings have keys for; threads may share it.

    ccxt is imported when the first account is opened: it takes half a second.

    Args:
        instance: the installation's `instance.sqlite`, with the circuits.
        clock: the real present.
        throttles: whether requests wait for the limits of a venue.
    """

    def __init__(
        self, settings: Settings, instance: Store, clock: Clock, *, throttles: bool = True
    ) -> None:
        self._throttles = throttles
        self._settings, self._instance, self._clock = settings, instance, clock
        self._markets: dict[str, tuple[Mapping[str, Any], datetime]] = {}
        self._lock = threading.Lock()

    def open(self, venue_name: str, account: str, markets: Sequence[str] = ()) -> OpenExchange:
        """Return the way to an account, once the venue has said whose the key is.

        Args:
            account: its name, by which the key is found.
            markets: of a venue that tells trades of named markets only.

        Raises:
            InvalidInputError: no such venue, ccxt is not installed, no key, one that may do more
                than read.
            UnavailableError: the venue gave no usable reply; see `ExchangeClient.ask`.
        """
        venue = exchange_named(venue_name)
        key = key_of(self._settings.exchange_keys, account, venue)
        client = self._client(venue, key)
        try:
            client.learn_clock()
            holder = holder_of(client, key)
            self._learn_markets(client)
        except BaseException:
            client.close()
            raise
        reader = _READERS[venue.name](client, markets)
        return OpenExchange(client, holder, ReadableReader(venue, reader))

    def check(self, venue_name: str) -> None:
        """Ask a venue for its time, as anybody may: whether it answers at all.

        Raises:
            InvalidInputError: no such venue, or ccxt is not installed.
            UnavailableError: the venue gave no usable reply; see `ExchangeClient.ask`.
        """
        with closing(self._client(exchange_named(venue_name), _NO_KEY)) as client:
            client.learn_clock()

    def _client(self, venue: ExchangeVenue, key: ExchangeKey) -> ExchangeClient:
        base_url = self._settings.exchange_base_url.get(venue.name, "")
        timeout_s = self._settings.exchange_timeout_s
        setup = setup_of(base_url, SecretStr(""))
        breaker = Breaker(
            self._instance, CircuitName(venue.name, "accounts", setup), self._clock, timeout_s * 2
        )
        return ExchangeClient(
            venue, key, base_url, timeout_s, self._clock, breaker, throttles=self._throttles
        )

    def _learn_markets(self, client: ExchangeClient) -> None:
        """Give a client the markets of its venue, asked for once in a while."""
        name, now = client.venue.name, self._clock()
        with self._lock:
            known, learned_at = self._markets.get(name, ({}, now))
        is_old = not known or now - learned_at > _MARKETS_STAY
        markets = client.learn_markets(None if is_old else known)
        if is_old:
            with self._lock:
                self._markets[name] = markets, now

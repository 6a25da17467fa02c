"""Candles of Hyperliquid's public info API."""

import json
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from afterword.pipeline.clock import EPOCH, Clock
from afterword.pipeline.domain.prices.candles import largest_reply, read_candles
from afterword.pipeline.domain.prices.hyperliquid_markets import market_of
from afterword.pipeline.domain.prices.intervals import write_interval
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.http.address import checked_address
from afterword.pipeline.gateway.http.breaker import Breaker
from afterword.pipeline.gateway.http.model import RefusedError, Service
from afterword.pipeline.gateway.http.status import failure
from afterword.pipeline.gateway.http.wire import Wire
from afterword.pipeline.rules.market.bars import Bar

_SERVICE: Final = Service(
    "Hyperliquid", "AFTERWORD_HYPERLIQUID", "/info", input_name="market and times"
)

INTERVALS: Final = ("1m", "3m", "5m", "15m", "30m", "1h", "2h", "4h", "8h", "12h", "1d", "3d")
"""Hyperliquid docs, "Candle snapshot"; its week and month are no fixed number of days."""

PAGE_CANDLES: Final = 1000
"""Candles asked for at once; the venue sends 5,000 at most."""

KEPT_CANDLES: Final = 5000
"""Candles of an interval the venue has of a market; Hyperliquid docs, "Candle snapshot"."""

_MS: Final = timedelta(milliseconds=1)


class HyperliquidCandles:
    """A `MarketFeed` that asks page by page: no retry, no redirect, one deadline for each page.

    Args:
        base_url: http or https address that has `/info` below it.
        timeout_s: longest one page may take; seconds.
        clock: for a Retry-After that names a moment.
        breaker: leaves the service alone while it fails; None asks in any case.

    Raises:
        InvalidInputError: an address that can never work.
    """

    source, page, keeps = "hyperliquid", PAGE_CANDLES, KEPT_CANDLES

    def __init__(
        self, base_url: str, timeout_s: float, clock: Clock, breaker: Breaker | None = None
    ) -> None:
        self._clock, self._breaker = clock, breaker
        self._wire = Wire(
            _SERVICE, checked_address(_SERVICE, base_url) + _SERVICE.path, {}, timeout_s
        )

    def fetch(
        self, symbol: str, interval: timedelta, start: datetime, end: datetime
    ) -> Sequence[Bar]:
        """Return the candles that open from `start` to before `end`, oldest first; see `PriceFeed`.

        Args:
            symbol: the venue's name of the market: `BTC`, `kPEPE`, `xyz:TSLA`, `@107`.

        Raises:
            InvalidInputError: an interval it does not have, or what it will never take.
            AskFailedError: no usable reply; a `SetupError` where the address is wrong.
            NotSentError: it was not reached.
            CircuitOpenError: it is left alone for now.
        """
        name = write_interval(interval)
        if name not in INTERVALS:
            raise InvalidInputError("interval", f"the venue has no {name}", " ".join(INTERVALS))
        bars: list[Bar] = []
        while start < end:
            upto = min(start + PAGE_CANDLES * interval, end)
            bars += self._guarded(partial(self._page, symbol, name, interval, start, upto))
            start = upto
        return bars

    def market_of(self, asset: str) -> str | None:
        """See `MarketFeed`."""
        return market_of(asset)

    def close(self) -> None:
        """Close the connections."""
        self._wire.close()

    def _guarded(self, ask: Callable[[], Sequence[Bar]]) -> Sequence[Bar]:
        return ask() if self._breaker is None else self._breaker.guard(ask)

    def _page(
        self, coin: str, interval: str, length: timedelta, start: datetime, end: datetime
    ) -> Sequence[Bar]:
        times = {"startTime": (start - EPOCH) // _MS, "endTime": (end - EPOCH) // _MS}
        request = {"type": "candleSnapshot", "req": {"coin": coin, "interval": interval, **times}}
        received = self._wire.post(json.dumps(request).encode(), largest_reply(PAGE_CANDLES))
        if received.status == 500 and received.body.strip() == b"null":
            # Undocumented, and no failure of its own: many unknown coins must not look like one.
            raise RefusedError("symbol", f"Hyperliquid knows no {coin!a:.40}", "a market it lists")
        if received.status != 200:
            raise failure(_SERVICE, received, self._clock())
        return read_candles(received.body, coin, interval, length, start, end)

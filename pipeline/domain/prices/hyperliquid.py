"""Candles of Hyperliquid's public info API."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from afterword.pipeline.clock import EPOCH
from afterword.pipeline.domain.prices.candles import BYTES_A_CANDLE, read_candles
from afterword.pipeline.domain.prices.hyperliquid_markets import market_of
from afterword.pipeline.domain.prices.intervals import write_interval
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.venue.info import VenueInfo
from afterword.pipeline.gateway.venue.model import InfoRequest
from afterword.pipeline.rules.market.bars import Bar

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
        info: the venue's info API.
    """

    source, page, keeps = "hyperliquid", PAGE_CANDLES, KEPT_CANDLES

    def __init__(self, info: VenueInfo) -> None:
        self._info = info

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
            WeightSpentError: the weight of this minute is spent.
        """
        name = write_interval(interval)
        if name not in INTERVALS:
            raise InvalidInputError("interval", f"the venue has no {name}", " ".join(INTERVALS))
        bars: list[Bar] = []
        while start < end:
            upto = min(start + PAGE_CANDLES * interval, end)
            bars += self._page(symbol, name, interval, start, upto)
            start = upto
        return bars

    def market_of(self, asset: str) -> str | None:
        """See `MarketFeed`."""
        return market_of(asset)

    def close(self) -> None:
        """Close the connections."""
        self._info.close()

    def _page(
        self, coin: str, interval: str, length: timedelta, start: datetime, end: datetime
    ) -> Sequence[Bar]:
        times = {"startTime": (start - EPOCH) // _MS, "endTime": (end - EPOCH) // _MS}
        request = InfoRequest(
            "candleSnapshot",
            {"req": {"coin": coin, "interval": interval, **times}},
            most_rows=PAGE_CANDLES,
            row_bytes=BYTES_A_CANDLE,
            # Many unknown coins must not look like a venue that fails.
            unknown=("symbol", f"Hyperliquid knows no {coin!a:.40}", "a market it lists"),
        )
        return self._info.ask(
            request, lambda body: read_candles(body, coin, interval, length, start, end)
        )

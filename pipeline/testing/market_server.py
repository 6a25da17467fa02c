"""A venue on loopback with Hyperliquid's candle API, which fails on request."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from afterword.pipeline.clock import EPOCH
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.rules.market.decimals import plain
from afterword.pipeline.testing.faulty_server import FaultyServer, Reply

MOST_CANDLES: Final = 5000
"""Limit of candles per reply, as at the real venue: the newest ones."""


@dataclass(frozen=True, slots=True)
class CandleRequest:
    """One received request; times are milliseconds, both included.

    Args:
        headers: by lower-case name.
    """

    headers: Mapping[str, str]
    coin: str
    interval: str
    start_ms: int
    end_ms: int


class MarketServer(FaultyServer[CandleRequest]):
    """A venue with its own candles; use it as a context manager."""

    def __init__(self) -> None:
        super().__init__("/info")
        self._candles: dict[tuple[str, str], dict[int, Reply]] = {}

    def trade(self, coin: str, interval: str, bars: Iterable[Bar]) -> None:
        """Add candles of a market; a candle of the same time is replaced."""
        candles = self._candles.setdefault((coin, interval), {})
        for bar in bars:
            candle = candle_of(coin, interval, bar)
            candles[candle["t"]] = candle

    def read(self, headers: Mapping[str, str], sent: Reply) -> CandleRequest:
        """Return a request as received."""
        asked = sent["req"]
        times = asked["startTime"], asked["endTime"]
        return CandleRequest(headers, asked["coin"], asked["interval"], *times)

    def work(self, asked: CandleRequest) -> Any:
        """Return the candles that are open in the requested time; none for an unknown market."""
        known = self._candles.get((asked.coin, asked.interval), {})
        found = [
            known[t] for t in sorted(known) if asked.start_ms <= known[t]["T"] and t <= asked.end_ms
        ]
        return found[-MOST_CANDLES:]


def candle_of(coin: str, interval: str, bar: Bar) -> Reply:
    """Return a bar as the venue writes it."""
    opened, closed = ((moment - EPOCH).total_seconds() for moment in (bar.t_open, bar.closed_at))
    return {
        "t": round(opened * 1000),
        "T": round(closed * 1000) - 1,
        "s": coin,
        "i": interval,
        "o": plain(bar.open),
        "c": plain(bar.close),
        "h": plain(bar.high),
        "l": plain(bar.low),
        "v": plain(bar.volume),
        "n": 1,
    }

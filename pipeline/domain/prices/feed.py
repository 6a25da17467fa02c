"""The two protocols of prices: a source is read as of a moment, a feed is asked for new bars."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Protocol

from afterword.pipeline.clock import iso
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.rules.market.classes import StatedClasses
from afterword.pipeline.rules.market.market_record import MarketRecord
from afterword.pipeline.rules.market.splits import Split
from afterword.pipeline.rules.market.symbols import is_forex_pair, parse_symbol
from afterword.pipeline.rules.market.taxonomy import DOLLAR_TOKENS


@dataclass(frozen=True, slots=True)
class Series:
    """One market of one source at one interval.

    Args:
        source: where it comes from: `file`, `hyperliquid`, `fills`, or a name given at the import.
        symbol: the market as the source writes it.
        interval: length of its bars; 0 for single prints.
    """

    source: str
    symbol: str
    interval: timedelta

    @property
    def asset(self) -> str:
        """The asset it prices, in any kind of dollar; see `asset_of`."""
        return asset_of(self.symbol)


class LookAheadError(InvalidInputError):
    """A read asked for something later than was known; the caller is at fault."""


class PriceSource(Protocol):
    """Prices as of a moment. Every read refuses a moment after `known_by`.

    A bar is known from its close on: `t_open + interval`. Missing bars are not filled in.
    """

    @property
    def classes(self) -> StatedClasses:
        """The classes of markets, as far as somebody stated them."""
        ...

    def series(self, symbol: str) -> tuple[Series, ...]:
        """Return the series with prices of a market in any written form, finest first."""
        ...

    def close_at(self, series: Series, moment: datetime, known_by: datetime) -> Bar | None:
        """Return the last bar closed at or before a moment, however old; None if there is none."""
        ...

    def next_close(self, series: Series, moment: datetime, known_by: datetime) -> Bar | None:
        """Return the first bar closed after a moment and known by then; None if there is none."""
        ...

    def bars(
        self, series: Series, start: datetime, end: datetime, known_by: datetime
    ) -> tuple[Bar, ...]:
        """Return the bars closed from `start` to `end`, both included, in order of time."""
        ...

    def splits(self, series: Series) -> tuple[Split, ...]:
        """Return the splits of a market whose bars are unadjusted."""
        ...

    def record(self, series: Series) -> MarketRecord:
        """Return all bars of a series as first published, and the counts drawn from them.

        It holds later bars too: ask it as of a moment.
        """
        ...


class PriceFeed(Protocol):
    """An outside service that is asked for bars to store."""

    @property
    def source(self) -> str:
        """Return the name of the service, under which its series are stored."""
        ...

    def fetch(
        self, symbol: str, interval: timedelta, start: datetime, end: datetime
    ) -> Sequence[Bar]:
        """Return the bars that open from `start` to before `end`, oldest first; some may be absent.

        Raises:
            InvalidInputError: a market or interval it never has.
            UnavailableError: no usable reply.
        """
        ...


@lru_cache(maxsize=1_024)  # thousands of trips name one market
def asset_of(symbol: str) -> str:
    """Return the key under which prices of one asset are found.

    `SOL`, `SOLUSDT` and `SOL-USD` are one asset, prices in dollars; `ETHBTC` is another one.
    """
    market = parse_symbol(symbol)
    if market.quote in (None, "USD") or market.quote in DOLLAR_TOKENS or is_forex_pair(market.key):
        return market.key
    return f"{market.key}/{market.quote}"


def refuse_future(moment: datetime, known_by: datetime) -> None:
    """Refuse a read of something later than is known.

    Raises:
        LookAheadError: the moment is later than `known_by`, or one of them has no time zone.
    """
    if moment.tzinfo is None or known_by.tzinfo is None:
        raise LookAheadError("moment", "has no time zone", "aware moments")
    if moment > known_by:
        raise LookAheadError("moment", f"{iso(moment)} is not known yet", f"up to {iso(known_by)}")

"""Real daily prices of five US stocks from 2000 to 2013, for the demo.

The values are Quandl WIKI prices, which their publisher put in the public domain; the package
`bokeh_sampledata` carries them.
"""

import csv
import gzip
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from importlib.resources import files
from itertools import groupby
from typing import Final

from pipeline.errors import UnavailableError

_PACKAGE: Final = "bokeh_sampledata"
_FILE: Final = "_data/stocks.csv.gz"


@dataclass(frozen=True, slots=True)
class Bar:
    """One trading day, in dollars for what one share of the first day has become.

    The file's prices are as they were traded, so a split halves them (AAPL 2000-06-21 and
    2005-02-28, MSFT 2003-02-18). From a split on, a unit is two shares: known on the day, and no
    price tells of a later one. Dividends are left out, as a perpetual pays none.
    """

    day: date
    open: Decimal
    close: Decimal


def demo_bars() -> dict[str, list[Bar]]:
    """Return the days of every stock in order, by ticker.

    Raises:
        UnavailableError: the package with the prices is not installed, or too old.
    """
    with gzip.open(_prices(), "rt", encoding="utf-8", newline="") as file:
        by_ticker = groupby(csv.DictReader(file), key=lambda row: row["Ticker"])
        return {ticker: list(_bars(rows)) for ticker, rows in by_ticker}


def _prices() -> str:
    try:
        found = files(_PACKAGE) / _FILE
    except ModuleNotFoundError:
        found = None
    if found is None or not found.is_file():
        raise UnavailableError(
            f"the demo's prices ({_PACKAGE} 2026.1 or later) are not installed; "
            "pip install --upgrade 'afterword[demo]'"
        )
    return str(found)


def _bars(rows: Iterable[dict[str, str]]) -> Iterator[Bar]:
    shares, before = 1, None
    for row in rows:
        close = Decimal(row["Close"])
        # Close over adjusted close falls to a half by a split, by a tenth at most by a dividend.
        scale = close / Decimal(row["Adj Close"])
        shares *= round(before / scale) if before else 1
        before = scale
        yield Bar(date.fromisoformat(row["Date"]), Decimal(row["Open"]) * shares, close * shares)

"""Real daily prices of four US stocks from 2000 to 2013, a part of the package.

`data/prices.csv` has the unadjusted prices; `data/NOTICE.md` names their source.
"""

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from importlib.resources import files
from itertools import groupby
from typing import Final

from afterword.pipeline.errors import UnavailableError

SPLITS: Final = (
    ("AAPL", date(2000, 6, 21), 2),
    ("AAPL", date(2005, 2, 28), 2),
    ("MSFT", date(2003, 2, 18), 2),
)
"""All splits of these years: ticker, first day of trading in new shares, new shares per old one."""


@dataclass(frozen=True, slots=True)
class DailyBar:
    """One trading day: split-adjusted prices, USD for one share of the last day.

    Dividends are left out, because a perpetual future pays none.
    """

    day: date
    open: Decimal
    close: Decimal


def demo_bars() -> dict[str, list[DailyBar]]:
    """Return the days of every stock in order, by ticker.

    Raises:
        UnavailableError: the file with the prices is missing from the installed package.
    """
    path = files("afterword.schedules.demo") / "data" / "prices.csv"
    try:
        text = path.read_text(encoding="ascii")
    except FileNotFoundError:
        raise UnavailableError(
            f"the demo's prices are missing ({path}); install Afterword again"
        ) from None
    by_ticker = groupby(csv.DictReader(text.splitlines()), key=lambda row: row["ticker"])
    return {ticker: list(_bars(ticker, rows)) for ticker, rows in by_ticker}


def _bars(ticker: str, rows: Iterable[dict[str, str]]) -> Iterator[DailyBar]:
    for row in rows:
        day = date.fromisoformat(row["date"])
        shares = _later_shares(ticker, day)
        yield DailyBar(day, Decimal(row["open"]) / shares, Decimal(row["close"]) / shares)


def _later_shares(ticker: str, day: date) -> int:
    """Return how many shares of the last day one share of this day has become."""
    shares = 1
    for split, first_day, ratio in SPLITS:
        if split == ticker and day < first_day:
            shares *= ratio
    return shares

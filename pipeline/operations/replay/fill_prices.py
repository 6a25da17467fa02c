"""Fills as prices: each one is a price at which somebody traded at that moment.

Where no prices are given for a market of the trades, its own fills price it, as single prints. They
hold the spread, and say nothing of the time between them.
"""

from collections.abc import Sequence
from decimal import Decimal
from itertools import groupby
from operator import attrgetter
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.domain.fills import read as fill_reads
from afterword.pipeline.domain.fills.read import FillPrice
from afterword.pipeline.domain.prices.csv_file import PriceFile
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.rules.market.bars import PRINT, Bar

FILLS_SOURCE: Final = "fills"
"""Source of the prices that are fills."""

_NOTHING: Final = Decimal(0)


def fill_prices(conn: Connection, given: Sequence[PriceFile]) -> list[PriceFile]:
    """Return the fills of each market without prices, as prints.

    Args:
        conn: on a file that holds the trades.
        given: the prices of other sources; the assets that they price are left out.
    """
    priced = {prices.series.asset for prices in given if prices.bars}
    files = []
    for symbol, fills in groupby(fill_reads.prices(conn), key=attrgetter("symbol")):
        series = Series(FILLS_SOURCE, symbol, PRINT)
        if series.asset not in priced:
            # The last fill of a millisecond counts.
            prints = {fill.at: _print(fill) for fill in fills}
            files.append(PriceFile(series, tuple(prints.values())))
    return files


def _print(fill: FillPrice) -> Bar:
    return Bar(fill.at, PRINT, fill.price, fill.price, fill.price, fill.price, _NOTHING)

"""Prices: the stored series with their gaps, and what an import changed."""

from collections.abc import Sequence
from typing import Final

from afterword.pipeline.domain.prices.keep_classes import ClassChange
from afterword.pipeline.domain.prices.model import PriceCounts, SeriesOverview
from afterword.pipeline.rules.market.decimals import plain
from afterword.pipeline.views.blocks import Fields, Table, View
from afterword.pipeline.views.cells import Cell
from afterword.pipeline.views.words import moment, one_line

_SERIES: Final = (
    *("symbol", "source", "interval", "bars", "from", "to", "close", "gaps", "missing"),
)


def series_list(series: Sequence[SeriesOverview], symbol: str | None) -> View:
    """Return series below each other.

    Args:
        symbol: the market that was asked for; None for all.
    """
    empty = "no prices yet" if symbol is None else f"no prices of {symbol}"
    return View([Table(_SERIES, list(map(_row, series)), empty)])


def prices_changed(counts: PriceCounts) -> View:
    """Return how many bars and splits an import or a fetch changed."""
    names = PriceCounts.__slots__
    return View([Fields({name.replace("_", " "): getattr(counts, name) for name in names})])


def class_words(change: ClassChange) -> str:
    """Return that a market has another class from now on."""
    rest = "what was measured before keeps the class of then"
    now = f"{change.asset} is of class {change.now} from now on, {change.before} before"
    return one_line(f"{now}: {rest}")


def _row(series: SeriesOverview) -> list[Cell]:
    return [
        *(
            series.symbol,
            series.source,
            series.interval,
            series.bars,
            moment(series.first),
            moment(series.last),
        ),
        *(plain(series.close), series.gaps, series.missing),
    ]

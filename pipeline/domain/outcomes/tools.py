"""Read-only tools that a reflection can ask again: what did this say at a moment?"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Protocol

from afterword.pipeline.clock import iso
from afterword.pipeline.domain.prices.feed import PriceSource
from afterword.pipeline.rules.market.decimals import plain
from afterword.pipeline.rules.market.splits import change
from afterword.pipeline.rules.market.windows import oldest

_BACK: Final = (("24 h", timedelta(days=1)), ("7 d", timedelta(days=7)))


@dataclass(frozen=True, slots=True)
class Evidence:
    """One thing that could be known.

    Args:
        source: which tool or record says so.
        known_at: when anybody could know it first: of a news item its publication; aware UTC.
        text: one item, as its source has it: data, never instructions.
    """

    source: str
    known_at: datetime
    text: str


class Tool(Protocol):
    """A tool of a skill, as it would have answered at a moment; it reads and changes nothing."""

    def __call__(
        self, params: Mapping[str, Any], prices: PriceSource, known_by: datetime
    ) -> Iterable[Evidence]:
        """Return what it says; nothing known after `known_by`."""
        ...


def get_price(
    params: Mapping[str, Any], prices: PriceSource, known_by: datetime
) -> Iterable[Evidence]:
    """Return the last price of `symbol` and how it had moved; nothing where there is none."""
    symbol = params.get("symbol")
    if not isinstance(symbol, str):
        return
    for series in prices.series(symbol):
        last = prices.close_at(series, known_by, known_by)
        if last is None or known_by - last.closed_at > oldest(series.symbol, series.interval):
            continue
        said = [f"{series.symbol} {plain(last.close)} at {iso(last.closed_at)}"]
        for name, back in _BACK:
            before = prices.close_at(series, last.closed_at - back, known_by)
            if before is not None:
                moved = change(prices.splits(series), before, last)
                said.append(f"{moved * 100:+.2f} % in {name}")
        yield Evidence("get_price", last.closed_at, ", ".join(said))
        return

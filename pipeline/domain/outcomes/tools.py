"""Read-only tools a reflection can ask again, as of a moment."""

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
    """One item of evidence.

    Args:
        source: the tool or record it comes from.
        known_at: when it first could be known, such as the publication of news; aware UTC.
        text: as its source has it: data, never instructions.
    """

    source: str
    known_at: datetime
    text: str


class Tool(Protocol):
    """A tool of a skill that answers as of a moment; it only reads."""

    def __call__(
        self, params: Mapping[str, Any], prices: PriceSource, known_by: datetime
    ) -> Iterable[Evidence]:
        """Return its answer; nothing in it became known after `known_by`."""
        ...


def get_price(
    params: Mapping[str, Any], prices: PriceSource, known_by: datetime
) -> Iterable[Evidence]:
    """Return the last price of `symbol` and its moves; nothing if there is none."""
    symbol = params.get("symbol")
    if not isinstance(symbol, str):
        return
    for series in prices.series(symbol):
        last = prices.close_at(series, known_by, known_by)
        if last is None or known_by - last.closed_at > oldest(
            prices.classes.group(series.symbol), series.interval
        ):
            continue
        parts = [f"{series.symbol} {plain(last.close)} at {iso(last.closed_at)}"]
        for name, back in _BACK:
            before = prices.close_at(series, last.closed_at - back, known_by)
            if before is not None:
                moved = change(prices.splits(series), before, last)
                parts.append(f"{moved * 100:+.2f} % in {name}")
        yield Evidence("get_price", last.closed_at, ", ".join(parts))
        return

"""The counts of an import, and the overview of a stored series."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class PriceCounts:
    """Bars and splits an import or a fetch changed; counts.

    Args:
        bars_known: bars that were stored before, or came twice.
        bars_revised: bars the source changed; their old values stay readable as of the past.
        splits_new: splits that were not known.
        splits_gone: splits that a newer factor file changed or removed.
    """

    bars_new: int = 0
    bars_known: int = 0
    bars_revised: int = 0
    splits_new: int = 0
    splits_gone: int = 0

    def __add__(self, other: "PriceCounts") -> "PriceCounts":
        return PriceCounts(
            self.bars_new + other.bars_new,
            self.bars_known + other.bars_known,
            self.bars_revised + other.bars_revised,
            self.splits_new + other.splits_new,
            self.splits_gone + other.splits_gone,
        )


@dataclass(frozen=True, slots=True)
class SeriesOverview:
    """One stored series.

    Args:
        interval: as people write it: `1h`; `print` for single prints.
        first, last: when its first bar opened and its last one closed.
        close: the last close.
        missing: bars that would fit into its gaps; weekends count, the market may be closed.
        revised: bars that were revised at least once.
    """

    source: str
    symbol: str
    asset: str
    interval: str
    bars: int
    first: datetime
    last: datetime
    close: Decimal
    gaps: int
    missing: int
    revised: int
    splits: int

"""The report of `afterword learn`: frozen values from which text, page and JSON are written."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Literal

from afterword.pipeline.domain.layouts.layout import ShareSplit
from afterword.pipeline.domain.trades.model import TradesReport, TripOutcome
from afterword.pipeline.rules.tabular.moments import read_zone


@dataclass(frozen=True, slots=True)
class FileLine:
    """What was found in one file.

    Args:
        layout: what its venue calls it: `Binance futures, Trade History`; `prices of SOL, 1h`.
        fills: executions; count. `closed_trades` and `bars` likewise.
        accounts: names under which its trades are read.
        known: of these, those that the group had before; count. 0 in one look, also in one that was
            killed and goes on.
        splits: rows left out that change the units of a share.
        left_out: rows that are no trades, by reason; counts. None under `as_of`: such rows carry
            no time.
    """

    name: str
    holds: Literal["trades", "prices"]
    layout: str
    fills: int = 0
    closed_trades: int = 0
    bars: int = 0
    accounts: tuple[str, ...] = ()
    known: int = 0
    left_out: Mapping[str, int] | None = None
    splits: tuple[ShareSplit, ...] = ()


@dataclass(frozen=True, slots=True)
class FillWins:
    """Executions that made a position smaller, and those of them with a profit before fees.

    Args:
        rate: the share that won, R3's `win_rate_fills`; None without any.
    """

    closing: int
    winning: int
    rate: float | None


@dataclass(frozen=True, slots=True)
class PriceGap:
    """A market without the prices that its trades need.

    Args:
        trips: round trips that could not be measured; count.
        since: from when prices are needed.
        fetched_as: the name under which `afterword prices fetch` asks for them; empty where only a
            file can bring them.
    """

    symbol: str
    trips: int
    since: datetime
    fetched_as: str


@dataclass(frozen=True, slots=True)
class UnreadLine:
    """Rows or figures that the report could not use, or that contradict each other; a count."""

    words: str
    count: int
    examples: tuple[str, ...] = ()
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class LearnReport:
    """What the trades of some files, or of an account that is kept, show.

    Args:
        is_kept: whether the trades are stored in the group.
        zone: that dates are told in; `hours_zone` that of the hours and weekdays of entries.
        fill_wins: None where no file says what a fill earned.
        trades: sums, cells, mistakes.
        outcomes: every trip, by the moment it closed.
        tags: the owner's words, by trip_uid.
        gaps: markets without the prices they need.
        unread: what could not be read or used.
    """

    accounts: tuple[str, ...]
    venues: tuple[str, ...]
    files: tuple[FileLine, ...]
    as_of: datetime | None
    is_kept: bool
    zone: str
    hours_zone: str
    fill_wins: FillWins | None
    trades: TradesReport
    outcomes: tuple[TripOutcome, ...]
    tags: Mapping[str, tuple[str, ...]]
    gaps: tuple[PriceGap, ...]
    unread: tuple[UnreadLine, ...]

    @property
    def told_in(self) -> tzinfo:
        """The zone that dates are told in."""
        return read_zone(self.zone) or UTC

    @property
    def complete(self) -> tuple[TripOutcome, ...]:
        """The trips of which every fill is known."""
        return tuple(outcome for outcome in self.outcomes if not outcome.trip.is_incomplete)

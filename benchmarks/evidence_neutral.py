"""Neutral calls at every hour: how many are right, by day of the week and by part of the day."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from math import sqrt
from pathlib import Path
from typing import Final, NamedTuple

from afterword.pipeline.domain.outcomes.measure import OutcomeMeasurer
from afterword.pipeline.domain.outcomes.model import MeasuredOutcome, Subject
from afterword.pipeline.domain.prices.book import PriceBook
from afterword.pipeline.domain.prices.csv_file import read_factors, read_prices

LATER: Final = datetime(2030, 1, 1, tzinfo=UTC)
WARM: Final = timedelta(days=90)
"""Prices before the first call."""

HOURLY_WINDOWS: Final = (4, 8, 24, 72)
DAILY_WINDOWS: Final = (24, 72, 168, 720)

DAYS_OF_WEEK: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


class NeutralCell(NamedTuple):
    """Neutral calls of one series, window and time of the week.

    Args:
        when: a day of the week, a part of the day (`04-08`), or `all`.
        right: share of the calls that are not noise.
        noise: share of all calls.
        windows: calls that do not overlap; count.
    """

    name: str
    hours: int
    when: str
    right: float
    noise: float
    windows: int

    @property
    def errors(self) -> float:
        """Standard errors that its share is from one half."""
        return abs(self.right - 0.5) / sqrt(0.25 / self.windows)

    @property
    def is_half(self) -> bool:
        """Whether 45 to 55 % are right."""
        return 0.45 <= self.right <= 0.55


def neutral_calls(folder: Path, name: str) -> dict[int, list[tuple[datetime, MeasuredOutcome]]]:
    """Measure a neutral call at every hour, or day, of a series; by window, with its moment.

    Several moments with one entry and exit are one call: the first of each day.
    """
    (found,) = read_prices(folder / f"{name}.csv.gz", "bench", known_by=LATER)
    splits = {}
    if name.startswith("AAPL"):
        symbol, known = read_factors(folder / "AAPL_factor_file.csv")
        splits[symbol] = known
    measurer = OutcomeMeasurer(PriceBook({found.series: found.bars}, splits), LATER)
    step = found.series.interval
    windows = HOURLY_WINDOWS if step < timedelta(days=1) else DAILY_WINDOWS
    calls: dict[int, list[tuple[datetime, MeasuredOutcome]]] = {hours: [] for hours in windows}
    seen: set[tuple[int, int, int, int]] = set()
    at = found.bars[0].closed_at + WARM
    last = found.bars[-1].closed_at - timedelta(hours=max(windows))
    while at < last:
        subject = Subject("decision", 0, found.series.symbol, "neutral", at)
        for outcome in measurer.over(subject, windows):
            if isinstance(outcome, MeasuredOutcome):
                key = outcome.window_hours, at.toordinal(), outcome.entry_at, outcome.exit_at
                if key not in seen:
                    seen.add(key)
                    calls[outcome.window_hours].append((at, outcome))
        at += step
    return calls


def neutral_cells(folder: Path, name: str) -> Iterator[NeutralCell]:
    """Yield the shares of right calls of a series, by window and time of the week."""
    for hours, calls in neutral_calls(folder, name).items():
        cells: dict[str, list[MeasuredOutcome]] = {}
        for at, outcome in calls:
            for when in ("all", *_times_of(at, is_daily=name.endswith("1d"))):
                cells.setdefault(when, []).append(outcome)
        for when, outcomes in sorted(cells.items()):
            verdicts = [one.verdict for one in outcomes]
            judged = len(verdicts) - verdicts.count("noise")
            if judged:
                yield NeutralCell(
                    name,
                    hours,
                    when,
                    verdicts.count("right") / judged,
                    1 - judged / len(verdicts),
                    _independent(outcomes),
                )


def _times_of(at: datetime, *, is_daily: bool) -> Iterator[str]:
    """Yield the day of the week of a moment, and its part of the day."""
    # A day's bar closes at midnight: its call belongs to the day that ends.
    yield DAYS_OF_WEEK[(at - timedelta(microseconds=1) if is_daily else at).weekday()]
    if not is_daily:
        part = at.hour // 4 * 4
        yield f"{part:02}-{part + 4:02}"


def _independent(outcomes: Sequence[MeasuredOutcome]) -> int:
    """Return how many windows do not overlap."""
    count, ends = 0, 0
    for outcome in outcomes:
        if outcome.entry_at >= ends:
            count, ends = count + 1, outcome.exit_at
    return count

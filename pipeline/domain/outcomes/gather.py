"""Read the prices around one decision: those it could know, and the one when it was due."""

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from afterword.pipeline.clock import iso
from afterword.pipeline.domain.prices.feed import PriceSource, Series, refuse_future
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.rules.market.outcome import Outcome, Reason, unknown
from afterword.pipeline.rules.market.track import Track, may_split
from afterword.pipeline.rules.market.volatility import FEWEST_MOVES
from afterword.pipeline.rules.market.windows import lookback, oldest


class _Obstacle(NamedTuple):
    reason: Reason
    why: str


def gather(
    prices: PriceSource, symbol: str, decided_at: datetime, due: datetime, known_by: datetime
) -> Track | Outcome:
    """Return what a market did around a decision, or an unknown outcome with its reason.

    The series is chosen by what was known at the decision, the exit by its two neighbours in
    time, so a track once found never changes, whatever becomes known later.

    Raises:
        LookAheadError: it is not due by `known_by`.
    """
    refuse_future(due, known_by)
    decided_at = decided_at.astimezone(UTC)
    obstacle: _Obstacle | None = None
    for series in prices.series(symbol):
        if series.interval > due - decided_at:
            recent: tuple[Bar, ...] | _Obstacle = _too_coarse(series, due - decided_at)
        else:
            recent = _bars_before(prices, series, decided_at)
        if not isinstance(recent, _Obstacle):
            return _track(prices, series, recent, due, known_by)
        obstacle = obstacle or recent  # the best series explains the outcome
    if obstacle is None:
        return unknown("no_series", f"no source has prices of {symbol}; afterword prices import")
    return unknown(obstacle.reason, obstacle.why)


def _too_coarse(series: Series, window: timedelta) -> _Obstacle:
    """Refuse bars longer than the window: most of a move could lie outside it."""
    hours = window / timedelta(hours=1)
    why = f"a price of {_name(series)} each {series.interval / timedelta(hours=1):g} h says little"
    return _Obstacle("too_coarse", f"{why} about {hours:g} h; afterword prices fetch or import")


def _bars_before(
    prices: PriceSource, series: Series, decided_at: datetime
) -> tuple[Bar, ...] | _Obstacle:
    """Return the bars known at the decision, the entry last."""
    recent = prices.bars(series, decided_at - lookback(series.interval), decided_at, decided_at)
    longest = oldest(series.symbol, series.interval)
    if not recent or decided_at - recent[-1].closed_at > longest:
        last = f"the last is of {iso(recent[-1].closed_at)}" if recent else "there is none"
        return _Obstacle("no_entry", f"no price of {_name(series)} at {iso(decided_at)}: {last}")
    if len(recent) <= FEWEST_MOVES:
        why = f"{len(recent)} prices of {_name(series)} before the decision, {FEWEST_MOVES + 1} say"
        return _Obstacle("no_volatility", f"{why} how much it moves by itself")
    return recent


def _track(
    prices: PriceSource,
    series: Series,
    recent: tuple[Bar, ...],
    due: datetime,
    known_by: datetime,
) -> Track | Outcome:
    entry = recent[-1]  # as it was known then; a later revision does not count
    last = _exit(prices, series, entry, due, known_by)
    if isinstance(last, str):
        return unknown("no_exit", last)
    window: tuple[Bar, ...] = (entry, last)
    if may_split(series.symbol):
        since = prices.bars(series, entry.closed_at, last.closed_at, known_by)
        window = (entry, *since[1:])
    track = Track(series.source, series.symbol, recent, window, prices.splits(series))
    jump = track.jump()
    if jump is not None:
        why = f"{_name(series)} jumps by more than a market does at {iso(jump.t_open)}"
        return unknown("unexplained_jump", f"{why}; import its factor file, or mark it by hand")
    return track


def _exit(
    prices: PriceSource, series: Series, entry: Bar, due: datetime, known_by: datetime
) -> Bar | str:
    """Return the bar whose close is the exit, or why there is none.

    It is the last close before the due moment if that came after the entry and is not too old,
    else the first close after it. A bar after the due moment must be known first: until then a
    later last close may still arrive.
    """
    longest = oldest(series.symbol, series.interval)
    before = prices.close_at(series, due, known_by)
    if before is not None and before.closed_at == due:
        return before
    after = prices.next_close(series, due, known_by)
    if after is None:
        last = "none" if before is None else iso(before.closed_at)
        return f"no price of {_name(series)} after {iso(due)} yet; the last is of {last}"
    is_new = before is not None and before.closed_at > entry.closed_at
    if before is not None and is_new and due - before.closed_at <= longest:
        return before
    if after.closed_at - due <= longest:
        return after
    return f"no price of {_name(series)} near {iso(due)}: the next is of {iso(after.closed_at)}"


def _name(series: Series) -> str:
    return f"{series.symbol} ({series.source})"

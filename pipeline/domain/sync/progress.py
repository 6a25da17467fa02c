"""How far a mirror is: where a run begins and ends, what it has read, since when it is whole."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from afterword.pipeline.clock import EPOCH
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.sync import state_rows
from afterword.pipeline.domain.sync.pages import VenueRow
from afterword.pipeline.domain.sync.turn import SyncState, was_cut_off
from afterword.pipeline.domain.sync.venue_fills import REACHABLE_FILLS

LATE_ROW: Final = timedelta(hours=1)
VERY_LATE_ROW: Final = timedelta(days=7)
"""A row may become known so long after its time: what is younger is asked for again, by each run,
and by the first run of a day."""

_AHEAD: Final = timedelta(days=1)
"""The venue's clock may be ahead of ours."""

_MS: Final = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class RowSpan:
    """What a run has read so far.

    Args:
        rows: count.
        first_ms, last_ms: time of the oldest and of the newest row; UTC milliseconds.
    """

    rows: int = 0
    first_ms: int = 0
    last_ms: int = 0

    def and_then(self, rows: Sequence[VenueRow]) -> "RowSpan":
        """Return the span with the rows of one more page."""
        if not rows:
            return self
        first_ms: int = rows[0]["time"] if self.rows == 0 else self.first_ms
        return RowSpan(self.rows + len(rows), first_ms, rows[-1]["time"])


def asked_from(state: SyncState, now: datetime) -> int:
    """Return from when on to ask; UTC milliseconds."""
    if state.last_synced_ts_ms is None:
        return 0
    # One that was cut off may need more weight for the week than a minute has: it goes on.
    is_first = not was_cut_off(state) and (state.last_synced_at or now).date() != now.date()
    return max(0, state.last_synced_ts_ms - (VERY_LATE_ROW if is_first else LATE_ROW) // _MS)


def asked_upto(state: SyncState, now: datetime) -> int:
    """Return up to when to ask; a clock that was set back must not end the mirror."""
    return max(_ms(now), state.last_synced_ts_ms or 0) + _AHEAD // _MS


def after_page(
    state: SyncState,
    tried_at: datetime,
    span: RowSpan,
    whole_since_ms: int | None,
    *,
    is_last: bool,
) -> SyncState:
    """Return the state after a page; the next run goes on from the newest row.

    A row of the future, by a clock that is wrong at the venue or here, must not carry the mirror
    past what happens until then.

    Args:
        state: before the run.
    """
    newest = state.last_synced_ts_ms
    if span.rows:
        newest = max(newest or 0, min(span.last_ms, _ms(tried_at)))
    gone_on = replace(
        state, last_synced_ts_ms=newest, last_tried_at=tried_at, whole_since_ms=whole_since_ms
    )
    if not is_last:
        return gone_on
    return replace(gone_on, last_synced_at=tried_at, last_error=None, consecutive_failures=0)


def whole_since(store: Store, state: SyncState, span: RowSpan, *, is_last: bool) -> int | None:
    """Return since when no fill is missing; UTC milliseconds, None if nobody knows yet.

    As many rows as the venue hands out at most, none of which was mirrored before, end a whole
    history and begin a new one: there may be more between the two. How many rows there are is
    known with the last page.

    Args:
        state: before the run.
    """
    before = state.whole_since_ms
    if state.last_synced_at is None:  # the first run to end well; others may have been cut off
        if not is_last:
            return before
        with reading(store) as conn:
            since_ms = state_rows.newest_since(conn, state.sub_account_id, REACHABLE_FILLS)
        return max(before or 0, since_ms)
    reaches_back = span.rows == 0 or span.first_ms <= (state.last_synced_ts_ms or 0)
    if reaches_back or (is_last and span.rows < REACHABLE_FILLS):
        return before
    return span.first_ms


def _ms(moment: datetime) -> int:
    return (moment - EPOCH) // _MS

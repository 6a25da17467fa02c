"""Mirror what a venue has of an account: one source of one account at a time."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from afterword.pipeline.clock import EPOCH, Clock, to_micros
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.accounts.model import Account
from afterword.pipeline.domain.funding.read import payments_in
from afterword.pipeline.domain.history.files import FileMark
from afterword.pipeline.domain.history.import_fills import import_fills
from afterword.pipeline.domain.history.keep_funding import keep_funding
from afterword.pipeline.domain.sync import state_rows
from afterword.pipeline.domain.sync.pages import VenueRow
from afterword.pipeline.domain.sync.turn import SyncSource, SyncState
from afterword.pipeline.domain.sync.venue_fills import REACHABLE_FILLS, read_fills
from afterword.pipeline.domain.sync.venue_funding import read_funding
from afterword.pipeline.domain.venues.hyperliquid_api import parse_fills
from afterword.pipeline.gateway.venue.info import VenueInfo
from afterword.pipeline.ids import IdSource

LATE_MS: Final = 3_600_000
"""A row may become known so long after its time; what is younger is asked for again."""

_AHEAD: Final = timedelta(days=1)
"""The venue's clock may be ahead of ours."""

_MIRROR: Final = FileMark(
    sha256(b"mirror of hyperliquid").hexdigest(),
    "hyperliquid-fills",
    "the mirror of Hyperliquid",
    is_mirror=True,
)
"""Files of other layouts are compared with it: the page of the venue exports the same trades."""

_MS: Final = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class MirrorParts:
    """What a mirror works with.

    Args:
        store: of the group.
        embeds: whether an embedder is configured.
        max_ready: ready jobs of one kind beyond which it stops; 0 means no bound.
    """

    store: Store
    clock: Clock
    ids: IdSource
    embeds: bool = False
    max_ready: int = 0


MirrorStep = tuple[SyncState, int]
"""How far a mirror is once a page is stored, and how many of its rows were new. A run that is cut
off goes on there."""


def mirror_fills(
    parts: MirrorParts, info: VenueInfo, account: Account, state: SyncState
) -> Iterator[MirrorStep]:
    """Mirror the fills of an account since the last run, page by page.

    Raises:
        AskFailedError: no usable reply; see `HyperliquidInfo.ask` for the others.
        InvalidInputError: a row is no fill; nothing of its page was stored.
        UnavailableError: the store cannot be written now.
    """
    tried_at = parts.clock()
    start_ms = _start_ms(state)
    # Since the last run that ended well: one that failed meanwhile asked for nothing of the gap.
    if state.last_synced_at is not None:
        with reading(parts.store) as conn:
            gap = state_rows.new_gap(conn, account.name, to_micros(state.last_synced_at))
        start_ms = start_ms if gap is None else min(start_ms, gap)
    end_ms = _end_ms(state, tried_at)
    span, waiting, full_ms = _RowSpan(), list[VenueRow](), -1
    for page in read_fills(info, account.address, start_ms, end_ms):
        # The next page may have more of the last moment, and a trip needs all of it.
        rows = [*waiting, *page.rows]
        whole = [row for row in rows if row["time"] <= page.upto_ms]
        waiting = rows[len(whole) :]
        new = _keep_fills(parts, account, whole)
        span = span.and_then(whole)
        full_ms = max(full_ms, -1 if page.full_at_ms is None else page.full_at_ms)
        is_last = page.upto_ms >= end_ms
        since_ms = _whole_since_ms(parts, account, state, span, is_last=is_last)
        if full_ms >= 0:  # of a moment that fills a page the rest is missing
            since_ms = max(since_ms or 0, full_ms + 1)
        synced = _synced(state, tried_at, span, is_last=is_last)
        yield replace(synced, whole_since_ms=since_ms), new


def mirror_funding(
    parts: MirrorParts, info: VenueInfo, account: Account, state: SyncState
) -> Iterator[MirrorStep]:
    """Mirror the funding of an account since the last run, page by page; see `mirror_fills`.

    The trips that it falls into are derived again by the next mirror of fills.
    """
    tried_at = parts.clock()
    end_ms = _end_ms(state, tried_at)
    span = _RowSpan()
    for page in read_funding(info, account.address, _start_ms(state), end_ms):
        payments = payments_in(page.rows)
        new = keep_funding(
            parts.store, account.name, account.venue, payments, parts.clock, account.address
        )
        span = span.and_then(page.rows)
        is_last = page.upto_ms >= end_ms
        synced = _synced(state, tried_at, span, is_last=is_last)
        yield replace(synced, whole_since_ms=0 if is_last else state.whole_since_ms), new


Mirror = Callable[[MirrorParts, VenueInfo, Account, SyncState], Iterator[MirrorStep]]

MIRRORS: Final[Sequence[tuple[SyncSource, Mirror]]] = (
    ("funding", mirror_funding),
    ("perps_fills", mirror_fills),
)
"""The sources in the order in which they are mirrored: fills derive the trips."""


@dataclass(frozen=True, slots=True)
class _RowSpan:
    """What a run has read so far.

    Args:
        rows: count.
        first_ms, last_ms: time of the oldest and of the newest row; UTC milliseconds.
    """

    rows: int = 0
    first_ms: int = 0
    last_ms: int = 0

    def and_then(self, rows: Sequence[VenueRow]) -> "_RowSpan":
        """Return the span with the rows of one more page."""
        if not rows:
            return self
        first_ms: int = rows[0]["time"] if self.rows == 0 else self.first_ms
        return _RowSpan(self.rows + len(rows), first_ms, rows[-1]["time"])


def _keep_fills(parts: MirrorParts, account: Account, rows: Sequence[VenueRow]) -> int:
    counts = import_fills(
        parts.store,
        parse_fills(list(rows), account.name, "fills"),
        parts.clock,
        parts.ids,
        file=_MIRROR,
        wallets={account.name: account.address},
        embedding_enabled=parts.embeds,
        max_ready=parts.max_ready,
    )
    return counts.fills_new


def _start_ms(state: SyncState) -> int:
    if state.last_synced_ts_ms is None:
        return 0
    return max(0, state.last_synced_ts_ms - LATE_MS)


def _end_ms(state: SyncState, now: datetime) -> int:
    """Return up to when to ask; a clock that was set back must not end the mirror."""
    return max(_ms(now), state.last_synced_ts_ms or 0) + _AHEAD // _MS


def _ms(moment: datetime) -> int:
    return (moment - EPOCH) // _MS


def _synced(state: SyncState, tried_at: datetime, span: _RowSpan, *, is_last: bool) -> SyncState:
    """Return the state after a page; the next run goes on from the newest row.

    A row of the future, by a clock that is wrong at the venue or here, must not carry the mirror
    past what happens until then.
    """
    newest = state.last_synced_ts_ms
    if span.rows:
        newest = max(newest or 0, min(span.last_ms, _ms(tried_at)))
    gone_on = replace(state, last_synced_ts_ms=newest, last_tried_at=tried_at)
    if not is_last:
        return gone_on
    return replace(gone_on, last_synced_at=tried_at, last_error=None, consecutive_failures=0)


def _whole_since_ms(
    parts: MirrorParts, account: Account, state: SyncState, span: _RowSpan, *, is_last: bool
) -> int | None:
    """Return since when nothing is missing.

    As many rows as the venue hands out at most, none of which was mirrored before, end a whole
    history and begin a new one: there may be more between the two. Until the last page nobody
    knows how many rows there are.
    """
    before = state.whole_since_ms
    if state.last_synced_at is None:  # the first run to end well; others may have been cut off
        if not is_last:
            return before
        with reading(parts.store) as conn:
            since_ms = state_rows.newest_since(conn, account.name, REACHABLE_FILLS)
        return max(before or 0, since_ms)
    reaches_back = span.rows == 0 or span.first_ms <= (state.last_synced_ts_ms or 0)
    if reaches_back or (is_last and span.rows < REACHABLE_FILLS):
        return before
    return span.first_ms

"""Mirror what a venue has of an account: one source of one account at a time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final, NamedTuple

from afterword.pipeline.clock import EPOCH, Clock, to_micros
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.accounts.model import Account
from afterword.pipeline.domain.funding.read import payments_in
from afterword.pipeline.domain.history.files import FileMark, SetAside, known_files
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


class MirrorRun(NamedTuple):
    """What one run of a mirror did.

    Args:
        new: rows that were not mirrored before; count.
        full_ms: moments with more rows than the venue hands out of one; UTC milliseconds.
        set_aside: what was left out, since a file tells of the same trades, otherwise.
    """

    state: SyncState
    new: int
    full_ms: tuple[int, ...] = ()
    set_aside: tuple[SetAside, ...] = ()


def mirror_fills(
    parts: MirrorParts, info: VenueInfo, account: Account, state: SyncState
) -> MirrorRun:
    """Mirror the fills of an account since the last run.

    Raises:
        AskFailedError: no usable reply; see `HyperliquidInfo.ask` for the others.
        InvalidInputError: a row is no fill; nothing was stored.
        UnavailableError: the store cannot be written now.
    """
    tried_at = parts.clock()
    start_ms = _start_ms(state)
    # Since the last run that ended well: one that failed meanwhile asked for nothing of the gap.
    if state.last_synced_at is not None:
        with reading(parts.store) as conn:
            gap = state_rows.new_gap(conn, account.name, to_micros(state.last_synced_at))
        start_ms = start_ms if gap is None else min(start_ms, gap)
    rows: list[VenueRow] = []
    full_ms: list[int] = []
    for page in read_fills(info, account.address, start_ms, _end_ms(state, tried_at)):
        rows += page.rows
        full_ms += [] if page.full_at_ms is None else [page.full_at_ms]
    fills = parse_fills(list(rows), account.name, "fills")
    counts = import_fills(
        parts.store,
        fills,
        parts.clock,
        parts.ids,
        file=_MIRROR,
        wallets={account.name: account.address},
        embedding_enabled=parts.embeds,
        max_ready=parts.max_ready,
    )
    # Of a moment that fills a page the rest is missing.
    whole_since_ms = max(_whole_since_ms(state, rows), *(at_ms + 1 for at_ms in (-1, *full_ms)))
    synced = replace(_synced(state, tried_at, rows), whole_since_ms=whole_since_ms)
    aside = _set_aside(parts.store, account) if counts.fills_set_aside else ()
    return MirrorRun(synced, counts.fills_new, tuple(full_ms), aside)


def mirror_funding(
    parts: MirrorParts, info: VenueInfo, account: Account, state: SyncState
) -> MirrorRun:
    """Mirror the funding of an account since the last run; see `mirror_fills`.

    The trips that it falls into are derived again by the next mirror of fills.
    """
    tried_at = parts.clock()
    rows: list[VenueRow] = []
    full_ms: list[int] = []
    end_ms = _end_ms(state, tried_at)
    for page in read_funding(info, account.address, _start_ms(state), end_ms):
        rows += page.rows
        full_ms += [] if page.full_at_ms is None else [page.full_at_ms]
    payments = payments_in(rows)
    new = keep_funding(
        parts.store, account.name, account.venue, payments, parts.clock, account.address
    )
    # Of a moment that fills a page the rest is missing.
    whole_since_ms = max(state.whole_since_ms or 0, *(at_ms + 1 for at_ms in (-1, *full_ms)))
    synced = replace(_synced(state, tried_at, rows), whole_since_ms=whole_since_ms)
    return MirrorRun(synced, new, tuple(full_ms))


_Mirror = Callable[[MirrorParts, VenueInfo, Account, SyncState], MirrorRun]

MIRRORS: Final[Sequence[tuple[SyncSource, _Mirror]]] = (
    ("funding", mirror_funding),
    ("perps_fills", mirror_fills),
)
"""The sources in the order in which they are mirrored: fills derive the trips."""


def _set_aside(store: Store, account: Account) -> tuple[SetAside, ...]:
    """Return what of the mirror of an account was left out, so far."""
    with reading(store) as conn:
        files = known_files(conn, account.name)
    return tuple(part for file in files if file.digest == _MIRROR.digest for part in file.set_aside)


def _start_ms(state: SyncState) -> int:
    if state.last_synced_ts_ms is None:
        return 0
    return max(0, state.last_synced_ts_ms - LATE_MS)


def _end_ms(state: SyncState, now: datetime) -> int:
    """Return up to when to ask; a clock that was set back must not end the mirror."""
    return max((now - EPOCH) // _MS, state.last_synced_ts_ms or 0) + _AHEAD // _MS


def _synced(state: SyncState, tried_at: datetime, rows: Sequence[VenueRow]) -> SyncState:
    """Return the state after a run that ended well; it goes on from the newest row it has."""
    moments: list[Any] = [row["time"] for row in rows]
    newest = max((state.last_synced_ts_ms or 0, *moments)) if moments else state.last_synced_ts_ms
    return replace(
        state,
        last_synced_ts_ms=newest,
        last_synced_at=tried_at,
        last_tried_at=tried_at,
        last_error=None,
        consecutive_failures=0,
    )


def _whole_since_ms(state: SyncState, rows: Sequence[VenueRow]) -> int:
    """Return since when nothing is missing.

    As many rows as the venue hands out at most, none of which was mirrored before, end a whole
    history and begin a new one: there may be more between the two.
    """
    before = 0 if state.whole_since_ms is None else state.whole_since_ms
    if len(rows) < REACHABLE_FILLS:
        return before
    first: int = rows[0]["time"]
    reaches_back = state.last_synced_ts_ms is not None and first <= state.last_synced_ts_ms
    return before if reaches_back else first

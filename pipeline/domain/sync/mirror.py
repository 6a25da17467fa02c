"""Mirror what a venue has of an account: one source of one account at a time."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from afterword.pipeline.clock import EPOCH, Clock, to_micros
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.accounts.model import Account
from afterword.pipeline.domain.history.import_fills import import_fills
from afterword.pipeline.domain.history.keep_funding import keep_funding
from afterword.pipeline.domain.sync import state_rows
from afterword.pipeline.domain.sync.account_history import AccountHistory, HistoryPart, HistoryRow
from afterword.pipeline.domain.sync.turn import SyncSource, SyncState
from afterword.pipeline.gateway.exchanges.build import Exchanges
from afterword.pipeline.ids import IdSource

LATE_MS: Final = 3_600_000
"""A row may become known so long after its time; what is younger is asked for again."""

_AHEAD: Final = timedelta(days=1)
"""The venue's clock may be ahead of ours."""

_MS: Final = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class MirrorParts:
    """What a mirror works with.

    Args:
        store: of the group.
        exchanges: the way to accounts with a key; None in a process that asks none.
        embeds: whether an embedder is configured.
        max_ready: ready jobs of one kind beyond which it stops; 0 means no bound.
    """

    store: Store
    clock: Clock
    ids: IdSource
    embeds: bool = False
    max_ready: int = 0
    exchanges: Exchanges | None = None


def mirror_fills(
    parts: MirrorParts, history: AccountHistory, account: Account, state: SyncState
) -> tuple[SyncState, int]:
    """Mirror the fills of an account since the last run; return its state, and how many were new.

    Each part of the history is stored with how far it reaches, so that a run that is killed goes on
    from there.

    Raises:
        AskFailedError: no usable reply; see `AccountHistory` for the others.
        InvalidInputError: a row is no fill; nothing of its part was stored.
        UnavailableError: the store cannot be written now.
    """
    tried_at, new = parts.clock(), 0
    start_ms = _start_ms(state)
    # Since the last run that ended well: one that failed meanwhile asked for nothing of the gap.
    if state.last_synced_at is not None:
        with reading(parts.store) as conn:
            gap = state_rows.new_gap(conn, account.name, to_micros(state.last_synced_at))
        start_ms = start_ms if gap is None else min(start_ms, gap)
    reached = state
    for part in history.fills(start_ms, _end_ms(state, tried_at)):
        counts = import_fills(
            parts.store,
            part.rows,
            parts.clock,
            parts.ids,
            file=history.file,
            wallets={account.name: account.address},
            embedding_enabled=parts.embeds,
            max_ready=parts.max_ready,
        )
        new += counts.fills_new
        reached = _reached(parts, reached, state, part, tried_at)
    return _synced(reached, tried_at), new


def mirror_funding(
    parts: MirrorParts, history: AccountHistory, account: Account, state: SyncState
) -> tuple[SyncState, int]:
    """Mirror the funding of an account since the last run; see `mirror_fills`.

    The trips that it falls into are derived again by the next mirror of fills.
    """
    tried_at, new, reached = parts.clock(), 0, state
    for part in history.payments(_start_ms(state), _end_ms(state, tried_at)):
        new += keep_funding(
            parts.store, account.name, account.venue, part.rows, parts.clock, account.address
        )
        reached = _reached(parts, reached, state, part, tried_at)
    return _synced(reached, tried_at), new


_Mirror = Callable[[MirrorParts, AccountHistory, Account, SyncState], tuple[SyncState, int]]

MIRRORS: Final[Mapping[SyncSource, _Mirror]] = {
    "funding": mirror_funding,
    "perps_fills": mirror_fills,
}


def _start_ms(state: SyncState) -> int:
    if state.last_synced_ts_ms is None:
        return 0
    return max(0, state.last_synced_ts_ms - LATE_MS)


def _end_ms(state: SyncState, now: datetime) -> int:
    """Return up to when to ask; a clock that was set back must not end the mirror."""
    return max((now - EPOCH) // _MS, state.last_synced_ts_ms or 0) + _AHEAD // _MS


def _reached(
    parts: MirrorParts,
    reached: SyncState,
    before: SyncState,
    part: HistoryPart[HistoryRow],
    tried_at: datetime,
) -> SyncState:
    """Store how far a mirror is after a part, and return it.

    Args:
        reached: after the part before it.
        before: this run.
    """
    upto = [ms for ms in (reached.last_synced_ts_ms, part.upto_ms) if ms is not None]
    # Of a moment that fills a page the rest is missing.
    missing = [at_ms + 1 for at_ms in part.missing_ms]
    state = replace(
        reached,
        last_synced_ts_ms=max(upto, default=None),
        whole_since_ms=max(reached.whole_since_ms or 0, _whole_since_ms(before, part), *missing),
        last_tried_at=tried_at,
    )
    with writing(parts.store) as conn:
        state_rows.save(conn, state)
    return state


def _whole_since_ms(before: SyncState, part: HistoryPart[HistoryRow]) -> int:
    """Return since when nothing is missing.

    What the venue tells no longer ends a whole history and begins a new one, unless the mirror
    reaches back to it.
    """
    whole = before.whole_since_ms or 0
    reaches_back = (
        before.last_synced_ts_ms is not None and part.since_ms <= before.last_synced_ts_ms
    )
    return whole if not part.since_ms or reaches_back else part.since_ms


def _synced(reached: SyncState, tried_at: datetime) -> SyncState:
    """Return the state after a run that ended well; it goes on from the newest row it has."""
    return replace(
        reached,
        whole_since_ms=reached.whole_since_ms or 0,
        last_synced_at=tried_at,
        last_tried_at=tried_at,
        last_error=None,
        consecutive_failures=0,
    )

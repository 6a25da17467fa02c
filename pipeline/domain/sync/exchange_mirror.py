"""Mirror what an exchange has of the account of a key: one source of one account at a time."""

from collections.abc import Iterator
from contextlib import closing

from afterword.pipeline.domain.accounts.model import VENUE, Account
from afterword.pipeline.domain.history.import_fills import import_fills
from afterword.pipeline.domain.history.keep_funding import keep_funding
from afterword.pipeline.domain.sync.exchange_history import (
    ExchangeHistory,
    HistoryPart,
    HistoryRow,
)
from afterword.pipeline.domain.sync.mirror import MirrorParts, MirrorStep, set_aside_of
from afterword.pipeline.domain.sync.progress import (
    asked_from,
    asked_upto,
    ended_well,
    fills_asked_from,
    read_upto,
)
from afterword.pipeline.domain.sync.turn import SyncState
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.venue.info import VenueInfo


def mirror_exchange_fills(
    parts: MirrorParts, _info: VenueInfo, account: Account, state: SyncState
) -> Iterator[MirrorStep]:
    """Mirror the fills of an account since the last run, a span that the venue grants at a time.

    Raises:
        AskFailedError: no usable reply; see `ExchangeHistory` for the others.
        InvalidInputError: its key, or a row that is no fill; nothing of its part was stored.
        UnavailableError: the store cannot be written now.
    """
    tried_at, reached = parts.clock(), state
    start_ms, end_ms = fills_asked_from(parts.store, state, tried_at), asked_upto(state, tried_at)
    with closing(_opened(parts, account)) as history:
        for part in history.fills(start_ms, end_ms):
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
            whole_since_ms = _whole_since_ms(state, reached, part)
            reached = read_upto(reached, tried_at, part.upto_ms, whole_since_ms)
            is_any = counts.fills_set_aside > 0
            aside = set_aside_of(parts.store, account, history.file) if is_any else ()
            yield MirrorStep(reached, counts.fills_new, tuple(part.missing_ms), aside)
    yield MirrorStep(ended_well(reached, tried_at), 0)


def mirror_exchange_funding(
    parts: MirrorParts, _info: VenueInfo, account: Account, state: SyncState
) -> Iterator[MirrorStep]:
    """Mirror the funding of an account since the last run; see `mirror_exchange_fills`.

    The trips that it falls into are derived again by the next mirror of fills.
    """
    tried_at, reached = parts.clock(), state
    with closing(_opened(parts, account)) as history:
        for part in history.payments(asked_from(state, tried_at), asked_upto(state, tried_at)):
            new = keep_funding(
                parts.store, account.name, account.venue, part.rows, parts.clock, account.address
            )
            whole_since_ms = _whole_since_ms(state, reached, part)
            reached = read_upto(reached, tried_at, part.upto_ms, whole_since_ms)
            yield MirrorStep(reached, new, tuple(part.missing_ms))
    yield MirrorStep(ended_well(reached, tried_at), 0)


def _opened(parts: MirrorParts, account: Account) -> ExchangeHistory:
    if parts.exchanges is None:
        raise InvalidInputError("venue", "is asked by no part of this process", VENUE)
    return ExchangeHistory(parts.exchanges, account)


def _whole_since_ms(before: SyncState, reached: SyncState, part: HistoryPart[HistoryRow]) -> int:
    """Return since when nothing is missing.

    What the venue tells no longer ends a whole history and begins a new one, unless the mirror
    reaches back to it. Of a moment that fills a page the rest is missing.

    Args:
        before: the run.
        reached: after the part before this one.
    """
    last_ms = before.last_synced_ts_ms
    reaches_back = last_ms is not None and part.since_ms <= last_ms
    begins_ms = 0 if reaches_back else part.since_ms
    missing = (at_ms + 1 for at_ms in part.missing_ms)
    return max(reached.whole_since_ms or 0, begins_ms, *missing)

"""Mirror what Hyperliquid has of an account: one source of one account at a time."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Final, NamedTuple

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.accounts.model import Account
from afterword.pipeline.domain.balances import rows as balance_rows
from afterword.pipeline.domain.balances.ask import ask_value
from afterword.pipeline.domain.balances.model import AccountValue
from afterword.pipeline.domain.funding.read import payments_in
from afterword.pipeline.domain.history.files import FileMark, SetAside, known_files
from afterword.pipeline.domain.history.import_fills import import_fills
from afterword.pipeline.domain.history.keep_funding import keep_funding
from afterword.pipeline.domain.sync.pages import VenuePage, VenueRow
from afterword.pipeline.domain.sync.progress import (
    RowSpan,
    after_page,
    asked_from,
    asked_upto,
    fills_asked_from,
    whole_since,
)
from afterword.pipeline.domain.sync.turn import SyncSource, SyncState
from afterword.pipeline.domain.sync.venue_fills import read_fills
from afterword.pipeline.domain.sync.venue_funding import read_funding
from afterword.pipeline.domain.sync.venue_ledger import read_ledger
from afterword.pipeline.domain.transfers import rows as transfer_rows
from afterword.pipeline.domain.transfers.read import transfers_in
from afterword.pipeline.domain.venues.hyperliquid_api import parse_fills
from afterword.pipeline.gateway.exchanges.build import Exchanges
from afterword.pipeline.gateway.venue.info import VenueInfo
from afterword.pipeline.ids import IdSource

_MIRROR: Final = FileMark(
    sha256(b"mirror of hyperliquid").hexdigest(),
    "hyperliquid-fills",
    "the mirror of Hyperliquid",
    is_mirror=True,
)
"""Files of other layouts are compared with it: the page of the venue exports the same trades."""


@dataclass(frozen=True, slots=True)
class MirrorParts:
    """What a mirror works with.

    Args:
        store: of the group.
        embeds: whether an embedder is configured.
        max_ready: ready jobs of one kind beyond which it stops; 0 means no bound.
        exchanges: the way to accounts with a key; None in a process that asks none.
    """

    store: Store
    clock: Clock
    ids: IdSource
    embeds: bool = False
    max_ready: int = 0
    exchanges: Exchanges | None = None


class MirrorStep(NamedTuple):
    """How far a mirror is once a page is stored; a run that is cut off goes on there.

    Args:
        new: rows of the page that were not mirrored before; count.
        missing_ms: moments of which rows are missing: the venue hands out no more, or nobody says
            how many units they have; UTC milliseconds.
        set_aside: what was left out so far, since a file tells of the same trades, otherwise;
            empty if nothing of this page was.
    """

    state: SyncState
    new: int
    missing_ms: tuple[int, ...] = ()
    set_aside: tuple[SetAside, ...] = ()


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
    start_ms = fills_asked_from(parts.store, state, tried_at)
    end_ms = asked_upto(state, tried_at)
    span, waiting, full_upto_ms = RowSpan(), list[VenueRow](), 0
    for page in read_fills(info, account.address, start_ms, end_ms):
        # The next page may have more of the last moment, and a trip needs all of it.
        rows = [*waiting, *page.rows]
        whole = [row for row in rows if row["time"] <= page.upto_ms]
        waiting = rows[len(whole) :]
        new, set_aside = _keep_fills(parts, account, whole)
        span = span.and_then(whole)
        full_upto_ms = max(full_upto_ms, _after_full(page))
        is_last = page.upto_ms >= end_ms
        since_ms = whole_since(parts.store, state, span, is_last=is_last)
        if full_upto_ms:
            since_ms = max(since_ms or 0, full_upto_ms)
        synced = after_page(state, tried_at, span, since_ms, is_last=is_last)
        yield MirrorStep(synced, new, _full(page), set_aside)


def mirror_funding(
    parts: MirrorParts, info: VenueInfo, account: Account, state: SyncState
) -> Iterator[MirrorStep]:
    """Mirror the funding of an account since the last run, page by page; see `mirror_fills`.

    The trips that it falls into are derived again by the next mirror of fills.
    """
    tried_at = parts.clock()
    end_ms = asked_upto(state, tried_at)
    span, since_ms = RowSpan(), state.whole_since_ms or 0
    for page in read_funding(info, account.address, asked_from(state, tried_at), end_ms):
        payments = payments_in(page.rows)
        new = keep_funding(
            parts.store, account.name, account.venue, payments, parts.clock, account.address
        )
        span = span.and_then(page.rows)
        since_ms = max(since_ms, _after_full(page))
        is_last = page.upto_ms >= end_ms
        synced = after_page(state, tried_at, span, since_ms, is_last=is_last)
        yield MirrorStep(synced, new, _full(page))


def mirror_transfers(
    parts: MirrorParts, info: VenueInfo, account: Account, state: SyncState
) -> Iterator[MirrorStep]:
    """Mirror the ledger of an account since the last run, and what it is worth; see `mirror_fills`.

    The value is asked first: all rows up to its moment are in what is asked after it.
    """
    tried_at = parts.clock()
    value = ask_value(info, account.address, tried_at)
    end_ms = asked_upto(state, tried_at)
    span, since_ms = RowSpan(), state.whole_since_ms or 0
    for page in read_ledger(info, account.address, asked_from(state, tried_at), end_ms):
        new = _keep_transfers(parts, account, page.rows)
        span = span.and_then(page.rows)
        since_ms = max(since_ms, _after_full(page))
        is_last = page.upto_ms >= end_ms
        if is_last:
            _keep_value(parts, account, value, tried_at)
        synced = after_page(state, tried_at, span, since_ms, is_last=is_last)
        yield MirrorStep(synced, new, _full(page))


Mirror = Callable[[MirrorParts, VenueInfo, Account, SyncState], Iterator[MirrorStep]]
"""Mirrors one source of an account; the `VenueInfo` is Hyperliquid's."""

HYPERLIQUID_MIRRORS: Final[Sequence[tuple[SyncSource, Mirror]]] = (
    ("transfers", mirror_transfers),
    ("funding", mirror_funding),
    ("perps_fills", mirror_fills),
)
"""The sources in the order in which they are mirrored: fills derive the trips."""


def _full(page: VenuePage) -> tuple[int, ...]:
    return () if page.full_at_ms is None else (page.full_at_ms,)


def _after_full(page: VenuePage) -> int:
    """Return from when on a page misses nothing, since of a moment that fills it the rest is
    missing; UTC milliseconds."""
    return 0 if page.full_at_ms is None else page.full_at_ms + 1


def _keep_fills(
    parts: MirrorParts, account: Account, rows: Sequence[VenueRow]
) -> tuple[int, tuple[SetAside, ...]]:
    """Return how many fills were new, and what was left out so far; see `MirrorStep`."""
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
    is_any = counts.fills_set_aside > 0
    return counts.fills_new, set_aside_of(parts.store, account, _MIRROR) if is_any else ()


def set_aside_of(store: Store, account: Account, mirror: FileMark) -> tuple[SetAside, ...]:
    """Return what of the mirror of an account was left out so far."""
    with reading(store) as conn:
        files = known_files(conn, account.name)
    return tuple(part for file in files if file.digest == mirror.digest for part in file.set_aside)


def _keep_transfers(parts: MirrorParts, account: Account, rows: Sequence[VenueRow]) -> int:
    transfers = transfers_in(rows, account.address)
    if not transfers:
        return 0
    of_account, now = (account.name, account.venue), to_micros(parts.clock())
    with writing(parts.store) as conn:
        new = transfer_rows.insert(conn, *of_account, transfers, now, account.address)
    unknown = sum(transfer.usdc is None for transfer in new)
    if unknown:
        emit("history.unknown_transfers", level="WARNING", updates=unknown)
    return len(new)


def _keep_value(
    parts: MirrorParts, account: Account, value: AccountValue, asked_at: datetime
) -> None:
    of_account, now = (account.name, account.venue), to_micros(parts.clock())
    with writing(parts.store) as conn:
        balance_rows.insert(conn, *of_account, value, to_micros(asked_at), now, account.address)

"""Mirror what a venue has of an account: one source of one account at a time."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Final

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.accounts.model import Account
from afterword.pipeline.domain.balances import rows as balance_rows
from afterword.pipeline.domain.balances.ask import ask_value
from afterword.pipeline.domain.balances.model import AccountValue
from afterword.pipeline.domain.funding.read import payments_in
from afterword.pipeline.domain.history.files import FileMark
from afterword.pipeline.domain.history.import_fills import import_fills
from afterword.pipeline.domain.history.keep_funding import keep_funding
from afterword.pipeline.domain.sync import state_rows
from afterword.pipeline.domain.sync.pages import VenueRow
from afterword.pipeline.domain.sync.progress import (
    RowSpan,
    after_page,
    asked_from,
    asked_upto,
    whole_since,
)
from afterword.pipeline.domain.sync.turn import SyncSource, SyncState, was_cut_off
from afterword.pipeline.domain.sync.venue_fills import read_fills
from afterword.pipeline.domain.sync.venue_funding import read_funding
from afterword.pipeline.domain.sync.venue_ledger import read_ledger
from afterword.pipeline.domain.transfers import rows as transfer_rows
from afterword.pipeline.domain.transfers.read import transfers_in
from afterword.pipeline.domain.venues.hyperliquid_api import parse_fills
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
    start_ms = asked_from(state, tried_at)
    # Since the last run that ended well: one that failed meanwhile asked for nothing of the gap.
    if state.last_synced_at is not None and not was_cut_off(state):
        with reading(parts.store) as conn:
            gap = state_rows.new_gap(conn, account.name, to_micros(state.last_synced_at))
        start_ms = start_ms if gap is None else min(start_ms, gap)
    end_ms = asked_upto(state, tried_at)
    span, waiting, full_ms = RowSpan(), list[VenueRow](), -1
    for page in read_fills(info, account.address, start_ms, end_ms):
        # The next page may have more of the last moment, and a trip needs all of it.
        rows = [*waiting, *page.rows]
        whole = [row for row in rows if row["time"] <= page.upto_ms]
        waiting = rows[len(whole) :]
        new = _keep_fills(parts, account, whole)
        span = span.and_then(whole)
        full_ms = max(full_ms, -1 if page.full_at_ms is None else page.full_at_ms)
        is_last = page.upto_ms >= end_ms
        since_ms = whole_since(parts.store, state, span, is_last=is_last)
        if full_ms >= 0:  # of a moment that fills a page the rest is missing
            since_ms = max(since_ms or 0, full_ms + 1)
        yield after_page(state, tried_at, span, since_ms, is_last=is_last), new


def mirror_funding(
    parts: MirrorParts, info: VenueInfo, account: Account, state: SyncState
) -> Iterator[MirrorStep]:
    """Mirror the funding of an account since the last run, page by page; see `mirror_fills`.

    The trips that it falls into are derived again by the next mirror of fills.
    """
    tried_at = parts.clock()
    end_ms = asked_upto(state, tried_at)
    span = RowSpan()
    for page in read_funding(info, account.address, asked_from(state, tried_at), end_ms):
        payments = payments_in(page.rows)
        new = keep_funding(
            parts.store, account.name, account.venue, payments, parts.clock, account.address
        )
        span = span.and_then(page.rows)
        is_last = page.upto_ms >= end_ms
        since_ms = 0 if is_last else state.whole_since_ms
        yield after_page(state, tried_at, span, since_ms, is_last=is_last), new


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
        since_ms = max(since_ms, -1 if page.full_at_ms is None else page.full_at_ms + 1)
        is_last = page.upto_ms >= end_ms
        if is_last:
            _keep_value(parts, account, value, tried_at)
        yield after_page(state, tried_at, span, since_ms, is_last=is_last), new


Mirror = Callable[[MirrorParts, VenueInfo, Account, SyncState], Iterator[MirrorStep]]

MIRRORS: Final[Sequence[tuple[SyncSource, Mirror]]] = (
    ("transfers", mirror_transfers),
    ("funding", mirror_funding),
    ("perps_fills", mirror_fills),
)
"""The sources in the order in which they are mirrored: fills derive the trips."""


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

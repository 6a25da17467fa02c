"""Mirror fills into the store, and remember the round trips they close."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Final

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.fills import rows
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.fills.rows import FileFill
from afterword.pipeline.domain.history.files import FileMark, keep_file, keep_set_aside
from afterword.pipeline.domain.history.other_layouts import OtherLayouts
from afterword.pipeline.domain.history.spool import Spool
from afterword.pipeline.domain.history.stopped import saying_how_far
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.trips import closed_rows
from afterword.pipeline.domain.trips.closed_rows import FileTrade
from afterword.pipeline.domain.trips.settle_closed import settle_closed
from afterword.pipeline.domain.trips.settle_fills import STRETCH, ShowProgress, settle_fills, silent
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.ids import IdSource

INSERTED_AT_ONCE: Final = 1_000
"""Fills one transaction inserts; it holds the only writer for some 20 ms."""

_WALLET: Final = re.compile(r"0x[0-9a-fA-F]{40}|[a-z]{2,20}:[0-9A-Za-z]{1,40}")


@dataclass(frozen=True, slots=True)
class ImportCounts:
    """What an import did; counts.

    Args:
        fills_known: fills that were here before, or came twice.
        gaps_found: places where a page is missing, reported for the first time.
        gaps_filled: reported ones that these fills closed.
        trips_new: closed trips seen for the first time.
        trips_changed: trips with more fills after a late page.
        trips_gone: trips a late page made a part of another one, or took the end from.
        memories: memories written.
        closed_trades_new, closed_trades_known: positions reported without their fills.
        closed_trades_covered: of which the fills are known too, so that those count.
        undecided: equal fills without an id where this file meets another, kept once: one fill
            that both hold, or two.
        fills_twin: fills that a file of another layout brought; they count once.
        fills_set_aside: fills left out, since another layout tells of the same trades, otherwise.
        disagreements: new and changed trips whose profit is not the venue's.
    """

    fills_new: int
    fills_known: int
    gaps_found: int = 0
    gaps_filled: int = 0
    trips_new: int = 0
    trips_changed: int = 0
    trips_gone: int = 0
    memories: int = 0
    closed_trades_new: int = 0
    closed_trades_known: int = 0
    closed_trades_covered: int = 0
    undecided: int = 0
    fills_twin: int = 0
    fills_set_aside: int = 0
    disagreements: int = 0


def import_fills(
    store: Store,
    fills: Sequence[Fill],
    clock: Clock,
    ids: IdSource,
    *,
    file: FileMark | None = None,
    wallets: Mapping[str, str] | None = None,
    embedding_enabled: bool = False,
    max_ready: int = 0,
    stretch: int = STRETCH,
) -> ImportCounts:
    """Mirror the fills of one page or file; see `import_spool`.

    Args:
        fills: of any accounts and markets, in the order of the page.

    Raises:
        InvalidInputError: no address, an amount too large, a bad count; nothing was written.
        UnavailableError: the backlog is full, or the store cannot be written now; import again.
    """
    with Spool() as spool:
        for fill in fills:
            spool.add(fill)
        spool.close_file()
        return import_spool(
            store,
            spool,
            clock,
            ids,
            file=file,
            wallets=wallets,
            embedding_enabled=embedding_enabled,
            max_ready=max_ready,
            stretch=stretch,
        )


def import_spool(
    store: Store,
    spool: Spool,
    clock: Clock,
    ids: IdSource,
    *,
    file: FileMark | None = None,
    wallets: Mapping[str, str] | None = None,
    embedding_enabled: bool = False,
    max_ready: int = 0,
    stretch: int = STRETCH,
    remembers: bool = True,
    on_progress: ShowProgress = silent,
) -> ImportCounts:
    """Mirror fills and closed trades; every trip they close becomes a memory, written anew if a
    page is late.

    Any number of short transactions: each leaves the store consistent, and what a killed import
    left undone the next one does, whatever it imports. A second import of the same fills changes
    nothing. The work grows with the new fills and those since the last flat position before them,
    not with the account; a market that was never flat since is read as a whole.

    Args:
        spool: closed; its items were all found to be sound.
        clock: read once a write has its turn, so that rows become known in their order.
        file: what identifies the file, so that fills without ids at its two ends can be compared
            with those of other files; None if all its fills have ids.
        wallets: address by account, which distinguishes its own liquidations;
            one that is new here has all trips of its account derived again.
        embedding_enabled: whether an embedder is configured; without one no job is added.
        max_ready: ready jobs of one kind beyond which the import stops; 0 means no bound.
        stretch: fills read and settled at once; count, 1 or more.
        remembers: False writes no memories of trips of fills, in a store that nobody will ask.

    Raises:
        InvalidInputError: no address, a bad count; nothing was written.
        ImportStoppedError: the backlog is full, or the store cannot be written now; import again.
    """
    _check(stretch, wallets or {})
    known = _keep_wallets(store, spool.accounts, wallets or {})
    counts: Counter[str] = Counter()
    others = OtherLayouts(store, spool, file)
    layout = "" if file is None else file.layout
    with saying_how_far(spool, counts):
        if file is not None:
            counts["undecided"] = keep_file(store, spool.spans(), file, clock)
        for chunk in spool.chunks(INSERTED_AT_ONCE):
            counts["fills_new"] += _insert(store, others.take(chunk), known, clock, layout)
            counts["rows"] += len(chunk)
            emit("history.stored", fills=counts["rows"])
            on_progress("fills", counts["rows"], spool.fills)
        counts.update(fills_twin=others.twins, fills_set_aside=others.unclear)
        left_out = others.twins + others.unclear
        counts["fills_known"] = spool.fills - counts["fills_new"] - left_out
        for trades in spool.closed_trades(INSERTED_AT_ONCE):
            counts["closed_trades_new"] += _insert_trades(store, trades, clock)
            counts["rows"] += len(trades)
        counts["closed_trades_known"] = spool.trades - counts["closed_trades_new"]
        if file is not None:
            keep_set_aside(store, spool.spans(), file, others.set_aside)
        by = Writer(store, clock, ids, "system", embeds=embedding_enabled)
        counts.update(settle_fills(store, by, clock, max_ready, stretch, remembers, on_progress))
        counts.update(settle_closed(store, by, clock, max_ready))
    imported = ImportCounts(**{name: counts[name] for name in ImportCounts.__slots__})
    emit("history.imported", **asdict(imported))
    return imported


def _check(stretch: int, wallets: Mapping[str, str]) -> None:
    if stretch < 1:
        raise InvalidInputError("stretch", f"is {stretch}", "1 or more")
    for account, wallet in wallets.items():
        if not _WALLET.fullmatch(wallet):
            raise InvalidInputError(
                f"wallets.{account}", "is not an address", "0x and 40 hex digits, or venue:number"
            )


def _keep_wallets(
    store: Store, file_accounts: set[str], wallets: Mapping[str, str]
) -> dict[str, str | None]:
    """Return the address of every account, those that are news here written first."""
    accounts = wallets.keys() | file_accounts
    with reading(store) as conn:
        known = {account: rows.wallet_of(conn, account) for account in sorted(accounts)}
    for account, wallet in wallets.items():
        if known[account] != wallet.lower():
            known[account] = wallet.lower()
            with writing(store) as conn:
                rows.set_wallet(conn, account, wallet.lower())
    return known


def _insert(
    store: Store,
    fills: Sequence[FileFill],
    wallets: Mapping[str, str | None],
    clock: Clock,
    layout: str,
) -> int:
    with reading(store) as conn:
        new, ranks = rows.new_fills(conn, fills)
    if not new and not ranks:
        return 0
    with writing(store) as conn:
        if ranks:
            rows.raise_ranks(conn, ranks)
        return rows.insert_fills(conn, new, wallets, to_micros(clock()), layout) if new else 0


def _insert_trades(store: Store, trades: Sequence[FileTrade], clock: Clock) -> int:
    with reading(store) as conn:
        new = closed_rows.new_trades(conn, trades)
    if not new:
        return 0
    with writing(store) as conn:
        return closed_rows.insert_trades(conn, new, to_micros(clock()))

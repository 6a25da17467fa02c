"""Mirror fills into the store, and remember the round trips they close."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Final

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.jobs.add import check_backlog
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.history import rows
from afterword.pipeline.domain.history.gather import gather
from afterword.pipeline.domain.history.model import Fill
from afterword.pipeline.domain.history.settle import settle
from afterword.pipeline.domain.history.settlement import settlement
from afterword.pipeline.domain.memory.area import EXTRACT_EDGES
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.ids import IdSource

CHUNK: Final = 500
"""Fills one transaction inserts; it holds the only writer for some 10 ms."""

STRETCH: Final = 500
"""Fills read and settled at once, in 15 ms of the only writer (40 ms if every second one closes a
trip); more where one position has more fills."""

MOST_USD: Final = Decimal(10**9)
"""Largest profit or fee of one fill: a column of micro-USD holds the sum of 9,000 of them."""

_WALLET: Final = re.compile(r"0x[0-9a-fA-F]{40}")


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
    """

    fills_new: int
    fills_known: int
    gaps_found: int = 0
    gaps_filled: int = 0
    trips_new: int = 0
    trips_changed: int = 0
    trips_gone: int = 0
    memories: int = 0


def import_fills(
    store: Store,
    fills: Sequence[Fill],
    clock: Clock,
    ids: IdSource,
    *,
    wallets: Mapping[str, str] | None = None,
    embedding_enabled: bool = False,
    max_ready: int = 0,
    stretch: int = STRETCH,
) -> ImportCounts:
    """Mirror fills; every round trip they close becomes a memory, written anew if a page is late.

    Any number of short transactions: each leaves the store consistent, and what a killed import
    left undone the next one does, whatever it imports. A second import of the same fills changes
    nothing. The work grows with the new fills and those since the last flat position before them,
    not with the account; a market that was never flat since is read as a whole.

    Args:
        fills: of any accounts and coins, in the order their pages gave them.
        clock: read once a write has its turn, so that rows become known in their order.
        wallets: 0x address by account, which distinguishes its own liquidations;
            one that is new here has all trips of its account derived again.
        embedding_enabled: whether an embedder is configured; without one no job is added.
        max_ready: ready jobs of one kind beyond which the import stops; 0 means no bound.
        stretch: fills read and settled at once; count, 1 or more.

    Raises:
        InvalidInputError: no address, an amount too large, a bad count; nothing was written.
        UnavailableError: the backlog is full, or the store cannot be written now; import again.
    """
    if stretch < 1:
        raise InvalidInputError("stretch", f"is {stretch}", "1 or more")
    _check(fills, wallets or {})
    known = _keep_wallets(store, fills, wallets or {})
    new = sum(
        _insert(store, fills[start : start + CHUNK], known, clock)
        for start in range(0, len(fills), CHUNK)
    )
    done = _settle_all(store, clock, ids, embedding_enabled, max_ready, stretch)
    imported = ImportCounts(fills_new=new, fills_known=len(fills) - new, **done)
    emit("history.imported", **asdict(imported))
    return imported


def _check(fills: Sequence[Fill], wallets: Mapping[str, str]) -> None:
    for account, wallet in wallets.items():
        if not _WALLET.fullmatch(wallet):
            raise InvalidInputError(f"wallets.{account}", "is no address", "0x and 40 hex digits")
    for index, fill in enumerate(fills):
        for field, amount in (("closedPnl", fill.closed_pnl), ("fee", fill.fee)):
            if abs(amount) > MOST_USD:
                accepted = f"up to {MOST_USD:,} USD either way"
                raise InvalidInputError(f"fills[{index}].{field}", f"is {amount}", accepted)


def _keep_wallets(
    store: Store, fills: Sequence[Fill], wallets: Mapping[str, str]
) -> dict[str, str | None]:
    """Return the address of every account, those that are news here written first."""
    accounts = wallets.keys() | {fill.account for fill in fills}
    with reading(store) as conn:
        known = {account: rows.wallet_of(conn, account) for account in sorted(accounts)}
    for account, wallet in wallets.items():
        if known[account] != wallet.lower():
            known[account] = wallet.lower()
            with writing(store) as conn:
                rows.set_wallet(conn, account, wallet.lower())
    return known


def _insert(
    store: Store, fills: Sequence[Fill], wallets: Mapping[str, str | None], clock: Clock
) -> int:
    with reading(store) as conn:
        new = rows.new_fills(conn, fills)
    if not new:
        return 0
    prepared = rows.fill_rows(new, wallets)
    with writing(store) as conn:
        return rows.insert_fills(conn, prepared, to_micros(clock()))


def _settle_all(
    store: Store,
    clock: Clock,
    ids: IdSource,
    embedding_enabled: bool,
    max_ready: int,
    stretch: int,
) -> Counter[str]:
    """Settle every fill that has no place yet, and count what that changed."""
    by = Writer(store, clock, ids, "system", embeds=embedding_enabled)
    done: Counter[str] = Counter()
    most = stretch
    while True:
        with reading(store) as conn:
            gathered = gather(conn, most)
        if gathered is None:
            return done
        # Derived outside the transaction: it must not hold the only writer.
        found = settlement(gathered)
        if found is None:
            most *= 2
            continue
        most = stretch
        with writing(store) as conn:
            check_backlog(conn, EXTRACT_EDGES, max_ready)
            if rows.mark(conn, gathered.span) != gathered.mark:
                continue  # another import was here: read again what there is now
            memories = settle(conn, by, found, clock())
        done.update(
            gaps_found=len(found.gaps_found),
            gaps_filled=len(found.gaps_filled),
            trips_new=len(found.changes.new),
            trips_changed=len(found.changes.changed),
            trips_gone=len(found.changes.gone),
            memories=memories,
        )

"""However a mirror came about, it has the tables of an import of the same rows as a file."""

from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import timedelta
from decimal import Decimal
from itertools import count
from random import Random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from afterword.pipeline.clock import EPOCH, Clock
from afterword.pipeline.core.store import Store, Stores, reading
from afterword.pipeline.domain.accounts.add import add_account
from afterword.pipeline.domain.funding.read import payments_in
from afterword.pipeline.domain.history.import_fills import import_fills
from afterword.pipeline.domain.history.keep_funding import keep_funding
from afterword.pipeline.domain.sync.mirror import MirrorParts
from afterword.pipeline.domain.sync.sync import sync_accounts
from afterword.pipeline.domain.sync.turn import SyncPauses
from afterword.pipeline.domain.venues.hyperliquid_api import parse_fills
from afterword.pipeline.errors import PostponedError, UnavailableError
from afterword.pipeline.gateway.venue.info import HyperliquidInfo
from afterword.pipeline.ids import IdSource
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.faulty_server import (
    Behaviour,
    Reply,
    answer,
    cut,
    refuses,
    says,
)
from afterword.pipeline.testing.venue_server import VenueServer, venue_fill, venue_payment

PAUSES = SyncPauses()
ADDRESS = "0x" + "ab" * 20
FAULTS: dict[str, Behaviour] = {
    "none": answer,
    "500": refuses(500),
    "cut": cut,
    "html": says(b"<html>"),
    "429": refuses(429),
}
STORED = {
    "fills": "SELECT fill_uid, order_in_ms FROM perps_fills ORDER BY 1",
    "funding": "SELECT symbol, ts_ms, amount FROM funding_payments ORDER BY 1, 2",
    "trips": "SELECT trip_uid, digest, fills, net, funding, flags FROM round_trips "
    "WHERE superseded_at IS NULL ORDER BY 1",
    "gaps": "SELECT symbol, from_ms, to_ms, expected_position, found_position FROM fill_gaps "
    "WHERE filled_at IS NULL ORDER BY 1, 2, 3",
    "memories": "SELECT content FROM memories "
    "WHERE superseded_at IS NULL AND deleted_at IS NULL ORDER BY 1",
}
NUMBERS = count()


def traded(chance: Random, fills: int, upto_ms: int) -> list[Reply]:
    """Return fills of two markets in the order in which they happened; some share a moment."""
    held = {"BTC": Decimal(0), "ETH": Decimal(0)}
    steps = [chance.choice((0, 0, 1, 90_000, 1_500_000)) for _ in range(fills)]
    at_ms, rows = upto_ms - sum(steps), []
    for tid, step in enumerate(steps, start=1):
        at_ms += step
        coin = chance.choice(tuple(held))
        before = held[coin]
        units = -before if before and chance.random() < 0.3 else Decimal(chance.randint(-4, 4) or 1)
        held[coin] = before + units
        row = venue_fill(tid, at_ms, f"{units}", f"{before}", coin=coin, oid=tid // 2)
        rows.append(row | {"px": f"{chance.randint(90, 110)}.5"})
    return rows


def late(chance: Random, parts: int) -> int:
    """Return the part before which the venue does not tell of a fill: for a few, the last one."""
    return parts - 1 if chance.random() < 0.1 else 0


def tables(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    with reading(store) as conn:
        return {
            name: [tuple(row) for row in conn.exec_driver_sql(query)]
            for name, query in STORED.items()
        }


@contextmanager
def asking(venue: VenueServer, clock: Clock) -> Iterator[HyperliquidInfo]:
    with closing(HyperliquidInfo(venue.origin, 5, clock)) as info:
        yield info


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    seed=st.integers(0, 2**32),
    fills=st.integers(1, 260),
    page_fills=st.sampled_from((100, 137, 2_000)),
    page_rows=st.sampled_from((100, 500)),
    parts=st.integers(1, 5),
    lost=st.integers(0, 2),
    faults=st.lists(st.sampled_from(tuple(FAULTS)), max_size=10),
)
def test_a_mirror_ends_in_the_tables_of_a_file(
    stores: Stores,
    clock: ManualClock,
    ids: IdSource,
    seed: int,
    fills: int,
    page_fills: int,
    page_rows: int,
    parts: int,
    lost: int,
    faults: list[str],
) -> None:
    chance, number = Random(seed), next(NUMBERS)
    now_ms = (clock() - EPOCH) // timedelta(milliseconds=1)
    rows = traded(chance, fills, now_ms - 60_000)
    for _ in range(min(lost, len(rows) - 1)):  # the venue never tells of them: gaps
        del rows[chance.randrange(len(rows))]
    first_ms = rows[0]["time"]
    funding = [
        venue_payment(first_ms + place * 400_000, chance.choice(("BTC", "ETH")), "-0.5")
        for place in range(min(180, (now_ms - first_ms) // 400_000))
    ]
    store = stores.group(f"mirror-{number}", create=True)
    with (
        VenueServer(page_fills=page_fills, page_rows=page_rows) as venue,
        asking(venue, clock) as info,
    ):
        account = venue.account(ADDRESS)
        add_account(store, info, "main", ADDRESS, "own", clock)
        venue.script(*(FAULTS[fault] for fault in faults))
        comes = [max(place * parts // len(rows), late(chance, parts)) for place in range(len(rows))]
        for part in range(parts):
            account.trade(
                row for row, with_part in zip(rows, comes, strict=True) if with_part == part
            )
            account.funding = funding[: len(funding) * (part + 1) // parts]
            with suppress(UnavailableError, PostponedError):
                sync_accounts(MirrorParts(store, clock, ids), info, PAUSES)
            clock.advance(minutes=chance.choice((5, 31)))
        venue.recover()
        for _ in range(2):
            clock.advance(days=1)  # what came very late is found, and its trips are derived again
            sync_accounts(MirrorParts(store, clock, ids), info, PAUSES)
        assert len(account.fills) == len(rows)
    beside = stores.group(f"file-{number}", create=True)
    import_fills(
        beside, parse_fills(list(rows), "main", "fills"), clock, ids, wallets={"main": ADDRESS}
    )
    keep_funding(beside, "main", "hyperliquid", payments_in(funding), clock, ADDRESS)
    import_fills(beside, [], clock, ids)
    mirrored, imported = tables(store), tables(beside)
    for name in STORED:
        assert mirrored[name] == imported[name], name

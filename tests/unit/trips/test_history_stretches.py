"""However fills arrive, in whatever pages and order, the store ends up telling the same trips."""

import random
from decimal import ROUND_FLOOR, Decimal
from itertools import count, pairwise

import pytest
from sqlalchemy import text

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.history.import_fills import import_fills
from afterword.pipeline.domain.trips.chain import chain_fills
from afterword.pipeline.domain.trips.describe import describe_trip
from afterword.pipeline.domain.trips.model import Chain
from afterword.pipeline.domain.trips.round_trips import round_trips
from afterword.pipeline.domain.venues.hyperliquid_api import parse_fills
from afterword.pipeline.ids import seeded_uids
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.fills import traded

Told = dict[str, list[tuple[str, ...]]]

STORED = {
    "order": """SELECT fill_uid FROM perps_fills WHERE sub_account_id = :account
        ORDER BY ts_ms, order_in_ms""",
    "trips": """SELECT trip_uid, digest FROM round_trips
        WHERE sub_account_id = :account AND superseded_at IS NULL ORDER BY 1""",
    "gaps": """SELECT a.fill_uid, b.fill_uid FROM fill_gaps AS g
        JOIN perps_fills AS a ON a.id = g.earlier_fill_id
        JOIN perps_fills AS b ON b.id = g.later_fill_id
        WHERE g.sub_account_id = :account AND filled_at IS NULL
        ORDER BY b.ts_ms, b.order_in_ms""",
    "memories": """SELECT content FROM memories WHERE metadata ->> 'account' = :account
        AND superseded_at IS NULL AND deleted_at IS NULL ORDER BY 1""",
}

IDS = seeded_uids(1)
ACCOUNTS = (f"account{number}" for number in count())
"""Every example is an account of its own in one store: a fresh file for each takes too long."""


def imported(
    store: Store, fills: list[Fill], chance: random.Random
) -> tuple[Told, dict[str, Fill]]:
    """Import fills in some pages; return what is told now, and the fills by uid."""
    pages, stretch = chance.randint(1, 6), chance.randint(1, 12)
    for page in range(pages):
        import_fills(store, fills[page::pages], ManualClock(), IDS, stretch=stretch)
    with reading(store) as conn:
        told = {
            name: [tuple(row) for row in conn.execute(text(query), {"account": fills[0].account})]
            for name, query in STORED.items()
        }
    return told, {fill.fill_uid: fill for fill in fills}


def implied(chain: Chain) -> Told:
    """Return what a chain implies, derived as a whole and without a store."""
    trips = round_trips(chain).closed
    return {
        "order": [(fill.fill_uid,) for fill in chain.fills],
        "trips": sorted((trip.trip_uid, trip.digest) for trip in trips),
        "gaps": [
            (earlier.fill_uid, later.fill_uid)
            for earlier, later in pairwise(chain.fills)
            if later.states_position and earlier.end_position != later.start_position
        ],
        "memories": sorted((describe_trip(trip),) for trip in trips),
    }


def walk(chance: random.Random, *, crowded: bool, coin: str) -> list[Fill]:
    """Return fills that chain and often go flat.

    Unless they are crowded, only one order is possible inside a millisecond.
    """
    moves, ms, position, seen = [], 0, 0, {0}
    for _ in range(chance.randint(1, 60)):
        flattens = position and chance.random() < 0.3
        move = -position if flattens else chance.choice([-3, -2, -1, 1, 2, 3])
        if chance.random() < 0.25 or (not crowded and position + move in seen):
            ms, seen = ms + 1, {position}
        moves.append((ms, position, move))
        position += move
        seen.add(position)
    return fills_of(moves, coin)


def jumps(chance: random.Random) -> list[Fill]:
    """Return fills that have nothing to do with each other, one in a millisecond."""
    times = chance.sample(range(200), chance.randint(1, 40))
    moves = [(ms, chance.randint(-3, 3), chance.choice([-2, -1, 1, 2])) for ms in times]
    return fills_of(moves, "ETH")


def lots(chance: random.Random) -> list[Fill]:
    """Return trades in whole lots whose fees in the coin leave rests, which are sold one day."""
    account, held, moves = next(ACCOUNTS), Decimal(0), []
    for minute in range(chance.randint(1, 40)):
        whole = held.quantize(LOT, ROUND_FLOOR)
        if whole and chance.random() < 0.5:
            size = -chance.choice([whole, whole, whole / 2]).quantize(LOT, ROUND_FLOOR)
        else:
            size = LOT * chance.randint(10, 200)
        if size:
            fee = max(size, Decimal(0)) / 1000
            held += size - fee
            moves.append((minute, size, fee))
    return [
        traded(
            minute, str(size), "60000", fee=fee, fee_token="BTC", account=account, tid=str(minute)
        )
        for minute, size, fee in moves
    ]


LOT = Decimal("0.00001")


def fills_of(moves: list[tuple[int, int, int]], coin: str) -> list[Fill]:
    """Return fills of (milliseconds, start position, signed units)."""
    rows = [
        {
            "coin": coin,
            "px": str(100 + tid),
            "sz": str(abs(move)),
            "side": "B" if move > 0 else "A",
            "time": 1784500000000 + ms,
            "startPosition": str(start),
            "dir": "any word",
            "closedPnl": str(tid) if start * move < 0 else "0",
            "hash": "0x0",
            "oid": 1,
            "crossed": True,
            "fee": "0.01",
            "tid": tid,
        }
        for tid, (ms, start, move) in enumerate(moves, start=1)
    ]
    return parse_fills(rows, next(ACCOUNTS), "fills")


@pytest.mark.parametrize("coin", ["ETH", "@107"])
def test_pages_in_any_order_end_like_one_import(store, coin):
    for seed in range(80):
        chance = random.Random(seed)
        executed = walk(chance, crowded=False, coin=coin)

        told, _ = imported(store, chance.sample(executed, len(executed)), chance)

        assert told == implied(*chain_fills(executed)), f"seed {seed}"


def test_pages_of_lots_and_rests_end_like_one_import(store):
    rests = 0
    for seed in range(80):
        chance = random.Random(seed)
        executed = lots(chance)

        told, _ = imported(store, chance.sample(executed, len(executed)), chance)

        assert told == implied(*chain_fills(executed)), f"seed {seed}"
        rests += sum(
            "dust_left" in trip.flags for trip in round_trips(*chain_fills(executed)).closed
        )
    assert rests > 100


def test_fills_that_do_not_chain_end_like_one_import_too(store):
    for seed in range(80):
        chance = random.Random(seed)
        known = jumps(chance)

        told, _ = imported(store, known, chance)

        assert told == implied(*chain_fills(known)), f"seed {seed}"


def test_where_several_orders_are_possible_what_is_told_is_that_of_the_stored_one(store):
    for seed in range(120):
        chance = random.Random(seed)
        executed = walk(chance, crowded=True, coin="ETH")
        known = chance.sample(executed, -(-len(executed) * 2 // 3))

        told, by_uid = imported(store, known, chance)

        ordered = tuple(by_uid[uid] for (uid,) in told["order"])
        assert told == implied(Chain(known[0].market, ordered, ())), f"seed {seed}"

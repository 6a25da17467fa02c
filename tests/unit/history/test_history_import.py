"""Importing fills: what is stored, what is remembered, and what a late page changes."""

import json
import os
import random
import threading
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from afterword.pipeline.clock import from_millis, to_micros
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.store.content_hash import content_hash
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.fills.rows import insert_fills
from afterword.pipeline.domain.history.import_fills import INSERTED_AT_ONCE, import_fills
from afterword.pipeline.domain.history.spool import Spool
from afterword.pipeline.domain.memory.read import read_memories
from afterword.pipeline.domain.trips.gather import gather
from afterword.pipeline.domain.trips.stretch_rows import mark
from afterword.pipeline.domain.venues.hyperliquid_api import parse_fills, read_fills_file
from afterword.pipeline.errors import InvalidInputError, UnavailableError
from afterword.pipeline.ids import seeded_uids
from afterword.pipeline.testing.clock import ManualClock

SHARED = Path(os.environ.get("AFTERWORD_SHARED") or Path(__file__).parents[4] / "shared")
FILLS = SHARED / "data" / "fills"
real_data = pytest.mark.skipif(not FILLS.is_dir(), reason="no shared folder with real fills")

START_MS = 1784500000000
MINUTE_MS = 60_000
OWN = "0x1111111111111111111111111111111111111111"


def a_fill(minute: int, start: str, move: str, px: str = "100.0", **changes: Any) -> Fill:
    """Return a fill of `move` signed units from `start`; keywords replace fields of its row."""
    row = {
        "coin": "ETH",
        "px": px,
        "sz": move.lstrip("+-"),
        "side": "A" if move.startswith("-") else "B",
        "time": START_MS + minute * MINUTE_MS,
        "startPosition": start,
        "dir": "any word",
        "closedPnl": "0.0",
        "hash": "0x0",
        "oid": 1,
        "crossed": True,
        "fee": "0.0",
        "feeToken": "USDC",
        "tid": minute + 1,
    }
    (fill,) = parse_fills([row | changes], "me", "fills")
    return fill


LONG = (
    a_fill(0, "0.0", "+0.4", "3200.0", fee="0.5"),
    a_fill(1, "0.4", "+0.6", "3200.0", fee="0.5"),
    a_fill(60, "1.0", "-0.5", "3440.0", fee="0.5", closedPnl="120.0"),
    a_fill(125, "0.5", "-0.5", "3460.0", fee="0.4", closedPnl="130.0"),
)
TOLD = (
    "long ETH from $3200 to $3450, closed +7.75 % net (+$248.10, fees $1.90), "
    "held 2 h 5 min, 4 fills"
)


def rows(store: Store, query: str) -> list[Any]:
    with reading(store) as conn:
        return list(conn.execute(text(query)))


def spooled(fills: list[Fill]) -> Spool:
    spool = Spool()
    for fill in fills:
        spool.add(fill)
    spool.close_file()
    return spool


def told(store: Store) -> list[str]:
    """Return what living memories say."""
    return sorted(memory.content for memory in read_memories(store, limit=1000))


def remembered(store: Store) -> list[tuple[Any, ...]]:
    """Return everything living memories hold, but ids and the time they became known."""
    found = read_memories(store, "trade_outcome", 1000)
    keys = [(m.content, json.dumps(m.metadata), str(m.occurred_at), m.origin) for m in found]
    return sorted(keys)


def hashes(store: Store) -> dict[str, str]:
    with reading(store) as conn:
        tables = conn.execute(text("SELECT name FROM pragma_table_list WHERE type = 'table'"))
        return {name: content_hash(conn, name) for name in sorted(tables.scalars())}


def test_a_closed_trip_is_remembered_with_the_figures_of_its_row(store, clock, ids):
    done = import_fills(store, LONG, clock, ids)

    assert (done.fills_new, done.trips_new, done.memories) == (4, 1, 1)
    (memory,) = read_memories(store)
    assert (memory.category, memory.origin, memory.content) == ("trade_outcome", "import", TOLD)
    assert memory.occurred_at == from_millis(START_MS + 125 * MINUTE_MS)
    ((trip,),) = rows(
        store,
        """SELECT json_object('trip_uid', trip_uid, 'account', sub_account_id, 'symbol', symbol,
             'direction', direction, 'gross_micro_usd', gross_micro_usd,
             'fee_micro_usd', fee_micro_usd, 'net_micro_usd', net_micro_usd) FROM round_trips""",
    )
    assert json.loads(trip).items() <= memory.metadata.items()
    assert memory.metadata["net_micro_usd"] == 248_100_000
    assert memory.metadata["return_on_entry"] == "0.07753125"


def test_a_memory_comes_with_its_jobs_and_its_line_in_the_audit_log(store, clock, ids):
    import_fills(store, LONG, clock, ids, embedding_enabled=True)

    ((memory_id,),) = rows(store, "SELECT memory_id FROM round_trips")
    assert rows(store, "SELECT kind, payload ->> 'memory_id' FROM jobs ORDER BY kind") == [
        ("embed_memories", memory_id),
        ("extract_edges", memory_id),
    ]
    assert rows(store, "SELECT actor, tool_call, object_id FROM audit_log") == [
        ("system", "memory.write", memory_id)
    ]


def test_a_fill_is_stored_exactly_and_its_dollars_as_whole_micro_dollars(store, clock, ids):
    tiny = a_fill(0, "0.0", "1234567.00010", "0.0000013", fee="-0.0000017", closedPnl="-0.0000005")

    import_fills(store, [tiny], clock, ids, wallets={"me": OWN})

    columns = "size, price, start_position, closed_pnl, fee, fee_token, oid, tid, wallet_address"
    assert rows(store, f"SELECT {columns} FROM perps_fills") == [
        ("1234567.0001", "0.0000013", "0", "-0.0000005", "-0.0000017", "USDC", "1", "1", OWN)
    ]
    dollars = "gross_micro_usd, fee_micro_usd, net_micro_usd"
    assert rows(store, f"SELECT {dollars} FROM perps_fills") == [(0, -2, 2)]
    assert rows(store, "SELECT raw_json, created_at FROM perps_fills") == [
        (tiny.raw, to_micros(clock()))
    ]


def test_a_fee_in_another_token_is_no_dollar(store, clock, ids):
    import_fills(store, [a_fill(0, "0", "1", fee="0.007", feeToken="HYPE")], clock, ids)

    assert rows(store, "SELECT fee, fee_token, fee_micro_usd FROM perps_fills") == [
        ("0.007", "HYPE", 0)
    ]


def test_importing_again_changes_no_table(store, clock, ids):
    import_fills(store, LONG, clock, ids)
    before = hashes(store)
    clock.advance(hours=1)

    again = import_fills(store, LONG, clock, ids)

    assert (again.fills_new, again.fills_known, again.memories) == (0, 4, 0)
    assert hashes(store) == before


def test_the_same_match_is_a_fill_of_each_of_its_two_accounts(store, clock, ids):
    (other,) = parse_fills([json.loads(LONG[0].raw)], "you", "fills")

    assert import_fills(store, [LONG[0], other, LONG[0]], clock, ids).fills_new == 2


def test_a_late_page_supersedes_what_it_changes(store, clock, ids):
    import_fills(store, [LONG[0], LONG[1], LONG[3]], clock, ids)
    (early,) = read_memories(store)
    clock.advance(hours=1)

    done = import_fills(store, [LONG[2]], clock, ids)

    assert (done.trips_changed, done.gaps_filled, done.memories) == (1, 1, 1)
    assert "fills are missing inside" in early.content
    assert told(store) == [TOLD]
    ((superseded_by, superseded_at),) = rows(
        store, f"SELECT superseded_by, superseded_at FROM memories WHERE id = {early.id}"
    )
    assert (superseded_by, superseded_at) == (read_memories(store)[0].id, to_micros(clock()))
    assert rows(store, "SELECT superseded_at IS NULL FROM round_trips ORDER BY id") == [(0,), (1,)]


def test_a_gap_is_reported_once_and_closed_by_the_page_that_was_missing(store, clock, ids):
    first = import_fills(store, [LONG[0], LONG[2], LONG[3]], clock, ids)
    found = rows(store, "SELECT from_ms, to_ms, expected_position, found_position FROM fill_gaps")
    clock.advance(hours=1)
    later = import_fills(store, LONG, clock, ids)

    assert (first.gaps_found, later.gaps_found, later.gaps_filled) == (1, 0, 1)
    assert found == [(START_MS, START_MS + 60 * MINUTE_MS, "0.4", "1")]
    assert rows(store, "SELECT filled_at FROM fill_gaps") == [(to_micros(clock()),)]


def test_a_gap_that_a_late_page_only_narrows_is_reported_anew(store, clock, ids):
    import_fills(store, [LONG[0], a_fill(90, "5.0", "-5.0")], clock, ids)

    done = import_fills(store, [LONG[1]], clock, ids)

    assert (done.gaps_found, done.gaps_filled) == (1, 1)
    assert rows(store, "SELECT expected_position FROM fill_gaps WHERE filled_at IS NULL") == [
        ("1",)
    ]


def test_a_late_opening_puts_the_longer_trip_in_the_place_of_the_shorter(store, clock, ids):
    import_fills(store, LONG[2:], clock, ids)
    (early,) = read_memories(store)

    done = import_fills(store, LONG[:2], clock, ids)

    assert (done.trips_new, done.trips_gone) == (1, 1)
    assert told(store) == [TOLD]
    ((superseded_by,),) = rows(store, f"SELECT superseded_by FROM memories WHERE id = {early.id}")
    assert superseded_by == read_memories(store)[0].id


@pytest.mark.parametrize("stretch", [1, 2, 3, 1000])
def test_a_late_page_that_splits_a_trip_leaves_two_memories(store, clock, ids, stretch):
    late = [a_fill(1, "5.0", "-5.0"), a_fill(8, "0.0", "3.0")]
    import_fills(store, [a_fill(0, "0.0", "5.0"), a_fill(9, "3.0", "-3.0")], clock, ids)

    done = import_fills(store, late, clock, ids, stretch=stretch)

    assert (done.trips_new, done.trips_changed, done.memories) == (1, 1, 2)
    assert [line.endswith("held 1 min, 2 fills") for line in told(store)] == [True, True]


def test_a_trip_that_lost_its_end_is_no_longer_told_and_the_past_still_knows_it(store, clock, ids):
    import_fills(store, [a_fill(0, "5.0", "3.0"), a_fill(9, "3.0", "-3.0")], clock, ids)
    (wrong,) = read_memories(store)
    clock.advance(hours=1)

    done = import_fills(store, [a_fill(5, "-4.0", "-2.0")], clock, ids)

    assert done.trips_gone == 1
    assert wrong.content not in told(store)
    assert rows(store, "SELECT memory_id, gone_at, back_at FROM memory_absences") == [
        (wrong.id, to_micros(clock()), None)
    ]
    assert ("memory.delete", wrong.id) in rows(store, "SELECT tool_call, object_id FROM audit_log")


@pytest.mark.parametrize("stretch", [1, 2, 3, 1000])
def test_a_late_flip_tells_the_trip_behind_it_again(store, clock, ids, stretch):
    flip = a_fill(0, "-1.0", "2.0")
    import_fills(store, [a_fill(1, "1.0", "-1.0"), a_fill(9, "-1.0", "1.0")], clock, ids)

    import_fills(store, [flip], clock, ids, stretch=stretch)

    ends = "SELECT direction, fills, json_array_length(flags) FROM round_trips"
    assert rows(store, f"{ends} WHERE superseded_at IS NULL ORDER BY closed_at") == [
        ("short", 1, 1),  # opened before it
        ("long", 2, 0),  # from the flip on
        ("short", 1, 1),
    ]


ONE_WAY = (a_fill(0, "0.0", "1.0", tid=8), a_fill(0, "1.0", "-1.0", tid=7))
OTHER_WAY = (a_fill(0, "0.0", "2.0", tid=6), a_fill(0, "2.0", "-2.0", tid=5))
ORDER = "SELECT tid, order_in_ms FROM perps_fills ORDER BY ts_ms, order_in_ms"


def test_fills_of_one_millisecond_that_could_go_either_way_keep_the_order_of_their_file(
    store, clock, ids
):
    import_fills(store, [*ONE_WAY, *OTHER_WAY], clock, ids)

    assert rows(store, ORDER) == [("8", 0), ("7", 1), ("6", 2), ("5", 3)]


@pytest.mark.parametrize("first", [ONE_WAY, OTHER_WAY])
def test_where_two_files_share_a_millisecond_their_order_does_not_matter(store, clock, ids, first):
    second = OTHER_WAY if first is ONE_WAY else ONE_WAY
    import_fills(store, first, clock, ids)
    import_fills(store, second, clock, ids)

    assert rows(store, ORDER) == [("6", 0), ("5", 1), ("8", 2), ("7", 3)]


def _untold(fill: Fill) -> Fill:
    """Return a fill without what only its file, or only its store, says."""
    return fill._replace(raw="", uid="")


@pytest.mark.parametrize("coin", ["ETH", "@107"])
def test_however_long_an_account_an_import_reads_on_from_its_last_flat_position(
    store, clock, ids, coin
):
    parts = [("0.0", "1.0"), ("1.0", "-1.0")] * 50
    fills = [a_fill(n, start, move, coin=coin, oid=n) for n, (start, move) in enumerate(parts)]
    import_fills(store, fills[:98], clock, ids)
    with writing(store) as conn:
        (unsettled,) = spooled(fills[98:]).chunks(10)
        insert_fills(conn, unsettled, {"me": None}, now=0)

    with reading(store) as conn:
        read = gather(conn, 1000)

    assert read is not None
    assert [_untold(stored.fill) for stored in read.fills] == [_untold(one) for one in fills[98:]]
    assert read.before is not None
    assert _untold(read.before.fill) == _untold(fills[97])


def test_a_memory_that_was_purged_or_forgotten_is_not_told_again(store, clock, ids):
    import_fills(store, [LONG[0], LONG[1], LONG[3]], clock, ids)
    with writing(store) as conn:
        conn.execute(text("DELETE FROM memories"))

    done = import_fills(store, [LONG[2]], clock, ids)

    assert (done.trips_changed, done.memories) == (1, 0)
    assert told(store) == []
    assert rows(store, "SELECT fills, memory_id FROM round_trips WHERE superseded_at IS NULL") == [
        (4, None)
    ]


def test_only_the_accounts_own_liquidation_is_told_once_its_address_is_known(store, clock, ids):
    forced = {"liquidatedUser": OWN.upper().replace("X", "x"), "method": "market"}
    fills = [a_fill(0, "0.0", "1.0"), a_fill(1, "1.0", "-1.0", liquidation=forced)]
    import_fills(store, fills, clock, ids)
    (unsure,) = told(store)

    import_fills(store, [], clock, ids, wallets={"me": OWN})
    import_fills(store, [a_fill(2, "0.0", "1.0")], clock, ids)  # without naming it again

    (sure,) = told(store)
    assert unsure.endswith("a liquidation took part, whose is unknown")
    assert sure.endswith("2 fills, liquidated")
    assert rows(store, "SELECT DISTINCT wallet_address FROM perps_fills") == [(OWN,)]


def test_an_address_that_is_none_is_refused_before_anything_is_written(store, clock, ids):
    with pytest.raises(InvalidInputError, match=r"wallets\.me: "):
        import_fills(store, LONG, clock, ids, wallets={"me": "0x1"})

    assert rows(store, "SELECT id FROM perps_fills") == []


def test_a_stretch_of_no_fills_is_refused(store, clock, ids):
    with pytest.raises(InvalidInputError, match=r"stretch: is 0"):
        import_fills(store, LONG, clock, ids, stretch=0)


@pytest.mark.parametrize("field", ["closedPnl", "fee"])
def test_an_amount_no_column_of_sums_can_hold_is_refused_by_its_place(store, clock, ids, field):
    huge = a_fill(3, "0.0", "1.0", **{field: "-1000000000.1"})

    with pytest.raises(InvalidInputError, match=rf"fills\[4\]\.{field}: "):
        import_fills(store, [*LONG, huge], clock, ids)

    assert rows(store, "SELECT id FROM perps_fills") == []


def test_a_full_backlog_stops_the_import_and_the_next_one_finishes_it(store, clock, ids):
    import_fills(store, LONG, clock, ids)
    more = [a_fill(200, "0.0", "1.0"), a_fill(201, "1.0", "-1.0")]

    with pytest.raises(UnavailableError, match="extract_edges"):
        import_fills(store, more, clock, ids, max_ready=1)

    assert len(told(store)) == 1
    assert import_fills(store, [], clock, ids, max_ready=2).trips_new == 1


class StoppedError(Exception):
    """What a kill looks like from inside."""


def stopping_after(clock: ManualClock, looks: int):
    """Return a clock that stops whoever looks at it once too often."""
    left = iter(range(looks))

    def look() -> datetime:
        if next(left, None) is None:
            raise StoppedError
        return clock()

    return look


def test_an_import_stopped_in_any_transaction_is_finished_by_the_next(stores, clock):
    fills = many_trips(2 * INSERTED_AT_ONCE)
    whole = stores.group("whole", create=True)
    import_fills(whole, fills, clock, seeded_uids(2))
    looks = 0
    while True:
        store = stores.group(f"stopped{looks}", create=True)
        try:
            import_fills(store, fills, stopping_after(clock, looks), seeded_uids(3), stretch=500)
            break
        except StoppedError:
            import_fills(store, fills, clock, seeded_uids(4))
        assert remembered(store) == remembered(whole)
        looks += 1
    assert looks >= 4  # two chunks and several stretches


def many_trips(count: int, coins: int = 2) -> list[Fill]:
    """Return fills of trips of two fills each, in several markets."""
    return [
        a_fill(n, "0.0" if n // coins % 2 == 0 else "1.0", "1.0" if n // coins % 2 == 0 else "-1.0")
        for n in range(count)
    ]


def test_two_imports_at_once_tell_every_trip_once(stores, clock):
    store, fills = stores.group("both", create=True), many_trips(400)
    results = []

    def run(seed: int) -> None:
        part = random.Random(seed).sample(fills, len(fills))
        results.append(import_fills(store, part, clock, seeded_uids(seed), stretch=20))

    threads = [threading.Thread(target=run, args=(seed,)) for seed in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sum(done.fills_new for done in results) == 400
    alone = stores.group("alone", create=True)
    import_fills(alone, fills, clock, seeded_uids(5))
    assert remembered(store) == remembered(alone)


def test_what_somebody_else_wrote_after_a_stretch_was_read_is_noticed(store, clock, ids):
    import_fills(store, LONG[:1], clock, ids)
    with writing(store) as conn:
        conn.execute(text("UPDATE perps_fills SET order_in_ms = NULL"))
    with reading(store) as conn:
        read = gather(conn, 10)

    import_fills(store, [], clock, ids)

    with reading(store) as conn:
        assert read is not None
        assert mark(conn, read.span) != read.mark
        assert gather(conn, 10) is None


def leaders() -> list[Fill]:
    return read_fills_file(FILLS / "hl_userfillsbytime_2026-07_leaders.json", "me")


@real_data
def test_the_leaders_import_whole_and_importing_them_again_changes_no_table(store, clock, ids):
    first = import_fills(store, leaders(), clock, ids)
    before = hashes(store)
    clock.advance(hours=1)

    again = import_fills(store, leaders(), clock, ids)

    assert (first.fills_new, first.gaps_found, first.trips_new, first.memories) == (1296, 0, 14, 14)
    assert (again.fills_new, again.fills_known, again.memories) == (0, 1296, 0)
    assert hashes(store) == before


@real_data
@pytest.mark.parametrize("stretch", [50, 1000])
def test_a_third_of_the_leaders_fills_may_come_late_and_in_any_order(stores, clock, stretch):
    at_once, late = stores.group("at_once", create=True), stores.group("late", create=True)
    chance = random.Random(7)
    shuffled = chance.sample(leaders(), 1296)
    import_fills(at_once, leaders(), clock, seeded_uids(2))

    first = import_fills(late, shuffled[432:], clock, seeded_uids(3), stretch=stretch)
    clock.advance(hours=1)
    then = import_fills(late, shuffled, clock, seeded_uids(4), stretch=stretch)

    assert first.gaps_found > 100
    assert (then.fills_new, then.fills_known) == (432, 864)
    assert remembered(late) == remembered(at_once)
    trips = "SELECT trip_uid, digest FROM round_trips WHERE superseded_at IS NULL ORDER BY 1"
    assert rows(late, trips) == rows(at_once, trips)
    assert rows(late, "SELECT count(*) FROM fill_gaps WHERE filled_at IS NULL") == [(0,)]
    order = """SELECT sub_account_id, symbol, fill_uid FROM perps_fills
        ORDER BY sub_account_id, symbol, ts_ms, order_in_ms"""
    assert rows(late, order) == rows(at_once, order)


@real_data
def test_the_page_of_2023_loses_no_fill_and_flags_its_gaps(store, clock, ids):
    page = read_fills_file(FILLS / "hl_userfills_2023-05_no_tid.json", "me")

    done = import_fills(store, page, clock, ids)

    assert (done.fills_new, done.gaps_found) == (500, 167)
    assert import_fills(store, page, clock, ids).fills_known == 500
    assert rows(store, "SELECT count(*) FROM perps_fills WHERE order_in_ms IS NULL") == [(0,)]


@real_data
def test_the_liquidated_account_of_2025_is_told_so(store, clock, ids):
    page = read_fills_file(FILLS / "hl_userfills_2025-10_liquidated.json", "me")
    owner = "0x109a42c3ead059b041560cb6da71058516e7ba3e"

    import_fills(store, page, clock, ids, wallets={"me": owner})

    assert sum(line.endswith(", liquidated") for line in told(store)) == 3

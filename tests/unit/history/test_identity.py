"""However the fills of a venue are cut into files, and in whatever order these come, one store."""

import random
from collections.abc import Sequence
from hashlib import sha256
from itertools import count
from typing import Any

import pytest
from sqlalchemy import text

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.history.files import FileMark, known_files, undecided_edges
from afterword.pipeline.domain.history.import_fills import ImportCounts, import_fills, import_spool
from afterword.pipeline.domain.history.spool import Spool
from afterword.pipeline.ids import seeded_uids
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.fills import traded

STORED = {
    "fills": """SELECT fill_uid, rank_in_ms, order_in_ms, size, price FROM perps_fills
        WHERE sub_account_id = :account ORDER BY symbol, ts_ms, order_in_ms""",
    "trips": """SELECT trip_uid, digest, fills, gross, venue_gross, fees, net, left_over, flags
        FROM round_trips WHERE sub_account_id = :account AND superseded_at IS NULL ORDER BY 1""",
    "files": """SELECT digest, fills, first_ms, last_ms, first_equal, last_equal
        FROM history_files WHERE sub_account_id = :account ORDER BY 1""",
    "memories": """SELECT content, metadata FROM memories
        WHERE metadata ->> 'account' = :account
        AND superseded_at IS NULL AND deleted_at IS NULL ORDER BY 1, 2""",
}
ACCOUNTS = (f"account{number}" for number in count())
IDS = seeded_uids(1)


def import_file(store: Store, fills: Sequence[Fill], stretch: int = 500) -> ImportCounts:
    """Import fills as one file, named by what it holds."""
    digest = sha256(repr([(one.fill_uid, one.line) for one in fills]).encode()).hexdigest()
    with Spool("file.csv") as spool:
        for fill in fills:
            spool.add(fill)
        spool.close_file()
        return import_spool(
            store, spool, ManualClock(), IDS, file=FileMark(digest, "test"), stretch=stretch
        )


def stored(store: Store, account: str) -> dict[str, list[tuple[Any, ...]]]:
    with reading(store) as conn:
        return {
            name: [tuple(row) for row in conn.execute(text(query), {"account": account})]
            for name, query in STORED.items()
        }


def undecided(store: Store, account: str) -> int:
    with reading(store) as conn:
        return sum(edge.fills for edge in undecided_edges(known_files(conn, account)))


def walk(chance: random.Random, account: str, *, has_ids: bool, apart: bool) -> list[Fill]:
    """Return fills of two markets, now and then several in one moment.

    Args:
        apart: whether every fill has a moment of its own.
    """
    fills, minute = [], 0
    for number in range(chance.randint(1, 40)):
        minute += 1 if apart else chance.choice([0, 1])
        kind = chance.choice(["spot", "perp"])
        size = chance.choice(["1", "2", "-1", "-2", "-3", "0.001"])
        values: dict[str, Any] = {"kind": kind, "account": account, "fee": "0.1"}
        if has_ids:
            values["tid"] = str(9_007_199_254_740_993 + number)
        if chance.random() < 0.3:
            values["effect"] = chance.choice(["open", "close"])
        if chance.random() < 0.3:
            values |= {"oid": str(chance.randint(1, 3)), "closed_pnl": "5"}
        fills.append(traded(minute, size, str(chance.randint(90, 110)), **values))
    return fills


def test_rows_that_are_shuffled_into_files_end_like_one_import(store):
    for seed in range(60):
        chance = random.Random(seed)
        one, other = next(ACCOUNTS), next(ACCOUNTS)
        executed = walk(random.Random(seed), one, has_ids=True, apart=True)
        again = walk(random.Random(seed), other, has_ids=True, apart=True)
        pages = chance.randint(1, 5)
        mixed = chance.sample(range(len(executed)), len(executed))

        import_file(store, executed)
        for page in range(pages):
            import_file(store, [again[n] for n in mixed[page::pages]], chance.randint(1, 9))

        whole, parts = stored(store, one), stored(store, other)
        assert [row[:4] for row in parts["fills"]] == [row[:4] for row in whole["fills"]], seed
        assert sorted(str(row[2:]) for row in parts["trips"]) == sorted(
            str(row[2:]) for row in whole["trips"]
        ), seed
        assert sorted(row[0] for row in parts["memories"]) == sorted(
            row[0] for row in whole["memories"]
        ), seed


@pytest.mark.parametrize("has_ids", [True, False])
def test_the_order_of_files_and_their_repetition_change_nothing(stores, has_ids):
    for seed in range(25):
        chance = random.Random(seed)
        executed = walk(chance, "me", has_ids=has_ids, apart=False)
        cuts = sorted(chance.choices(range(len(executed) + 1), k=4))
        files = [
            executed[max(0, begin - chance.randint(0, 4)) : end]
            for begin, end in zip([0, *cuts], [*cuts, len(executed)], strict=True)
        ]
        files = [one[::-1] if chance.random() < 0.3 else one for one in files if one]
        first = stores.group(f"a{has_ids}{seed}", create=True)
        second = stores.group(f"b{has_ids}{seed}", create=True)

        for one in files:
            import_file(first, one)
        for one in [*chance.sample(files, len(files)), *chance.sample(files, 1)]:
            import_file(second, one, chance.randint(1, 9))

        assert stored(second, "me") == stored(first, "me"), seed
        assert undecided(second, "me") == undecided(first, "me"), seed


def test_two_equal_fills_of_one_second_stay_two(store, clock, ids):
    twice = [traded(0, "1", "100"), traded(0, "1", "100")]

    first = import_fills(store, twice, clock, ids)
    again = import_fills(store, twice, clock, ids)

    assert (first.fills_new, again.fills_new, again.fills_known) == (2, 0, 2)


def test_the_part_of_two_files_that_overlaps_is_one(store):
    fills = [
        traded(0, "1", "100"),
        traded(1, "1", "100"),
        traded(1, "1", "100"),
        traded(2, "1", "9"),
    ]

    done = [import_file(store, fills[:3]), import_file(store, fills[1:])]

    assert [one.fills_new for one in done] == [3, 1]


def test_equal_fills_where_two_files_meet_are_kept_once_and_reported(store):
    early = [traded(0, "1", "100"), traded(5, "1", "100")]
    late = [traded(5, "1", "100"), traded(9, "1", "100")]

    done = [import_file(store, early), import_file(store, late), import_file(store, late)]

    assert [(one.fills_new, one.undecided) for one in done] == [(2, 0), (1, 1), (0, 0)]
    assert undecided(store, "me") == 1


def test_a_file_that_goes_on_over_the_edge_decides_it(store):
    early = [traded(0, "1", "100"), traded(5, "1", "100")]
    late = [traded(5, "1", "100"), traded(9, "1", "100")]
    both = [
        traded(4, "1", "90"),
        traded(5, "1", "100"),
        traded(5, "1", "100"),
        traded(6, "1", "90"),
    ]

    for one in (early, late, both):
        import_file(store, one)

    assert undecided(store, "me") == 0
    assert len(stored(store, "me")["fills"]) == 6


def test_fills_with_ids_leave_nothing_undecided(store):
    import_file(store, [traded(0, "1", "100", tid="1"), traded(5, "1", "100", tid="2")])
    done = import_file(store, [traded(5, "1", "100", tid="2"), traded(9, "1", "100", tid="3")])

    assert (done.fills_new, done.fills_known, done.undecided) == (1, 1, 0)


def test_an_id_above_the_precision_of_floats_is_kept_whole(store, clock, ids):
    large = [str(2**53), str(2**53 + 1), str(2**70), "TZX2WP-XSEHX-FP7WYR"]

    import_fills(store, [traded(n, "1", "9", tid=tid) for n, tid in enumerate(large)], clock, ids)

    with reading(store) as conn:
        found = conn.execute(text("SELECT tid FROM perps_fills ORDER BY ts_ms")).scalars()
        assert list(found) == large


def test_an_id_that_a_venue_gave_to_two_different_fills_names_both(store):
    fills = [traded(0, "1", "100", tid="7"), traded(1, "2", "101", tid="7")]

    done = [import_file(store, fills), import_file(store, fills[::-1])]

    assert [one.fills_new for one in done] == [2, 0]


def test_both_sides_of_a_trade_with_oneself_are_fills(store):
    own = [traded(0, "1", "100", tid="7"), traded(0, "-1", "100", tid="7")]

    assert import_file(store, own).fills_new == 2


def test_one_symbol_of_two_kinds_is_two_markets(store):
    import_file(store, [traded(0, "1", "100"), traded(1, "-1", "110", kind="perp")])

    assert stored(store, "me")["trips"] == []
    assert import_file(store, [traded(2, "1", "105", kind="perp")]).trips_new == 1


def test_fills_of_one_moment_in_a_newest_first_file_are_read_from_its_end(store):
    executed = [
        traded(0, "1", "100", tid="4"),
        traded(1, "-1", "110", tid="3"),
        traded(1, "1", "120", tid="9"),
        traded(2, "-1", "130", tid="1"),
    ]

    import_file(store, executed[::-1])

    assert [row[3:5] for row in stored(store, "me")["fills"]] == [
        ("1", "100"),
        ("1", "110"),
        ("1", "120"),
        ("1", "130"),
    ]


def test_a_purchase_that_comes_late_completes_the_sale(store):
    import_file(store, [traded(9, "-1", "110", tid="2")])
    done = import_file(store, [traded(0, "1", "100", tid="1")])

    assert (done.trips_new, done.trips_gone) == (1, 1)
    ((content, _),) = stored(store, "me")["memories"]
    assert content.startswith("long BTCUSDT from $100 to $110, closed +10.00 % net (+$10.00")


def test_a_fill_between_two_of_an_order_that_nobody_opened_parts_them(store):
    sale = [traded(minute, "-1", "110", oid="1", tid=str(minute)) for minute in (2, 9)]
    others = [traded(minute, "-1", "110", oid="2", tid=str(minute)) for minute in (1, 5)]
    import_file(store, sale)

    import_file(store, others, stretch=3)

    assert [row[2] for row in stored(store, "me")["trips"]] == [1, 1, 1, 1]

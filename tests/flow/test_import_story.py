"""A trade arrives in three pages, the middle one last, and is remembered as what it was."""

import json
from pathlib import Path

import pytest
from sqlalchemy import text

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.history.import_fills import import_fills
from afterword.pipeline.domain.memory.read import get_memory, read_memories
from afterword.pipeline.domain.venues.hyperliquid_api import read_fills_file

# (milliseconds, position before, signed units, price, closed profit): bought in three parts, of
# which two share a millisecond, sold in two, the second of which turns the position around.
EXECUTED = [
    (0, "0", 2, "100.0", "0"),
    (60_000, "2", 1, "102.0", "0"),
    (60_000, "3", 1, "104.0", "0"),
    (120_000, "4", -3, "110.0", "25.5"),
    (180_000, "1", -2, "112.0", "10.5"),
]


@pytest.fixture
def page(tmp_path: Path):
    """Return a function that saves some of the fills as the venue's API returns them."""

    def save(*numbers: int) -> Path:
        path = tmp_path / f"page{'_'.join(map(str, numbers))}.json"
        path.write_text(json.dumps([api_row(number) for number in numbers]))
        return path

    return save


def api_row(number: int) -> dict[str, object]:
    ms, start, move, px, profit = EXECUTED[number]
    return {
        "coin": "xyz:CL",
        "px": px,
        "sz": str(abs(move)),
        "side": "B" if move > 0 else "A",
        "time": 1784500000000 + ms,
        "startPosition": start,
        "dir": "Open Long" if move > 0 else "Close Long",
        "closedPnl": profit,
        "hash": f"0x{0:064x}",  # as real ones sometimes are: no key
        "oid": 7,
        "crossed": True,
        "fee": "0.05",
        "tid": 1000 + number,
        "feeToken": "USDC",
        "twapId": None,
    }


def test_a_trade_whose_pages_come_in_the_wrong_order(store, clock, ids, page):
    # The first page opens a position. It is still open, so there is nothing to remember.
    first = import_fills(store, read_fills_file(page(0), "desk"), clock, ids)
    assert (first.fills_new, first.trips_new, read_memories(store)) == (1, 0, [])

    # The last page comes next. A trade has closed, but two fills of it are missing: that is
    # flagged, and the memory claims no rate of return.
    clock.advance(minutes=30)
    last = import_fills(store, read_fills_file(page(4, 3), "desk"), clock, ids)
    assert (last.gaps_found, last.trips_new) == (1, 1)
    (early,) = read_memories(store, "trade_outcome")
    assert early.content == (
        "long xyz:CL from $100 to $110.5, closed +$35.88 net (fees $0.125), held 3 min, "
        "3 fills, incomplete, fills are missing inside"
    )

    # The page between them is late; it overlaps its neighbours, and its two fills of one
    # millisecond are given backwards. The gap closes, and the trade is told anew.
    clock.advance(minutes=30)
    late = import_fills(store, read_fills_file(page(3, 2, 1, 0), "desk"), clock, ids)
    assert (late.fills_new, late.fills_known) == (2, 2)
    assert (late.gaps_filled, late.trips_changed) == (1, 1)
    (memory,) = read_memories(store, "trade_outcome")
    assert memory.content == (
        "long xyz:CL from $101.5 to $110.5, closed +8.81 % net (+$35.78, fees $0.225), "
        "held 3 min, 5 fills"
    )

    # What was believed meanwhile is kept, and points to what is believed now.
    old = get_memory(store, early.id)
    assert (old.superseded_by, old.superseded_at) == (memory.id, clock())

    # The fills read back in the order they executed in, and each memory left its job.
    with reading(store) as conn:
        order = conn.execute(
            text("SELECT CAST(tid AS INTEGER) FROM perps_fills ORDER BY ts_ms, order_in_ms")
        )
        assert list(order.scalars()) == [1000, 1001, 1002, 1003, 1004]
        jobs = conn.execute(text("SELECT kind, payload ->> 'memory_id' FROM jobs ORDER BY id"))
        assert jobs.all() == [("extract_edges", early.id), ("extract_edges", memory.id)]

    # Importing everything once more changes nothing.
    again = import_fills(store, read_fills_file(page(0, 1, 2, 3, 4), "desk"), clock, ids)
    assert (again.fills_known, again.memories) == (5, 0)

"""Trips as rooms above read them: now, and as they were known at a moment."""

import os
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from afterword.pipeline.clock import from_millis
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.history.import_fills import import_fills
from afterword.pipeline.domain.trips.read import trips
from afterword.pipeline.domain.trips.trip import Trip
from afterword.pipeline.domain.venues.hyperliquid_api import read_fills_file

SHARED = Path(os.environ.get("AFTERWORD_SHARED") or Path(__file__).parents[4] / "shared")
FILLS = SHARED / "data" / "fills"
real_data = pytest.mark.skipif(not FILLS.is_dir(), reason="no shared folder with real fills")


def bought(minute: int, size: str, px: str, **changes: Any) -> Fill:
    """Return a fill of a spot market; a negative size is a sale."""
    values: dict[str, Any] = {
        "venue": "binance",
        "account": "me",
        "symbol": "BTCEUR",
        "kind": "spot",
        "side": "A" if size.startswith("-") else "B",
        "px": Decimal(px),
        "sz": abs(Decimal(size)),
        "quote": "EUR",
        "base": "BTC",
        "time_ms": 1_784_500_000_000 + minute * 60_000,
        "raw": "{}",
    }
    return Fill(**values | changes)


def read(store: Store, **options: Any) -> list[Trip]:
    with reading(store) as conn:
        return trips(conn, **options)


def test_a_trip_of_a_spot_market_is_read_in_its_currency(store, clock, ids):
    fills = [
        bought(0, "0.5", "60000", fee=Decimal("0.0005"), fee_token="BTC"),
        bought(1, "0.5", "58000", fee=Decimal("0.02"), fee_token="BNB"),
        bought(9, "-0.9995", "61000", fee=Decimal("12.5")),
    ]

    import_fills(store, fills, clock, ids)

    (trip,) = read(store)
    # 0.9995 * 61000 - 0.4995 * 60000 - 0.5 * 58000; the fee in the coin is worth 30 at its price
    assert (trip.gross, trip.fees, trip.net) == (Decimal("1999.5"), Decimal("42.5"), 1957)
    assert (trip.quote, trip.notional, trip.entry_px) == ("EUR", 59000, 59000)
    assert (trip.size, trip.other_fees) == (Decimal("0.9995"), (("BNB", Decimal("0.02")),))
    assert (trip.fills, trip.losing_adds, trip.flags) == (3, 1, ())
    assert trip.opened_at == from_millis(fills[0].time_ms)


def test_a_read_of_the_past_knows_nothing_of_a_later_file(store, clock, ids):
    import_fills(store, [bought(9, "-1", "61000")], clock, ids)
    before = clock()
    clock.advance(hours=1)
    import_fills(store, [bought(0, "1", "60000")], clock, ids)

    (then,), (now,) = read(store, as_of=before), read(store)
    assert (then.gross, then.is_incomplete, now.gross) == (None, True, 1000)
    assert read(store, as_of=clock().replace(year=2000)) == []
    assert read(store, account="you") == []


@real_data
def test_an_account_that_wins_most_of_its_fills_loses_by_trip(store, clock, ids):
    import_fills(
        store,
        read_fills_file(FILLS / "hl_userfillsbytime_2026-07_leaders.json", "hl"),
        clock,
        ids,
    )

    found = read(store, account="hl/acc2")
    assert (len(found), sum(trip.net > 0 for trip in found)) == (5, 2)
    assert round(sum(trip.net for trip in found), 2) == Decimal("-22.84")
    whole = read(store, account="hl/acc10")
    assert whole
    assert all(trip.is_incomplete for trip in whole)

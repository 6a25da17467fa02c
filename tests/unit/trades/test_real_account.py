"""A real account that wins most of its closing fills, and loses by trip."""

import os
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.history.import_fills import import_fills
from afterword.pipeline.domain.trades.judge import judge
from afterword.pipeline.domain.trades.profile import TradingProfileReader
from afterword.pipeline.domain.venues.hyperliquid_api import read_fills_file

SHARED = Path(os.environ.get("AFTERWORD_SHARED") or Path(__file__).parents[4] / "shared")
FILE = SHARED / "data" / "fills" / "hl_userfillsbytime_2026-07_leaders.json"


@pytest.mark.skipif(not FILE.is_file(), reason="no shared folder with real fills")
def test_the_headline_is_by_trip_and_the_win_rate_of_fills_stands_beside_it(store, clock, ids):
    import_fills(store, read_fills_file(FILE, "hl"), clock, ids)
    clock.set(datetime(2026, 8, 1, tzinfo=UTC))

    report = judge(store, clock(), account="hl/acc2", is_kept=False)
    whole = judge(store, clock(), account="hl/acc10", is_kept=False)
    with reading(store) as conn:
        profile = TradingProfileReader(conn, account="hl/acc2").read(clock()).perps

    (sums,) = report.sums
    assert (sums.trips, sums.winners, round(sums.net, 2)) == (5, 2, Decimal("-22.84"))
    assert (round(sums.gross, 2), round(sums.fees, 2)) == (Decimal("23.85"), Decimal("46.69"))
    assert report.named == ()
    assert (whole.sums, whole.coverage.tested) == ((), 0)
    assert whole.coverage.incomplete == whole.coverage.trips > 0
    net = round(sums.net.scaleb(6))
    assert (profile.trips, profile.trips_won, profile.trips_net_micro_usd) == (5, 2, net)
    assert (profile.closing_fills, profile.win_rate_fills) == (24, pytest.approx(20 / 24))

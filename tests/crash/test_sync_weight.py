"""Four processes that mirror at once stay below the weight of a minute, as the venue counts it."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from time import time

import pytest

from afterword.pipeline.testing.venue_server import VenueServer, venue_payment, venue_trip

pytestmark = pytest.mark.crash

SPEED = 40
"""Minutes of the processes' clock in 40 of ours: the venue counts spans of 1.5 s."""

LIMIT = 300
GROUPS = 4
MIRROR = """
import sys, time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.store import StoreOptions, Stores
from afterword.pipeline.domain.accounts.add import add_account
from afterword.pipeline.domain.sync.mirror import MirrorParts
from afterword.pipeline.domain.sync.sync import sync_accounts
from afterword.pipeline.domain.sync.turn import SyncPauses
from afterword.pipeline.gateway.venue.build import build_info
from afterword.pipeline.gateway.venue.patient import PatientInfo
from afterword.pipeline.ids import random_uid
from afterword.pipeline.settings import load

home, origin, group, begin, speed, limit = sys.argv[1:]
began = datetime.fromtimestamp(float(begin), UTC)
clock = lambda: began + (system_clock() - began) * int(speed)
settings = load(home=Path(home), hyperliquid_base_url=origin, hyperliquid_minute_weight=limit)
stores = Stores(Path(home), StoreOptions(synchronous="NORMAL"), clock, random_uid)
store = stores.group(f"group-{group}", create=True)
info = build_info(settings, stores.instance, clock, "accounts")
with closing(PatientInfo(info, clock, lambda seconds: time.sleep(seconds / int(speed)))) as venue:
    add_account(store, venue, "main", "0x" + f"{group}" * 40, "own", clock)
    report = sync_accounts(MirrorParts(store, clock, random_uid), venue, SyncPauses())
print(sum(source.new for source in report.sources))
"""


@pytest.fixture
def venue() -> Iterator[VenueServer]:
    with VenueServer(limit=LIMIT, span_s=60 / SPEED, page_fills=200, page_rows=150) as venue:
        first_ms = int(time() * 1_000) - 600_000_000
        for group in range(GROUPS):
            account = venue.account("0x" + f"{group}" * 40)
            for place in range(200):
                account.fills += venue_trip(1 + 2 * place, first_ms + 120_000 * place)
            account.funding = [venue_payment(first_ms + 60_000 * place) for place in range(300)]
        yield venue


def test_no_minute_of_four_processes_is_above_the_limit(home: Path, venue: VenueServer) -> None:
    arguments = (venue.origin, repr(time()), str(SPEED), str(LIMIT))
    origin, *others = arguments
    with ExitStack() as running:
        processes: list[subprocess.Popen[str]] = []
        for group in range(GROUPS):
            line = [sys.executable, "-c", MIRROR, str(home), origin, str(group), *others]
            process = subprocess.Popen(line, stdout=subprocess.PIPE, text=True)
            running.enter_context(process)
            running.callback(process.kill)
            processes.append(process)
        mirrored = [process.communicate(timeout=60)[0] for process in processes]
    assert [int(rows) for rows in mirrored] == [700] * GROUPS
    # The venue refuses what is above its limit, and nothing was: every request was answered.
    assert LIMIT * 0.7 < venue.heaviest <= LIMIT
    spans = (venue.asked[-1].received_s - venue.asked[0].received_s) / venue.span_s
    assert spans > 4  # so some minutes were full

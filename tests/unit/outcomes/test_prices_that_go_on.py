"""An outcome measured at a moment is that of a store which ended then, whatever prices came later.

Later bars, holes that are filled, corrections of old bars and a factor file change no column.
"""

from random import Random

import pytest

from afterword.pipeline.clock import from_micros
from afterword.pipeline.core.store import StoreOptions, Stores, reading
from afterword.pipeline.domain.outcomes.measure import OutcomeMeasurer
from afterword.pipeline.domain.outcomes.model import LADDER_HOURS, Subject
from afterword.pipeline.domain.outcomes.obstacles import OutcomeObstacle
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.ids import seeded_uids
from afterword.pipeline.rules.market.outcome import STANCES
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.command import Command
from tests.unit.outcomes.made_files import MADE, days, hours, write_bars, write_split
from tests.unit.outcomes.recomputed import DAY, HOUR

HOURS, DAYS = 45 * 24, 320
ENDED, LATER = MADE + 43 * DAY, MADE + 500 * DAY
ASSETS = {"SOL": "1h", "BTC": "1h", "AAPL": "1d", "SPY": "1d"}


@pytest.fixture(params=range(2))
def learned(request, tmp_path):
    """Return a store that ended early, one that went on, and the moment at which the first ended.

    The stocks are older than the coins: of both some days are still to come.
    """
    chance = Random(request.param)
    told = {asset: hours(chance, HOURS, lost=0) for asset in ("SOL", "BTC")}
    old = [days(chance, DAYS, split=190), days(chance, DAYS)]
    since = 279 * DAY
    for asset, bars in zip(("AAPL", "SPY"), old, strict=True):
        told[asset] = [(at - since, *prices) for at, *prices in bars]
    stores = []
    for name in ("ended", "went on"):
        clock = ManualClock(from_micros(ENDED))
        home = tmp_path / name
        command = Command(home, clock, seeded_uids(1))
        for asset, bars in told.items():
            early = Random(asset)
            known = [
                one
                for one in bars
                if one[0] + (HOUR if asset in ("SOL", "BTC") else DAY) <= ENDED
                and early.random() > 0.03
            ]
            imported(command, home.with_name(f"{name}1"), asset, known)
        if name == "went on":
            clock.set(from_micros(LATER))
            for asset, bars in told.items():
                imported(command, home.with_name("later"), asset, corrected(chance, bars))
            split = write_split(home.with_name("AAPL_factor_file.csv"), told["AAPL"][190][0])
            one = home.with_name("later") / "AAPL_1d.csv"
            assert command("prices", "import", str(one), "--factors", str(split)).code == 0
        stores.append(Stores(home, StoreOptions("OFF"), clock, seeded_uids(2)))
    yield tuple(one.group("main") for one in stores)
    for one in stores:
        one.close()


def imported(command, folder, asset, bars):
    folder.mkdir(exist_ok=True)
    is_coin = asset in ("SOL", "BTC")
    name = f"{asset}{'USDT' if is_coin else ''}_{ASSETS[asset]}.csv"
    assert command("prices", "import", str(write_bars(folder / name, bars))).code == 0


def corrected(chance, bars):
    """Return bars of which one in ten has another close than before."""
    found = []
    for at, first, high, low, close in bars:
        if chance.random() < 0.1:
            close *= 1 + chance.gauss(0, 0.02)
        found.append((at, first, max(high, close), min(low, close), close))
    return found


def subjects(chance):
    """Return decisions of the last weeks before the end."""
    for number in range(40):
        asset = ("SOL", "AAPL")[number % 2]
        back = 30 if asset == "SOL" else 200
        at = from_micros(ENDED - chance.randrange(DAY, back * DAY))
        yield Subject("decision", number, asset, STANCES[number % 3], at)


def test_what_is_read_as_of_a_moment_is_measured_as_where_the_store_ended_then(learned):
    ended, went_on = learned
    now = from_micros(ENDED)
    found = []
    for store, as_of in ((ended, None), (went_on, now), (went_on, None)):
        with reading(store) as conn:
            measurer = OutcomeMeasurer(StoredPrices(conn, as_of), now)
            found.append([_measured(measurer, one) for one in subjects(Random(1))])

    assert found[0] == found[1]
    assert sum(not isinstance(one, OutcomeObstacle) for them in found[0] for one in them) > 30
    assert found[2] != found[0]  # what came later is there, and is not looked at


def _measured(measurer, subject):
    passed = (from_micros(ENDED) - subject.decided_at).total_seconds() / 3_600
    windows = [hours for hours in LADDER_HOURS if hours <= passed]
    return measurer.over(subject, windows)

"""Every column of every stored outcome is the one a second, naive computation finds.

Prices and decisions come from files, rows from `role reflect` and the job of the ladder.
"""

import gzip
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.domain.outcomes.model import LADDER_HOURS, RULE_VERSION, MeasuredOutcome
from tests.unit.outcomes.installation import Decided, Installation
from tests.unit.outcomes.made_files import (
    MADE,
    Bars,
    days,
    hours,
    write_bars,
    write_prints,
    write_split,
)
from tests.unit.outcomes.recomputed import (
    DAY,
    HOUR,
    Call,
    Market,
    compared,
    read,
    read_prints,
    recompute,
)
from tests.unit.outcomes.shared_prices import OHLCV, real_data

STEPS = {"1h": HOUR, "1d": DAY}
CLASSES = {"SOL": "crypto", "ETH": "crypto", "BTC": "crypto", "XRP": "crypto"} | {
    "AAPL": "stock",
    "IBM": "stock",
    "EURUSD": "forex",
}
LEADERS = {"crypto": "BTC", "stock": "SPY"}
OWN_WINDOWS = {
    "market.perps.intraday": 4,
    "market.spot.momentum": 24,
    "market.perps.swing": 72,
    "analysis.valuation.target_price": 168,
    "analysis.valuation.peer_comp": 720,
}
PEERS = "analysis.valuation.peer_comp"


@dataclass(frozen=True)
class Files:
    """The files of an installation, as the naive computation reads them.

    Args:
        markets: of each asset, the finest first.
    """

    folder: Path
    desk: Installation
    markets: dict[str, list[Market]]

    def add(self, asset: str, path: Path, factors: Path | None = None) -> Market:
        """Import a file of bars."""
        step = STEPS[path.name.removesuffix(".csv").rpartition("_")[2]]
        is_crypto = CLASSES.get(asset) == "crypto"
        market = read(path, step, 2 * step if is_crypto else step + 4 * DAY, factors)
        market.is_stock = CLASSES.get(asset) not in ("crypto", "forex")
        self.desk.run(
            "prices", "import", str(path), *(["--factors", str(factors)] if factors else [])
        )
        self.markets.setdefault(asset, []).append(market)
        return market

    def expected(self, one: Decided, window: int) -> dict[str, Any] | None:
        """Return the naive outcome of a decision over one window."""
        leader = LEADERS.get(CLASSES[one.asset])
        leaders = [] if leader in (None, one.asset) else self.markets[str(leader)]
        peers = [self.markets[peer] for peer in one.peers if peer != one.asset]
        return recompute(one.call, window, self.markets[one.asset], leaders, peers)

    def check(self, decisions: Sequence[Decided]) -> Counter[str]:
        """Hold every stored row against the naive one; return how many rows had each thing."""
        found = {
            (row["subject_id"], row["window_hours"]): row
            for row in self.desk.rows("SELECT * FROM outcomes")
        }
        seen: Counter[str] = Counter()
        for number, one in enumerate(decisions, start=1):
            for window in sorted({*LADDER_HOURS, OWN_WINDOWS[one.role]}):
                naive = self.expected(one, window)
                row = found.pop((number, window), None)
                assert (row is None) == (naive is None), (one, window, row, naive)
                if row is None or naive is None:
                    continue
                naive |= {
                    "subject_kind": "decision",
                    "subject_id": number,
                    "window_hours": window,
                    "rule_version": RULE_VERSION,
                    "known_at": to_micros(self.desk.clock()),
                    "asset_key": one.asset,
                    "asset_class": CLASSES[one.asset],
                    "source": "file",
                }
                assert compared(row, naive) == naive, (one, window)
                assert naive.keys() == set(MeasuredOutcome._fields)
                seen.update(_things(one, naive))
        assert not found
        return seen


def _things(one: Decided, naive: Mapping[str, Any]) -> Iterator[str]:
    yield one.asset
    yield f"plan {'passed' if naive['plan_passed'] else naive['plan']}"
    yield f"{naive['direction']} {naive['window_verdict']}"
    yield f"volatility {naive['volatility']}"
    yield f"trend {naive['trend']}"
    yield f"{naive['window_hours']} h"
    yield "with a residual" if naive["residual_ppb"] is not None else "without a residual"
    if one.peers:
        yield "beside peers"
    if naive["result_micro_usd"] is not None:
        yield "in dollars"


@pytest.fixture
def files(tmp_path: Path) -> Callable[[int], Files]:
    def at(now: int) -> Files:
        return Files(tmp_path, Installation(tmp_path / "home", now), {})

    return at


def decide(
    chance: Random, markets: Sequence[Market], role: str, asset: str, peers: tuple[str, ...] = ()
) -> Decided:
    """Return a decision at a random minute, most of them with a plan."""
    market = chance.choice(markets)
    at = chance.randrange(market.bars[25][0], market.bars[-1][0] - DAY)
    at -= at % chance.choice((HOUR, HOUR // 60))
    place = market.last(at)
    assert place is not None
    price, stance = market.bars[place][3], chance.choice(("long", "short", "neutral"))
    sign = -1 if stance == "short" else 1
    far = [None if chance.random() < 0.2 else chance.uniform(0.003, 0.05) for _ in range(2)]
    stop, target = (
        None if share is None else Fraction(f"{float(price * (1 + side * Fraction(share))):.6f}")
        for share, side in zip(far, (-sign, sign), strict=True)
    )
    size = Fraction(chance.randrange(100, 99_999)) if chance.random() < 0.5 else None
    return Decided(role, asset, Call(at, stance, stop, target, size), peers)


def test_every_row_of_made_prices_is_recomputed(tmp_path, files):
    """Holes, weekends, a split, prints, two lengths of bars, and peers."""
    chance, shop = Random(8), files(MADE + 1_200 * DAY)
    for asset in ("SOL", "BTC", "ETH"):
        shop.add(
            asset, write_bars(tmp_path / f"{asset}USDT_1h.csv", hours(chance, 75 * 24, lost=0.04))
        )
    shop.add("SOL", write_bars(tmp_path / "SOLUSDT_1d.csv", days(chance, 450, of_week=7)))
    bars = days(chance, 500, split=200)
    factors = write_split(tmp_path / "AAPL_factor_file.csv", bars[200][0])
    shop.add("AAPL", write_bars(tmp_path / "AAPL_1d.csv", bars), factors)
    shop.add("SPY", write_bars(tmp_path / "SPY_1d.csv", days(chance, 500)))
    shop.add("IBM", write_bars(tmp_path / "IBM_1d.csv", days(chance, 500)))
    shop.add("EURUSD", write_bars(tmp_path / "EURUSD_1d.csv", days(chance, 300)))
    prints = write_prints(tmp_path / "prints.csv", chance, "XRP", 800)
    shop.desk.run("prices", "import", str(prints))
    shop.markets["XRP"] = [read_prints(prints, "XRP")]

    roles = [role for role in OWN_WINDOWS if role != PEERS]
    counts = {"SOL": 24, "BTC": 6, "AAPL": 24, "EURUSD": 6, "XRP": 12}
    calls = [
        decide(chance, shop.markets[asset], chance.choice(roles), asset)
        for asset, count in counts.items()
        for _ in range(count)
    ]
    beside = (("SOL", ("ETH", "BTC")), ("AAPL", ("IBM", "SPY")))
    calls += [
        decide(chance, shop.markets[asset], PEERS, asset, peers)
        for asset, peers in beside
        for _ in range(8)
    ]
    shop.desk.record(calls)
    shop.desk.measure()

    seen = shop.check(calls)
    for plan in ("target_first", "stop_first", "same_bar", "neither", "passed", None):
        assert seen[f"plan {plan}"] >= 3
    for stance in ("long", "short", "neutral"):
        assert min(seen[f"{stance} {word}"] for word in ("right", "wrong")) >= 5
    assert seen["neutral noise"] >= 1
    for tercile in ("low", "middle", "high"):
        assert seen[f"volatility {tercile}"] >= 5
    for trend in ("down", "flat", "up"):
        assert seen[f"trend {trend}"] >= 5
    assert min(seen[f"{window} h"] for window in LADDER_HOURS) >= 5
    assert min(seen[asset] for asset in counts) >= 5
    assert min(seen[it] for it in ("with a residual", "beside peers", "in dollars")) >= 20


def corrected(chance: Random, bars: Bars, share: float) -> Bars:
    """Return bars of which a share has other closes than before, by some 2 %."""
    found = []
    for at, first, high, low, close in bars:
        if chance.random() < share:
            close *= 1 + chance.gauss(0, 0.02)
        found.append((at, first, max(high, close), min(low, close), close))
    return found


def test_every_row_of_revised_prices_is_recomputed(tmp_path, files):
    """Three imports: later bars, and other values of earlier ones, of a market and its leader."""
    chance, shop = Random(3), files(MADE + 20 * DAY)
    told = {asset: hours(chance, 50 * 24) for asset in ("SOL", "BTC")}
    for age in (20, 30, 55):
        shop.desk.clock.set(from_micros(MADE + age * DAY))
        for asset, bars in told.items():
            path = tmp_path / str(age) / f"{asset}USDT_1h.csv"
            path.parent.mkdir(exist_ok=True)
            known = [one for one in bars if one[0] + HOUR <= MADE + age * DAY]
            told[asset] = corrected(chance, known, 0.4) + bars[len(known) :]
            learn(shop, asset, write_bars(path, told[asset][: len(known)]))
    for market in (shop.markets["SOL"][0], shop.markets["BTC"][0]):
        assert max(map(len, market.revisions.values())) == 3

    calls = [decide(chance, shop.markets["SOL"], "market.perps.swing", "SOL") for _ in range(16)]
    shop.desk.clock.set(from_micros(MADE + 500 * DAY))
    shop.desk.record(calls)
    shop.desk.measure()

    seen = shop.check(calls)
    assert min(seen["plan stop_first"], seen["with a residual"], seen["SOL"]) >= 10


def learn(shop: Files, asset: str, path: Path) -> None:
    """Import a file again, with more bars and with other values of earlier ones."""
    is_new, now = asset not in shop.markets, to_micros(shop.desk.clock())
    market = shop.add(asset, path) if is_new else shop.markets[asset][0]
    if not is_new:
        shop.desk.run("prices", "import", str(path))
    for place, bar in enumerate(read(path, HOUR, 2 * HOUR).bars):
        forms = market.revisions.setdefault(place, [])
        if place == len(market.bars):
            market.bars.append(bar)
        if not forms or bar[1:] != forms[-1][1]:
            forms.append((now, bar[1:]))


def cut(folder: Path, name: str, newest: int) -> Path:
    """Write the last bars of a file of the shared folder under its own name."""
    with gzip.open(OHLCV / f"{name}.csv.gz", "rt") as file:
        head, *lines = file.read().splitlines()
    path = folder / f"{name}.csv"
    path.write_text("\n".join([head, *lines[-newest:], ""]))
    return path


@real_data
def test_every_row_of_sixty_decisions_on_a_real_stock_is_recomputed(tmp_path, files):
    """Over weekends, holidays and the split of August 2020; beside the market, and beside peers."""
    chance, shop = Random(60), files(MADE + 1_200 * DAY)
    factors = OHLCV / "AAPL_factor_file.csv"
    shop.add("AAPL", cut(tmp_path, "AAPL_raw_2010_2021_1d", 480), factors)
    for asset in ("SPY", "IBM"):
        shop.add(asset, cut(tmp_path, f"{asset}_raw_2010_2021_1d", 480))
    (market,) = shop.markets["AAPL"]
    roles = [role for role in OWN_WINDOWS if role != PEERS]
    calls = [decide(chance, [market], chance.choice(roles), "AAPL") for _ in range(50)]
    calls += [decide(chance, [market], PEERS, "AAPL", ("IBM", "SPY")) for _ in range(10)]
    shop.desk.record(calls)
    shop.desk.measure()

    seen = shop.check(calls)
    assert min(seen["beside peers"], seen["plan stop_first"], seen["with a residual"]) >= 20
    over = [one for one in calls if market.split_within(one.call.at, 2_160)]
    on_weekends = [one for one in calls if (one.call.at // DAY + 3) % 7 >= 5]
    assert min(len(over), len(on_weekends)) >= 5


@real_data
def test_every_row_of_real_coins_is_recomputed(tmp_path, files):
    """SOL beside BTC by the hour, and prints of ETH as an exchange showed them."""
    chance, shop = Random(73), files(MADE + 1_500 * DAY)
    for asset in ("SOL", "BTC"):
        shop.add(asset, cut(tmp_path, f"{asset}USDT_2024_1h", 1_700))
    prints = OHLCV / "alpha_arena_prints.csv"
    shop.desk.run("prices", "import", str(prints))
    shop.markets["ETH"] = [read_prints(prints, "ETH")]
    roles = [role for role in OWN_WINDOWS if role != PEERS]
    calls = [
        decide(chance, shop.markets[asset], chance.choice(roles), asset)
        for asset in ("SOL",) * 20 + ("ETH",) * 30
    ]
    shop.desk.record(calls)
    shop.desk.measure()

    seen = shop.check(calls)
    assert min(seen["with a residual"], seen["plan stop_first"]) >= 10
    assert seen["ETH"] >= 5

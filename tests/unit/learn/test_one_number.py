"""One number for one thing: every sum that a report prints is that of its trips, wherever it is."""

import re
from collections import defaultdict
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

import pytest

from afterword.pipeline.testing.command import Command
from afterword.pipeline.testing.trade_files import TradeFiles, write_trade_files
from tests.unit.learn.recomputed import binance_fills, trips_of

CENT = Decimal("0.01")
AMOUNT = r"([+−][\d,.]*\d)"


@pytest.fixture
def made(tmp_path: Path) -> TradeFiles:
    return write_trade_files(tmp_path, 90, parts=2, markets=("SOLUSDT", "BTCUSDT", "ETHUSDT"))


def written(amount: Decimal) -> str:
    """Return money as it is printed: `+1,234.50`."""
    cents = amount.quantize(CENT, ROUND_HALF_UP)
    return f"{'−' if cents < 0 else '+'}{abs(cents):,}"


def dollars(amount: Decimal) -> str:
    """Return money as the list prints it: `−$1,240`, with cents below a hundred."""
    places = Decimal(1) if abs(amount) >= 100 else CENT
    return f"{'−' if amount < 0 else '+'}${abs(amount).quantize(places, ROUND_HALF_UP):,}"


def deepest_fall(nets: list[Decimal]) -> Decimal:
    """Return the deepest fall of the running sum, from every earlier point to every later one."""
    sums = [sum(nets[:place], Decimal(0)) for place in range(len(nets) + 1)]
    return min(low - high for place, high in enumerate(sums) for low in sums[place:])


def words_of(page: str) -> str:
    return " ".join(re.sub(r"<style>.*?</style>|<[^>]+>", " ", page, flags=re.DOTALL).split())


def net_of(uids: list[str], report: Any) -> Decimal:
    nets = {one["trip"]["trip_uid"]: Decimal(one["trip"]["net"]) for one in report["outcomes"]}
    return sum((nets[uid] for uid in uids), Decimal(0))


def test_every_printed_sum_is_that_of_its_trips(command: Command, made: TradeFiles, tmp_path: Path):
    trips = sorted(trips_of(binance_fills(made.trades)), key=lambda trip: trip.closed)
    nets = [trip.net for trip in trips]
    won, lost = [net for net in nets if net > 0], [net for net in nets if net < 0]
    page_file = tmp_path / "page.html"
    text = command("learn", str(made.trades), "--html", str(page_file)).out
    report = command("learn", str(made.trades), "--json").json
    page, said = words_of(page_file.read_text()), " ".join(text.split())

    headline = f"{len(nets)} round trips, {len(won)} won ({len(won) / len(nets):.0%})".replace(
        "%", " %"
    )
    put_in = sum(trip.put_in for trip in trips)
    lines = [
        f"{headline}, net {written(sum(nets))} USDT.",
        f"{written(sum(nets) / len(nets))} USDT on average",
        f"{written(100 * sum(nets) / put_in)} % of what the first orders put in",
        f"{sum(won) / -sum(lost):.2f} ({written(sum(won))} won, {written(sum(lost))} USDT lost)",
        f"{written(sum(won) / len(won))} USDT over {len(won)} trips, the largest "
        f"{written(max(won))} USDT",
        f"{written(sum(lost) / len(lost))} USDT over {len(lost)} trips, the largest "
        f"{written(min(lost))} USDT",
        f"{written(deepest_fall(nets))} USDT over ",
        f"{sum(trip.fees for trip in trips):,.2f} USDT",
    ]
    for line in lines:
        assert line in said and line in page, line
    told = report["trades"]
    ((sums,), (statistics,)) = told["sums"], told["statistics"]
    assert Decimal(sums["net"]) == sum(nets)
    assert (Decimal(statistics["won"]), Decimal(statistics["lost"])) == (sum(won), sum(lost))
    assert Decimal(statistics["drawdown"]["amount"]) == deepest_fall(nets)

    # The list, line by line; the markets add up to the headline.
    rows = dict(re.findall(r"^'?(\w[\w -]*=[\w -]+?)'? .* ([+−]\$[\d,.]+)$", text, re.MULTILINE))
    cells = {
        f"{one['attribute']}={one['value']}": one for one in (*told["named"], *told["looked_at"])
    }
    assert {name: dollars(net_of(cells[name]["trip_uids"], report)) for name in rows} == rows
    markets = [name for name in rows if name.startswith("asset=")]
    assert len(markets) == 3
    assert sum(net_of(cells[name]["trip_uids"], report) for name in markets) == sum(nets)
    reach = [abs(net_of(cells[name]["trip_uids"], report)) for name in markets]
    assert reach == sorted(reach, reverse=True)

    # Mistakes, by the trips behind each.
    broken = [one for one in told["mistakes"] if one["trips"]]
    assert broken
    for one in broken:
        net = written(net_of(one["trip_uids"], report))
        assert f" made {net} USDT." in said and f" made {net} USDT." in page

    # Sums of the page: by market, the curve, the table of trades.
    (by_market,) = re.findall(r"By market market net .*?(?=Mistakes by rule)", page)
    sums_of_markets: dict[str, Decimal] = defaultdict(Decimal)
    for trip in trips:
        sums_of_markets[trip.symbol] += trip.net
    assert dict(re.findall(rf"(\w+) {AMOUNT} \d+ \d+ ", by_market)) == {
        symbol: written(net) for symbol, net in sums_of_markets.items()
    }
    assert f"added up in the order in which they closed: {written(sum(nets))} USDT at" in page
    listed = re.findall(rf">{AMOUNT} USDT</td>", page_file.read_text())
    assert sorted(listed) == sorted(map(written, nets))

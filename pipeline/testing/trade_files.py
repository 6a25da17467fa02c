"""Made files of a trader: an export of futures trades, and the hourly prices of its markets."""

import csv
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Final

_BEGIN: Final = datetime(2024, 1, 1, tzinfo=UTC)
MARKETS: Final = ("BTCUSDT", "ETHUSDT", "SOLUSDT", "LINKUSDT", "DOGEUSDT")
_HEADER: Final = (
    *("Uid", "Time", "Symbol", "Side", "Price", "Quantity", "Amount", "Fee", "Realized Profit"),
    *("Buyer", "Maker", "Trade ID", "Order ID"),
)
_HOUR: Final = timedelta(hours=1)
_FEE: Final = Decimal("0.0004")
_CENT: Final = Decimal("0.0001")


@dataclass(frozen=True, slots=True)
class TradeFiles:
    """The files, and what a reader must find in them.

    Args:
        trades: an export of Binance futures in UTC; `prices` one file for each market.
        trips: round trips; count.
        net: their results after fees, added up; USDT.
        fees: those added up.
    """

    trades: Path
    prices: tuple[Path, ...]
    trips: int
    winners: int
    net: Decimal
    fees: Decimal


def write_trade_files(
    folder: Path,
    trips: int,
    *,
    seed: int = 1,
    markets: Sequence[str] = MARKETS,
    parts: int = 1,
    flaw: float = 0.0,
) -> TradeFiles:
    """Write made files: trades at random times of 2024 in random directions, one after the other.

    Args:
        trips: round trips of all markets; count.
        parts: fills that open a trip, and as many that close it.
        flaw: how much worse trades end that open from 12 to 16 o'clock; 0.02 is 2 %.
    """
    chance = random.Random(seed)
    hours = max(24 * 30, trips // len(markets) * 4 + 24 * 21)
    closes = {market: _closes(chance, hours) for market in markets}
    prices = tuple(_write_prices(folder, market, closes[market], chance) for market in markets)
    each = [trips // len(markets) + (place < trips % len(markets)) for place in range(len(markets))]
    rows: list[list[str]] = []
    results: list[tuple[Decimal, Decimal]] = []
    for market, number in zip(markets, each, strict=True):
        for one in _trips(chance, market, closes[market], number, parts, flaw, len(rows)):
            rows += one.rows
            results.append((one.net, one.fees))
    rows.sort(key=lambda row: row[1], reverse=True)  # the venue writes the newest first
    path = folder / "Binance-Futures-Trade-History-202412310000(UTC+0).csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([_HEADER, *rows])
    return TradeFiles(
        path,
        prices,
        len(results),
        sum(net > 0 for net, _ in results),
        sum((net for net, _ in results), Decimal(0)),
        sum((fees for _, fees in results), Decimal(0)),
    )


@dataclass(frozen=True, slots=True)
class _MadeTrip:
    rows: list[list[str]]
    net: Decimal
    fees: Decimal


def _closes(chance: random.Random, hours: int) -> list[float]:
    price, found = 100.0, []
    for _ in range(hours):
        price = max(1.0, price * (1 + chance.gauss(0, 0.006)))
        found.append(round(price, 4))
    return found


def _write_prices(
    folder: Path, market: str, closes: Sequence[float], chance: random.Random
) -> Path:
    path = folder / f"{market}_2024_1h.csv"
    with path.open("w", newline="") as file:
        file.write("t_open_ms,open,high,low,close,volume\n")
        before = closes[0]
        for hour, close in enumerate(closes):
            high = max(before, close) * (1 + abs(chance.gauss(0, 0.001)))
            low = min(before, close) * (1 - abs(chance.gauss(0, 0.001)))
            opened = int((_BEGIN + hour * _HOUR).timestamp() * 1000)
            file.write(f"{opened},{before},{high:.4f},{low:.4f},{close},1\n")
            before = close
    return path


def _trips(
    chance: random.Random,
    market: str,
    closes: Sequence[float],
    number: int,
    parts: int,
    flaw: float,
    first_id: int,
) -> Iterator[_MadeTrip]:
    first = 24 * 20  # so that the usual move is known at the first entry
    step = (len(closes) - first - 2) * 3600 // max(1, number)
    for place in range(number):
        entry_s = first * 3600 + place * step + chance.randrange(max(1, step // 3))
        exit_s = entry_s + 60 + chance.randrange(max(1, step // 2))
        is_long = chance.random() < 0.5
        entry, left = _price(closes, entry_s), _price(closes, exit_s)
        if flaw and 12 <= entry_s // 3600 % 24 < 16:
            left *= 1 - flaw if is_long else 1 + flaw
        size = Decimal(chance.randrange(1, 20)) * parts
        yield _made(
            market,
            "BUY" if is_long else "SELL",
            (entry_s, Decimal(f"{entry:.4f}")),
            (exit_s, Decimal(f"{left:.4f}")),
            size,
            parts,
            (first_id + place * 2) * parts * 10 + 1,
        )


def _price(closes: Sequence[float], second: int) -> float:
    """Return the price inside a bar, on the line from its open to its close."""
    hour, rest = divmod(second, 3600)
    before = closes[hour - 1] if hour else closes[0]
    return before + (closes[hour] - before) * rest / 3600


def _made(
    market: str,
    side: str,
    entry: tuple[int, Decimal],
    left: tuple[int, Decimal],
    size: Decimal,
    parts: int,
    first_id: int,
) -> _MadeTrip:
    other = "SELL" if side == "BUY" else "BUY"
    sign = 1 if side == "BUY" else -1
    part, rows, net, fees = size / parts, [], Decimal(0), Decimal(0)
    for place, (way, (second, price)) in enumerate(
        [(side, entry)] * parts + [(other, left)] * parts
    ):
        profit = (left[1] - entry[1]) * part * sign if way == other else Decimal(0)
        fee = (price * part * _FEE).quantize(_CENT)
        net, fees = net + profit - fee, fees + fee
        moment = _BEGIN + timedelta(seconds=second)
        rows.append(
            [
                *("1", f"{moment:%y-%m-%d %H:%M:%S}", market, way, f"{price}", f"{part}"),
                *(f"{price * part}", f"{fee} USDT", f"{profit}", str(way == "BUY").lower()),
                *("false", f"{first_id + place}", f"{first_id + (place >= parts)}"),
            ]
        )
    return _MadeTrip(rows, net, fees)

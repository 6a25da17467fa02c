"""Trades of the demo: the sample rule on real prices, in the form of the venue's fills API."""

import hashlib
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from itertools import pairwise
from typing import Any, Final
from zoneinfo import ZoneInfo

from afterword.pipeline.clock import to_micros
from afterword.pipeline.rules.market.decimals import plain
from afterword.schedules.demo.prices import DailyBar, demo_bars
from afterword.schedules.demo.rule import wanted_side

STAKE_USD: Final = 10_000
"""Value of a position at the close on which it is decided; USD."""

LOT: Final = 100
"""Most units of one fill: larger orders are filled in parts."""

FEE_RATE: Final = Decimal("0.00045")
"""Fee of a fill as a share of its value. Source: Hyperliquid's base fee for takers, 0.045 %."""

_OPENS: Final = time(9, 30, tzinfo=ZoneInfo("America/New_York"))

_Row = dict[str, Any]


def demo_fills() -> list[_Row]:
    """Return the fills of the sample rule from 2000 to 2013, oldest first.

    A decision is made on a close and executed at the open of the next day, so it never uses later
    prices. Some 430 positions are closed, five stay open, and many fills flip a position.

    Returns:
        Rows for `parse_fills` of `domain.venues.hyperliquid_api`, the same ones every time.

    Raises:
        UnavailableError: the prices are not installed.
    """
    rows = [
        row for ticker, bars in demo_bars().items() for row in rule_fills(f"xyz:{ticker}", bars)
    ]
    return sorted(rows, key=lambda row: row["time"])


def rule_fills(coin: str, bars: Sequence[DailyBar]) -> Iterator[_Row]:
    """Trade one market by the sample rule.

    Args:
        coin: the venue's name of the market.
        bars: its days in order.
    """
    closes: list[Decimal] = []
    position, entry = 0, Decimal(0)
    for today, tomorrow in pairwise(bars):
        closes.append(today.close)
        side = wanted_side(closes)
        if side * position > 0 or side == 0:
            continue
        target = side * int(STAKE_USD / today.close)
        yield from _order(coin, tomorrow, position, target, entry)
        position, entry = target, tomorrow.open


def _order(coin: str, bar: DailyBar, position: int, target: int, entry: Decimal) -> Iterator[_Row]:
    """Execute one order at the open, in fills of at most one lot."""
    oid = _number(coin, bar.day)
    side = 1 if target > position else -1
    part = 0
    while position != target:
        part += 1
        size = min(LOT, abs(target - position))
        closed = min(size, max(0, -side * position))
        yield {
            "coin": coin,
            "px": plain(bar.open),
            "sz": str(size),
            "side": "B" if side > 0 else "A",
            "time": _ms(bar.day),
            "startPosition": str(position),
            "dir": _word(position, position + side * size),
            "closedPnl": plain(-side * closed * (bar.open - entry)),
            "hash": f"0x{oid:064x}",
            "oid": oid,
            "crossed": True,
            "fee": plain(bar.open * size * FEE_RATE),
            "tid": _number(coin, bar.day, part),
            "feeToken": "USDC",
            "twapId": None,
        }
        position += side * size


def _word(start: int, end: int) -> str:
    """Return the venue's word for the direction of a fill."""
    if start * end < 0:
        return "Long > Short" if start > 0 else "Short > Long"
    holds = "Long" if start + end > 0 else "Short"
    return f"{'Open' if abs(end) > abs(start) else 'Close'} {holds}"


def _ms(day: date) -> int:
    return to_micros(datetime.combine(day, _OPENS)) // 1000


def _number(*parts: object) -> int:
    """Return an id that is always the same for the same parts."""
    digest = hashlib.sha256(" ".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:6])

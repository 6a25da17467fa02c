"""Files of made prices: hours with holes, days with weekends and a split, single prints."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from tests.unit.outcomes.recomputed import DAY, HOUR

MADE = 19_002 * DAY
"""When all made prices begin: a Monday of 2022; microseconds."""

Bars = list[tuple[int, float, float, float, float]]
"""When each opened, its open, high, low and close."""


def hours(chance: Random, count: int, lost: float = 0.01, price: float = 100.0) -> Bars:
    """Return hours that wander by 1 % each; some are missing."""
    bars = _walk(chance, [MADE + place * HOUR for place in range(count)], price, 0.01)
    return [one for one in bars if chance.random() > lost]


def days(
    chance: Random, count: int, of_week: int = 5, price: float = 100.0, split: int | None = None
) -> Bars:
    """Return days that wander by 2 % each.

    Args:
        of_week: how many days of a week have a bar, from Monday on.
        split: place of the first bar whose prices are a quarter of those before.
    """
    opened = [MADE + place * DAY for place in range(count) if place % 7 < of_week]
    bars = _walk(chance, opened, price, 0.02)
    if split is None:
        return bars
    return [
        (at, *(one / 4 if place >= split else one for one in prices))  # type: ignore[misc]
        for place, (at, *prices) in enumerate(bars)
    ]


def write_bars(path: Path, bars: Bars) -> Path:
    """Write a file of bars."""
    lines = [
        ",".join([str(at // 1000), *(f"{one:.4f}" for one in prices), "0"]) for at, *prices in bars
    ]
    path.write_text("\n".join(["t_open_ms,open,high,low,close,volume", *lines, ""]))
    return path


def write_prints(path: Path, chance: Random, coin: str, count: int) -> Path:
    """Write single prices some twenty minutes apart, and once two hours."""
    at, price, lines = MADE, 2.0, ["time_ms,coin,price,kind"]
    for place in range(count):
        at += 2 * HOUR if place == count // 2 else int(chance.uniform(1, 40) * HOUR / 60)
        price *= 1 + chance.gauss(0, 0.01)
        lines.append(f"{at // 1000},{coin},{price:.5f},seen")
    path.write_text("\n".join([*lines, ""]))
    return path


def write_split(path: Path, opened: int) -> Path:
    """Write a factor file: four for one from the bar on that opened at a moment."""
    day = datetime.fromtimestamp(opened // 1_000_000, UTC) - timedelta(days=1)
    path.write_text(f"{day:%Y%m%d},1,0.25,100\n20501231,1,1,0\n")
    return path


def _walk(chance: Random, opened: Sequence[int], price: float, step: float) -> Bars:
    """Return bars whose ranges go beyond their open and close."""
    bars, last = [], price
    for at in opened:
        close = last * (1 + chance.gauss(0, step))
        high = max(last, close) * (1 + abs(chance.gauss(0, step / 2)))
        low = min(last, close) * (1 - abs(chance.gauss(0, step / 2)))
        bars.append((at, last, high, low, close))
        last = close
    return bars

"""Exports in tests: a file read to its items, and the figures that a person can check by hand."""

from collections import Counter
from collections.abc import Iterable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

from afterword.pipeline.domain.exports.read import read_export
from afterword.pipeline.domain.fills.model import ClosedTrade, Fill
from afterword.pipeline.domain.layouts.layout import Item, LeftOut, Origin
from afterword.pipeline.rules.tabular.moments import read_zone


class MarketSum(NamedTuple):
    """What the fills of one market come to.

    Args:
        fills: how many.
        net: bought less sold, units.
        cash: received less paid for them, without fees; in the market's currency.
        fees: as they are written, whatever they were paid in.
    """

    fills: int
    net: Decimal
    cash: Decimal
    fees: Decimal


def items_of(path: Path, zone: str | None = None, symbol: str | None = None) -> list[Item]:
    """Return what a file holds, read to its end for the account `main`."""
    return list(read_items(path, zone, symbol)[1])


def read_items(
    path: Path, zone: str | None = None, symbol: str | None = None
) -> tuple[str, Iterator[Item]]:
    """Return the name of a file's layout, and what the file holds."""
    origin = Origin(path.name, "main", read_zone(zone) if zone else None, symbol)
    layout, items = read_export(path, origin)
    return layout.name, items


def fills_of(items: Iterable[Item]) -> list[Fill]:
    """Return the fills among items."""
    return [item for item in items if isinstance(item, Fill)]


def closed_of(items: Iterable[Item]) -> list[ClosedTrade]:
    """Return the closed trades among items."""
    return [item for item in items if isinstance(item, ClosedTrade)]


def left_out_of(items: Iterable[Item]) -> dict[str, int]:
    """Return how many rows were left out, by reason."""
    return dict(Counter(item.reason for item in items if isinstance(item, LeftOut)))


def markets_of(items: Iterable[Item]) -> dict[str, MarketSum]:
    """Return what the fills come to, by market."""
    found: dict[str, MarketSum] = {}
    for fill in fills_of(items):
        sign = 1 if fill.side == "B" else -1
        before = found.get(fill.symbol, MarketSum(0, Decimal(0), Decimal(0), Decimal(0)))
        found[fill.symbol] = MarketSum(
            before.fills + 1,
            before.net + sign * fill.sz,
            before.cash - sign * fill.px * fill.sz * fill.multiplier,
            before.fees + fill.fee,
        )
    return found


def fees_of(items: Iterable[Item]) -> dict[str, Decimal]:
    """Return what the fills cost, by the token it was paid in; without those that cost nothing."""
    found: dict[str, Decimal] = {}
    for fill in fills_of(items):
        token = fill.fee_token or fill.quote
        found[token] = found.get(token, Decimal(0)) + fill.fee
    return {token: fee for token, fee in found.items() if fee}

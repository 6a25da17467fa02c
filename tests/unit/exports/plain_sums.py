"""What a table comes to by plain sums of its raw rows, without any reader of the program."""

import csv
import re
from collections import defaultdict
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.layouts.layout import Item

D = Decimal
Sums = dict[str, tuple[Decimal, Decimal, Decimal | None]]
"""By market: units held at the end, received less paid, and fees; None where nobody says them."""


def read_sums(items: Iterable[Item]) -> Sums:
    sums: dict[str, list[Decimal]] = defaultdict(lambda: [D(0), D(0), D(0)])
    unknown = set()
    for fill in items:
        if isinstance(fill, Fill):
            row = sums[fill.symbol]
            row[0] += fill.move
            row[1] -= fill.move * fill.px * fill.multiplier
            row[2] += fill.fee
            unknown |= set() if fill.fee_is_known else {fill.symbol}
    return {
        market: (round(held, 8), round(cash, 8), None if market in unknown else round(fees, 12))
        for market, (held, cash, fees) in sums.items()
    }


class Rows(NamedTuple):
    """Where a table holds what is summed up.

    Args:
        way: the column of sides, and its words that buy and that sell.
        price: of one unit, or of all where `is_total`.
        fee: the column of fees, several parted by `+`; empty for none, None where nobody says them.
        head: how the header begins.
        times: units of price in one of the quantity.
    """

    market: str
    way: tuple[str, str, str]
    units: str
    price: str
    fee: str | None
    head: str = ""
    delimiter: str = ","
    mark: str = "."
    is_total: bool = False
    times: int = 1


def lines_below(file: Path, head: str) -> list[str]:
    lines = file.read_text("utf-8-sig").splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith(head) and line.strip())
    return lines[start:]


def number(text: str, mark: str = ".") -> Decimal:
    bare = re.sub(r"[^0-9.,()-]", "", text)
    bare = bare.replace("." if mark == "," else ",", "").replace(",", ".")
    return -D(bare[1:-1]) if bare.startswith("(") else D(bare or 0)


def plain_sums(file: Path, of: Rows) -> Sums:
    sums: dict[str, list[Decimal]] = defaultdict(lambda: [D(0), D(0), D(0)])
    column, buys, sells = of.way
    for row in csv.DictReader(lines_below(file, of.head), delimiter=of.delimiter):
        word = (row[column] or "").strip()
        if word not in (*buys.split("|"), *sells.split("|")) or not row[of.units]:
            continue
        units = abs(number(row[of.units], of.mark)) * (1 if word in buys.split("|") else -1)
        price = abs(number(row[of.price], of.mark))
        worth = price.copy_sign(units) if of.is_total else units * price * of.times
        fees = [number(row[one], of.mark) for one in (of.fee or "").split("+") if one]
        total = sums[row[of.market].strip()]
        total[:] = [total[0] + units, total[1] - worth, total[2] + sum(fees, D(0))]
    return {
        market: (round(held, 8), round(cash, 8), None if of.fee is None else round(fees, 12))
        for market, (held, cash, fees) in sums.items()
    }


def summed(trades: Iterable[tuple[str, Decimal, Decimal, Decimal | None]]) -> Sums:
    """Add up units with their sign, price and fee by market."""
    sums: Sums = {}
    for market, units, price, fee in trades:
        held, cash, fees = sums.get(market, (D(0), D(0), None if fee is None else D(0)))
        fees = None if fee is None or fees is None else fees + fee
        sums[market] = (held + units, round(cash - units * price, 8), fees)
    return sums

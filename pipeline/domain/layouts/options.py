"""Options on stocks: one name for a contract, and the side that an expiry takes."""

import re
from collections.abc import Callable, Iterable
from datetime import date, datetime
from decimal import Decimal
from typing import Final, Literal

from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.layouts.layout import Item

PER_CONTRACT: Final = Decimal(100)
"""Shares of one contract, where a file does not say it. Source: OCC, contract specifications."""

_OCC: Final = re.compile(r"\.?-?([A-Z][A-Z0-9.]{0,5}) *([0-9]{6})([CP])([0-9]{8})")


def occ_symbol(root: str, expiry: date, right: str, strike: Decimal) -> str:
    """Return a contract's name in the form of the OCC, without blanks: `IWM260501C00210000`.

    Args:
        right: begins with `c` or `p`, in any case.
        strike: USD; thousandths at most.
    """
    return f"{root}{expiry:%y%m%d}{right[:1].upper()}{int(strike * 1000):08d}"


def contract_of(text: str) -> tuple[str, str] | None:
    """Return name and underlying of a contract in the OCC's form, blanks left out; else None."""
    match = _OCC.fullmatch(text)
    return ("".join(match.groups()), match[1]) if match else None


def day_of(text: str, *patterns: str) -> date | None:
    """Return the day that a text names; None if no pattern of `strptime` fits."""
    for pattern in patterns:
        try:
            return datetime.strptime(text, pattern).date()  # noqa: DTZ007 - a day has no zone
        except ValueError:
            continue
    return None


class OpenContracts:
    """The contracts that the trades of a file leave open, to be closed by rows without a side.

    What an expiry closes is what the trades before it left, and a contract is not traded after its
    expiry: so the trades of the whole file count, wherever they stand. They are read when they are
    first asked for: most files have no such row.

    Args:
        trades: yields the items of the file; rows without a side may be left out.
    """

    def __init__(self, trades: Callable[[], Iterable[Item]]) -> None:
        self._trades = trades
        self._held: dict[str, Decimal] | None = None

    def closing_side(self, symbol: str, size: Decimal) -> Literal["B", "A"] | None:
        """Return the side that closes so many contracts, and take them from what is held.

        Returns:
            None if fewer are held: the file begins after the position.
        """
        if self._held is None:
            self._held = _bought_less_sold(self._trades())
        open_now = self._held.get(symbol, Decimal(0))
        if abs(open_now) < size:
            return None
        self._held[symbol] = open_now - size.copy_sign(open_now)
        return "A" if open_now > 0 else "B"


def _bought_less_sold(items: Iterable[Item]) -> dict[str, Decimal]:
    held: dict[str, Decimal] = {}
    for item in items:
        if isinstance(item, Fill) and item.kind == "option":
            signed = item.sz if item.side == "B" else -item.sz
            held[item.symbol] = held.get(item.symbol, Decimal(0)) + signed
    return held

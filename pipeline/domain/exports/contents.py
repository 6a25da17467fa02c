"""What a whole file comes to by a layout, before anything is stored."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Final

from afterword.pipeline.clock import EARLIEST, from_millis
from afterword.pipeline.domain.fills.model import EXACT, ClosedTrade, Fill
from afterword.pipeline.domain.layouts.layout import Item, LeftOut
from afterword.pipeline.domain.spot.model import SpotActivity
from afterword.pipeline.rules.market.decimals import plain
from afterword.pipeline.rules.masking import mask

_MOST: Final = 4
"""Markets that are named."""


@dataclass(frozen=True, slots=True)
class FileContents:
    """What a file holds.

    Args:
        fills, closed_trades: counts.
        markets: names in the order of the file, masked.
        first, last: moments of its trades (aware UTC); the earliest one of a file without any.
        open: units by market that fills leave open, masked; of several accounts, with the account.
        fees_unknown: trades whose fees nobody states (count).
        left_out: rows that are no trades, by reason.
    """

    fills: int
    closed_trades: int
    markets: tuple[str, ...]
    first: datetime
    last: datetime
    open: dict[str, Decimal]
    fees_unknown: int
    left_out: dict[str, int]

    def words(self) -> str:
        """Return it in one line: `2 fills of BTC, from … to … UTC, nothing open at the end`."""
        if not self.fills + self.closed_trades:
            return "no trades"
        counts = [(self.fills, "fill"), (self.closed_trades, "closed trade")]
        named = " and ".join(f"{rows} {what}{'s' * (rows > 1)}" for rows, what in counts if rows)
        words = [f"{named} of {_listed(self.markets)}"]
        words.append(f"from {self.first:%Y-%m-%d %H:%M} to {self.last:%Y-%m-%d %H:%M} UTC")
        if self.fills:
            words.append(self.open_words())
        if self.fees_unknown:
            words.append(f"fees of {self.fees_unknown} not known")
        if self.left_out:
            parts = [f"{reason} {rows}" for reason, rows in list(self.left_out.items())[:_MOST]]
            words.append(f"left out: {', '.join(parts)}")
        return ", ".join(words)

    def open_words(self) -> str:
        """Return what is open at the end."""
        rest = [f"{plain(units)} {symbol}" for symbol, units in self.open.items()]
        return f"open at the end: {_listed(rest)}" if rest else "nothing open at the end"


def contents_of(items: Iterable[Item]) -> FileContents:
    """Return what the items of a file come to.

    Raises:
        InvalidInputError: a row is bad, while the items are read.
    """
    left_out: Counter[str] = Counter()
    markets: Counter[str] = Counter()
    held: dict[tuple[str, str], Decimal] = {}
    fills = closed = fees_unknown = 0
    first = last = EARLIEST
    for item in items:
        if isinstance(item, LeftOut):
            left_out[mask(item.reason)] += 1
            continue
        if isinstance(item, SpotActivity):
            continue
        at = from_millis(item.time_ms) if isinstance(item, Fill) else item.closed_at
        first, last = (at, at) if not fills + closed else (min(first, at), max(last, at))
        markets[mask(item.symbol)[:40]] += 1
        if isinstance(item, ClosedTrade):
            closed += 1
            fees_unknown += item.fees is None
            continue
        fills += 1
        fees_unknown += not item.fee_is_known
        key = (item.account, item.symbol)
        move = EXACT.subtract(item.move, item.coin_fee)
        held[key] = EXACT.add(held.get(key, Decimal(0)), move)
    accounts = {account for account, _ in held}
    rest = {
        _open_name(account if len(accounts) > 1 else "", symbol): units
        for (account, symbol), units in held.items()
        if units
    }
    names = tuple(markets)
    return FileContents(
        fills, closed, names, first, last, rest, fees_unknown, dict(left_out.most_common())
    )


def _open_name(account: str, symbol: str) -> str:
    name = mask(symbol)[:40]
    return f"{name} of {mask(account)[:40]}" if account else name


def _listed(names: Iterable[str]) -> str:
    every = list(names)
    more = len(every) - _MOST
    return ", ".join(every[:_MOST]) + (f" and {more} more" if more > 0 else "")

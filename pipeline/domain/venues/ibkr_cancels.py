"""Which executions of Interactive Brokers another row of the same file cancels."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Final, NamedTuple

CANCELS: Final = "cancel of a trade"
CANCELS_NOTHING: Final = "cancel of a trade that the file does not hold"

_NO_IDS: Final = ("", "0")


class Execution(NamedTuple):
    """An execution, or a row that cancels one.

    Args:
        account: as the file writes it; empty where the file is of one.
        ids: what names it: of an execution its transaction and its trade, of a cancel the
            transaction and the trade that it cancels.
        terms: market, units without sign, price and moment, as the file writes them.
        fee: what it cost, negative where it was paid back; in `fee_token`.
    """

    line: int
    is_cancel: bool
    account: str
    ids: tuple[str, str]
    terms: tuple[str, ...]
    fee: Decimal
    fee_token: str

    def names(self) -> Iterator[tuple[object, ...]]:
        """Yield what a cancel and its trade have in common, the surest first."""
        for place, name in enumerate(self.ids):
            if name not in _NO_IDS:
                yield self.account, place, name
        yield self.account, *self.terms


def left_out_rows(read: Callable[[], Iterable[Execution]]) -> Mapping[int, str]:
    """Return the lines of cancelled executions and of their cancels, each with its reason.

    A cancel takes back units and price. A fee that it does not pay back stays paid, and is told.

    Args:
        read: yields the rows of the file, each time anew, so that only those of cancels are held.
    """
    cancels = [row for row in read() if row.is_cancel]
    trades: dict[tuple[object, ...], deque[Execution]] = {
        name: deque() for cancel in cancels for name in cancel.names()
    }
    if not cancels:
        return {}
    for row in read():
        if not row.is_cancel:
            for name in trades.keys() & set(row.names()):
                trades[name].append(row)
    reasons: dict[int, str] = {}
    for cancel in cancels:
        trade = _taken(cancel, trades, reasons)
        reasons[cancel.line] = CANCELS_NOTHING if trade is None else CANCELS
        if trade is not None:
            reasons[trade.line] = _reason(trade, cancel)
    return reasons


def _taken(
    cancel: Execution,
    trades: dict[tuple[object, ...], deque[Execution]],
    reasons: Mapping[int, str],
) -> Execution | None:
    """Take the first execution out of `trades` that a cancel names and no other cancelled."""
    for name in cancel.names():
        while trades[name]:
            trade = trades[name].popleft()
            if trade.line not in reasons:
                return trade
    return None


def _reason(trade: Execution, cancel: Execution) -> str:
    paid = trade.fee + cancel.fee
    stays = f", whose fee of {paid:f} {trade.fee_token} was not paid back" if paid else ""
    return f"cancelled trade{stays}"

"""Closed positions of a MetaTrader 5 report that lists its deals only."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from afterword.pipeline.domain.documents.cells import Cells
from afterword.pipeline.domain.fills.model import ClosedTrade, position_side_of
from afterword.pipeline.domain.layouts.amounts import whole_multiplier
from afterword.pipeline.domain.layouts.layout import Item, LeftOut, Origin, line_of
from afterword.pipeline.domain.layouts.pairs import FIAT, ratio
from afterword.pipeline.rules.setup import Direction

TIMES: Final = ("%Y.%m.%d %H:%M:%S", "%Y.%m.%d %H:%M")
DEAL_COLUMNS: Final = ("Time", "Deal", "Symbol", "Type", "Direction", "Volume", "Price", "Profit")

_SIDES: Final = ("buy", "sell")
_COSTS: Final = ("Commission", "Fee")
_ZERO: Final = Decimal(0)


@dataclass(slots=True)
class _Position:
    """One side of a market from its first deal to flat; amounts are lots and account currency.

    Args:
        held: lots; below 0 where the report begins after the position was opened.
    """

    symbol: str
    direction: Direction
    rows: list[Cells] = field(default_factory=list)
    held: Decimal = _ZERO
    entered: Decimal = _ZERO
    paid: Decimal = _ZERO
    left: Decimal = _ZERO
    received: Decimal = _ZERO
    gross: Decimal = _ZERO
    fees: Decimal = _ZERO
    swap: Decimal = _ZERO

    def add(self, row: Cells, size: Decimal, *, opens: bool) -> None:
        """Take a deal, or so many lots of it; profit and swap belong to what it closes."""
        share = ratio(size, row.positive("Volume"))
        price = row.price("Price")
        self.rows.append(row)
        self.held += size if opens else -size
        self.fees -= sum((row.number_or_zero(name) for name in _COSTS), _ZERO) * share
        if opens:
            self.entered, self.paid = self.entered + size, self.paid + size * price
            if share < 1:
                return
        else:
            self.left, self.received = self.left + size, self.received + size * price
            self.gross += row.number_or_zero("Profit")
        self.swap += row.number_or_zero("Swap")

    @property
    def is_whole(self) -> bool:
        """Tell a position whose opening deals are in the report."""
        return self.entered == self.left

    def move(self) -> Decimal:
        """Return the profit if a lot were one unit."""
        move = self.received - self.paid
        return move if self.direction == "long" else -move


def closed_by_deals(rows: Iterable[Cells], quote: str, origin: Origin) -> Iterator[Item]:
    """Yield what positions came to, from flat to flat, and the deals that they were made of.

    A hedging account may hold a long and a short position of a market: a deal says by its type and
    direction which of the two it moves. Positions of one side are not told apart by deals, so they
    are one until all of them are closed.
    """
    done: list[_Position] = []
    running: dict[tuple[str, str], _Position] = {}
    sorts = [(row, row.text("Type").lower()) for row in rows]
    items: list[Item] = [
        LeftOut(row.line, sort or "other row") for row, sort in sorts if sort not in _SIDES
    ]
    for row in (row for row, sort in sorts if sort in _SIDES):
        done += [
            running.pop((position.symbol, position.direction))
            for position in _moved(row, running)
            if position.held <= 0
        ]
    whole: dict[str, list[_Position]] = {}
    for position in done:
        whole.setdefault(position.symbol, [])
        if position.is_whole:
            whole[position.symbol].append(position)
    lots = {
        symbol: whole_multiplier((one.gross, one.move()) for one in of)
        for symbol, of in whole.items()
    }
    items += (_closed(one, lots[one.symbol], quote, origin) for one in done)
    counted = {one.rows[-1].text("Deal") for one in done}
    others = {  # a deal that turned a position is in two of them
        row.text("Deal"): LeftOut(row.line, reason)
        for reason, positions in (
            ("deal of an open position", list(running.values())),
            ("deal of a position", done),
        )
        for one in positions
        for row in one.rows
    }
    items += (other for deal, other in others.items() if deal not in counted)
    yield from sorted(items, key=line_of)


def _moved(row: Cells, running: dict[tuple[str, str], _Position]) -> Iterator[_Position]:
    """Yield the positions that a deal moves: one, or two where it turns one into the other."""
    side = row.side("Type", _SIDES[:1], _SIDES[1:])
    way, size = row.text("Direction").lower(), row.positive("Volume")
    symbol = row.text("Symbol")
    if way not in ("in", "out", "in/out", "out by"):
        raise row.refusal("Direction", "in, out, in/out or out by")
    if way != "in":
        closing = _position(running, symbol, position_side_of(side, "close"))
        part = size if way != "in/out" else min(size, max(closing.held, _ZERO)) or size
        closing.add(row, part, opens=False)
        size -= part
        yield closing
    if way in ("in", "in/out") and size:
        opening = _position(running, symbol, position_side_of(side, "open"))
        opening.add(row, size, opens=True)
        yield opening


def _position(
    running: dict[tuple[str, str], _Position], symbol: str, direction: Direction
) -> _Position:
    return running.setdefault((symbol, direction), _Position(symbol, direction))


def _closed(position: _Position, lot: Decimal, quote: str, origin: Origin) -> ClosedTrade:
    first, last = position.rows[0], position.rows[-1]
    zone = origin.zone_or_refuse()
    return ClosedTrade(
        venue="metatrader",
        account=origin.account,
        symbol=position.symbol,
        kind="forex" if position.symbol[:3] in FIAT and position.symbol[3:6] in FIAT else "cfd",
        direction=position.direction,
        size=position.left,
        multiplier=lot,
        quote=quote or "USD",
        opened_at=first.moment("Time", zone, *TIMES) if position.is_whole else None,
        closed_at=last.moment("Time", zone, *TIMES),
        entry_px=ratio(position.paid, position.entered) if position.is_whole else None,
        exit_px=ratio(position.received, position.left),
        gross=position.gross,
        fees=position.fees,
        funding=position.swap,
        net=position.gross - position.fees + position.swap,
        net_is_after="fees",
        trade_id=f"deal {last.text('Deal')}",
        raw=f'{{"deals":[{",".join(row.raw() for row in position.rows)}]}}',
        line=last.line,
    )

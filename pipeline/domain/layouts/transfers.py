"""Coins that a statement shows coming and going: a withdrawal takes them out of what is held.

Positions are made of fills, so a fill after a withdrawal is told how many units were left, as the
fills of a venue that states its balances are.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from typing import Final, NamedTuple

from afterword.pipeline.domain.fills.model import EXACT, AccountMarket, Fill
from afterword.pipeline.domain.layouts.layout import Item

_ZERO: Final = Decimal(0)

ALL: Final = Decimal("0.01")
"""Share of what is held by which a withdrawal of all may differ from it: rewards and fees of the
network are no trades."""


class Transfer(NamedTuple):
    """Units of a coin that came, if positive, or left an account without a trade."""

    coin: str
    amount: Decimal
    time_ms: int


@dataclass
class _Holding:
    """The units of a coin, as far as the file shows them coming.

    Args:
        bought: by its fills; `deposited` came without a price.
        markets: in which it was traded; `untold` of them have no fill yet since units left.
    """

    bought: Decimal = _ZERO
    deposited: Decimal = _ZERO
    markets: set[AccountMarket] = field(default_factory=set)
    untold: set[AccountMarket] = field(default_factory=set)

    def trade(self, fill: Fill) -> Fill:
        """Take in a fill; return it with the units held before it if some had left."""
        stated = fill
        if fill.market in self.untold:
            self.untold.remove(fill.market)
            stated = fill._replace(start_position=self.bought)
        self.markets.add(fill.market)
        self.bought += fill.move - fill.coin_fee
        if self.bought < 0:  # more was sold than bought: of what was deposited
            self.deposited = max(_ZERO, self.deposited + self.bought)
            self.bought = _ZERO
        return stated

    def move(self, amount: Decimal) -> None:
        """Take in a transfer: units without a price leave first.

        Which units left is not known where more left than the file shows coming: they may be older
        than it, and what it shows may still be there.
        """
        self.deposited += amount
        if self.deposited >= 0:
            return
        missing, self.deposited = -self.deposited, _ZERO
        near = ALL * self.bought
        if missing <= self.bought + near and self.bought:
            left = self.bought - missing
            self.bought = left if left > near else _ZERO
            self.untold = set(self.markets)


def bounded(items: Iterable[Item], transfers: Iterable[Transfer]) -> list[Item]:
    """Return the items of a file; of each market the first fill after a withdrawal says what is
    left to be sold.

    Args:
        items: of one account, in any order; it is kept.
        transfers: in any order.
    """
    known = list(items)
    events: list[tuple[int, int, Transfer | int]] = [
        (transfer.time_ms, 0 if transfer.amount > 0 else 2, transfer) for transfer in transfers
    ]
    fills = ((place, item) for place, item in enumerate(known) if isinstance(item, Fill))
    events += [(fill.time_ms, 1, place) for place, fill in fills]
    holdings: dict[str | None, _Holding] = defaultdict(_Holding)
    with localcontext(EXACT):
        for _, _, event in sorted(events, key=lambda event: event[:2]):
            if isinstance(event, Transfer):
                holdings[event.coin].move(event.amount)
            elif isinstance(fill := known[event], Fill):
                known[event] = holdings[fill.base].trade(fill)
    return known

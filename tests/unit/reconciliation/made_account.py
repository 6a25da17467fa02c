"""An account at the test venue that keeps its own books, in cash, apart from what the program sums.

Its value is what was paid in and out, what was bought and sold at which price, and what is held at
the mark: no profit is added up for it. Rows and states are written as the venue writes them.
"""

from collections import defaultdict
from decimal import Decimal
from typing import Any

from afterword.pipeline.testing.faulty_server import Reply
from afterword.pipeline.testing.venue_server import VenueAccount, spot_balance, venue_fill

HOUR_MS = 3_600_000
ZERO = Decimal(0)


class MadeAccount:
    """Books of one account.

    Args:
        venue: where its rows and states are written.
        at_ms: where its clock begins, a full hour; UTC milliseconds.
    """

    def __init__(self, venue: VenueAccount, address: str, at_ms: int, first_tid: int = 1) -> None:
        self.venue, self.address, self.at_ms = venue, address, at_ms
        self.perps, self.spot = ZERO, ZERO
        self.held: dict[str, Decimal] = defaultdict(Decimal)
        self.entry: dict[str, Decimal] = {}
        self.marks: dict[str, Decimal] = {}
        self.tokens: dict[str, Decimal] = defaultdict(Decimal)
        self._tid = first_tid

    def wait(self, minutes: int = 7) -> int:
        """Let time pass; return the moment, and book the funding of each full hour."""
        for _ in range(minutes):
            self.at_ms += 60_000
            if self.at_ms % HOUR_MS == 0:
                self._fund()
        return self.at_ms

    def update(self, type: str, /, **fields: Any) -> Reply:
        """Add an update to the ledger."""
        row = {"time": self.wait(), "hash": f"0x{self.next_tid():064x}"}
        row["delta"] = {"type": type, **fields}
        self.venue.ledger.append(row)
        return row

    def deposit(self, usdc: str) -> None:
        self.update("deposit", usdc=usdc)
        self.perps += Decimal(usdc)

    def withdraw(self, usdc: str, fee: str = "1.0") -> None:
        self.update("withdraw", usdc=usdc, nonce=1, fee=fee)
        self.perps -= Decimal(usdc) + Decimal(fee)

    def to_spot(self, usdc: str) -> None:
        """Move dollars to the spot account, or back if negative."""
        amount = Decimal(usdc)
        self.update("accountClassTransfer", usdc=str(abs(amount)), toPerp=amount < 0)
        self.perps, self.spot = self.perps - amount, self.spot + amount

    def send(self, other: "MadeAccount", usdc: str, type: str = "subAccountTransfer") -> None:
        """Send dollars to another account, in whose ledger the same update stands."""
        ends = {"user": self.address, "destination": other.address}
        row = self.update(type, usdc=usdc, **ends)
        other.at_ms = max(self.at_ms, other.at_ms)
        other.venue.ledger.append(row)
        self.perps, other.perps = self.perps - Decimal(usdc), other.perps + Decimal(usdc)

    def trade(self, coin: str, size: str, price: str, fee: str = "0.05", **changes: Any) -> Reply:
        """Trade a perpetual; a negative size is a sale. The mark follows."""
        move, px, start = Decimal(size), Decimal(price), self.held[coin]
        closed = min(abs(move), abs(start)) if move * start < 0 else ZERO
        profit = closed * (px - self.entry.get(coin, ZERO)) * (1 if start > 0 else -1)
        self.held[coin] = after = start + move
        if after * start <= 0:
            self.entry[coin] = px
        elif abs(after) > abs(start):
            self.entry[coin] = (start * self.entry[coin] + move * px) / after
        self.perps -= move * px + Decimal(fee)
        self.marks[coin] = px
        tid = self.next_tid()
        row = venue_fill(tid, self.wait(), size, str(start), coin=coin, px=price, fee=fee)
        row |= {"closedPnl": f"{profit:.6f}"} | changes
        self.venue.trade([row])
        return row

    def buy_token(self, size: str, price: str, fee: str) -> None:
        """Buy or sell the token HYPE; a purchase pays its fee in it."""
        move, px, start = Decimal(size), Decimal(price), self.tokens["HYPE"]
        is_sale = move < 0
        self.spot -= move * px + (Decimal(fee) if is_sale else ZERO)
        self.tokens["HYPE"] += move - (ZERO if is_sale else Decimal(fee))
        paid = {"fee": fee, "feeToken": "USDC" if is_sale else "HYPE"}
        word = {"dir": "Sell" if is_sale else "Buy"}
        more = {"coin": "@107", "px": price} | paid | word
        self.venue.trade([venue_fill(self.next_tid(), self.wait(), size, str(start), **more)])

    def publish(self, **marks: str) -> Decimal:
        """Write what the venue says the account holds; return its value in dollars."""
        self.marks |= {coin: Decimal(mark) for coin, mark in marks.items()}
        moment = self.wait(1)
        positions = [
            {
                "type": "oneWay",
                "position": {
                    "coin": coin,
                    "szi": str(units),
                    "unrealizedPnl": f"{units * (self.marks[coin] - self.entry[coin]):.6f}",
                },
            }
            for coin, units in self.held.items()
            if units
        ]
        value = self.perps + sum(units * self.marks[coin] for coin, units in self.held.items())
        self.venue.states[""] = {
            "marginSummary": {"accountValue": f"{value:.6f}"},
            "assetPositions": positions,
            "time": moment,
        }
        balances = {"USDC": self.spot, **self.tokens}
        self.venue.spot = {
            "balances": [
                spot_balance(index, coin, f"{units:f}")
                for index, (coin, units) in enumerate(balances.items())
            ]
        }
        return value + self.spot

    def next_tid(self) -> int:
        self._tid += 1
        return self._tid

    def _fund(self) -> None:
        for coin, units in self.held.items():
            if not units:
                continue
            usdc = round(-units * self.marks[coin] * Decimal("0.000125"), 6)
            self.perps += usdc
            delta = {"type": "funding", "coin": coin, "usdc": f"{usdc:f}", "szi": str(units)}
            delta |= {"fundingRate": "0.000125"}
            self.venue.funding.append({"time": self.at_ms, "delta": delta})

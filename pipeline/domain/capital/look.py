"""Ask Hyperliquid what accounts hold: each part of each account, and why one was not told."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Final, TypeVar

from afterword.pipeline.domain.balances import replies
from afterword.pipeline.domain.capital.model import CapitalPartName
from afterword.pipeline.domain.fills.model import EXACT
from afterword.pipeline.domain.fills.money import to_micro_usd
from afterword.pipeline.errors import PostponedError
from afterword.pipeline.gateway.budget import NotSentError
from afterword.pipeline.gateway.http.model import (
    AskFailedError,
    BusyError,
    RefusedError,
    SetupError,
)
from afterword.pipeline.gateway.venue.info import VenueInfo

_OF_THE_VENUE: Final = (BusyError, SetupError, NotSentError, PostponedError)
"""Errors that every other question would meet, too."""

_NOTHING: Final = Decimal(0)
_MOST_USD: Final = 10**11
_Answer = TypeVar("_Answer")


@dataclass(frozen=True, slots=True)
class LookedPart:
    """What a look at one part of an account came to.

    Args:
        value_micro_usd: micro-USD; None where it was not told.
        error: why it was not told; None where it was.
        unpriced: tokens that have no price.
    """

    part: CapitalPartName
    value_micro_usd: int | None = None
    error: AskFailedError | RefusedError | None = None
    unpriced: tuple[str, ...] = ()


class CapitalLook:
    """One look at some accounts: what is the same for all of them is asked once.

    Args:
        venue: Hyperliquid's info API.
    """

    def __init__(self, venue: VenueInfo) -> None:
        self._venue = venue
        self._collaterals: dict[str, int] = {}

    def at(self, address: str) -> tuple[LookedPart, LookedPart]:
        """Return the spot balances of an address, and its equity in perpetuals.

        The balances of an account that shares them with its perpetuals hold all of its money: its
        equity by dex is a part of them, and counts nothing.

        Raises:
            PostponedError, UnavailableError: the venue answers nobody for now.
        """
        shares = _answer(lambda: replies.shares_balances(self._venue, address))
        if isinstance(shares, Exception):  # which part has the money is not known then
            return LookedPart("spot", error=shares), LookedPart("perp", error=shares)
        spot = _answer(lambda: self._spot(address))
        if isinstance(spot, Exception):
            spot = LookedPart("spot", error=spot)
        if shares:
            return spot, LookedPart("perp", 0)
        equity = _answer(lambda: self._equity(address))
        if isinstance(equity, Exception):
            return spot, LookedPart("perp", error=equity)
        return spot, _looked("perp", equity)

    def _spot(self, address: str) -> LookedPart:
        value, unpriced = _NOTHING, []
        for balance in replies.spot_balances(self._venue, address):
            price = None if balance.token is None else self._price(balance.token)
            if price is None:
                unpriced.append(balance.name)
            else:
                value = EXACT.add(value, EXACT.multiply(balance.total, price))
        return _looked("spot", value, tuple(sorted(unpriced)))

    def _equity(self, address: str) -> Decimal:
        value = _NOTHING
        for dex in self._dexes:
            equity = replies.perp_state(self._venue, address, dex).equity
            if equity:
                value = EXACT.add(value, EXACT.multiply(equity, self._collateral_price(dex)))
        return value

    @cached_property
    def _dexes(self) -> tuple[str, ...]:
        return replies.perp_dexes(self._venue)

    @cached_property
    def _prices(self) -> dict[int, Decimal]:
        return replies.token_prices(self._venue)

    def _price(self, token: int) -> Decimal | None:
        # Most accounts hold USDC alone: they need no list of all markets.
        return Decimal(1) if token == replies.USDC_TOKEN else self._prices.get(token)

    def _collateral_price(self, dex: str) -> Decimal:
        if not dex:
            return Decimal(1)
        if dex not in self._collaterals:
            self._collaterals[dex] = replies.collateral_of(self._venue, dex)
        price = self._price(self._collaterals[dex])
        if price is None:
            raise AskFailedError("Hyperliquid has no price of what a dex keeps its accounts in")
        return price


def _looked(part: CapitalPartName, usd: Decimal, unpriced: tuple[str, ...] = ()) -> LookedPart:
    """Return a part that was told; a sum that nobody can own is a wrong mark, and no value."""
    if abs(usd) >= _MOST_USD:
        problem = f"Hyperliquid's marks make it more than {_MOST_USD:,} dollars"
        return LookedPart(part, error=AskFailedError(problem))
    return LookedPart(part, to_micro_usd(usd), unpriced=unpriced)


def _answer(ask: Callable[[], _Answer]) -> _Answer | AskFailedError | RefusedError:
    """Return an answer, or the error of this question alone."""
    try:
        return ask()
    except _OF_THE_VENUE:
        raise
    except (AskFailedError, RefusedError) as error:
        return error

"""Ask Hyperliquid what an account is worth now."""

from datetime import datetime, timedelta
from decimal import Decimal
from functools import reduce
from typing import Final

from afterword.pipeline.clock import EPOCH
from afterword.pipeline.domain.balances import replies
from afterword.pipeline.domain.balances.model import AccountValue
from afterword.pipeline.domain.fills.model import EXACT
from afterword.pipeline.gateway.venue.info import VenueInfo
from afterword.pipeline.rules.market.decimals import plain

_MS: Final = timedelta(milliseconds=1)
_NOTHING: Final = Decimal(0)


def ask_value(venue: VenueInfo, address: str, now: datetime) -> AccountValue:
    """Return what the venue says an account holds.

    Args:
        now: counts where the venue does not say its own time.

    Raises:
        AskFailedError: no usable reply; see `HyperliquidInfo.ask` for the others.
    """
    is_unified = replies.shares_balances(venue, address)
    dexes = replies.perp_dexes(venue)
    tokens = {balance.token: balance for balance in replies.spot_balances(venue, address)}
    dollars = tokens.pop(replies.USDC_TOKEN, None)
    beside = {balance.name: plain(balance.total) for balance in tokens.values()}
    states = [replies.perp_state(venue, address, dex) for dex in dexes]
    in_dollars = []
    for dex, state in zip(dexes, states, strict=True):
        token = _collateral(venue, dex, state)
        if token == replies.USDC_TOKEN:
            in_dollars.append(state)
        elif not is_unified:  # else it is a part of a spot balance
            name = tokens[token].name if token in tokens else f"token {token}"
            beside[f"{name} in {dex}"] = plain(state.equity)
    moment = states[0].time_ms
    return AccountValue(
        time_ms=(now - EPOCH) // _MS if moment is None else moment,
        perps=reduce(EXACT.add, (state.equity for state in in_dollars), _NOTHING),
        unrealised=reduce(EXACT.add, (state.unrealised for state in in_dollars), _NOTHING),
        spot_usdc=_NOTHING if dollars is None else dollars.total,
        is_unified=is_unified,
        positions={
            coin: plain(units) for state in states for coin, units in state.positions.items()
        },
        tokens=beside,
    )


def _collateral(venue: VenueInfo, dex: str, state: replies.PerpState) -> int:
    """Return the index of the token that a state is in; an empty one costs no question."""
    if not dex or not (state.equity or state.positions):
        return replies.USDC_TOKEN
    return replies.collateral_of(venue, dex)

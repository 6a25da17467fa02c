"""Ask Hyperliquid what an account is worth now."""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Final

from afterword.pipeline.clock import EPOCH
from afterword.pipeline.domain.balances.model import AccountValue
from afterword.pipeline.domain.fills.model import EXACT
from afterword.pipeline.gateway.http.model import AskFailedError
from afterword.pipeline.gateway.venue.info import VenueInfo
from afterword.pipeline.gateway.venue.model import InfoRequest
from afterword.pipeline.rules.market.decimals import plain

_UNIFIED: Final = frozenset({"unifiedAccount", "portfolioMargin"})
"""Modes in which positions stand on the dollars of the spot account. Source: Hyperliquid docs,
"Account abstraction modes"."""

_MOST_ROWS: Final = 1_000
_DEX_BYTES: Final = 65_536
_NAME: Final = re.compile(r"[A-Za-z0-9@#:/._+-]{1,64}")
_DECIMAL: Final = re.compile(r"-?[0-9]{1,20}(?:\.[0-9]{1,20})?")
_MS: Final = timedelta(milliseconds=1)
_NOTHING: Final = Decimal(0)


def ask_value(venue: VenueInfo, address: str, now: datetime) -> AccountValue:
    """Return what the venue says an account holds.

    Args:
        now: counts where the venue does not say its own time.

    Raises:
        AskFailedError: no usable reply; see `HyperliquidInfo.ask` for the others.
    """
    user = {"user": address}
    mode: Any = venue.ask(InfoRequest("userAbstraction", user, 1))
    dexes = ("", *_dexes(venue.ask(InfoRequest("perpDexs", {}, 64, _DEX_BYTES))))
    spot = _spot(venue.ask(InfoRequest("spotClearinghouseState", user, _MOST_ROWS)))
    states: list[Any] = [
        venue.ask(InfoRequest("clearinghouseState", user | ({"dex": dex} if dex else {}), 1_000))
        for dex in dexes
    ]
    perps, unrealised, positions = _NOTHING, _NOTHING, {}
    for state in states:
        perps = EXACT.add(perps, _number(_part(state, "marginSummary"), "accountValue"))
        for position in _positions(state):
            unrealised = EXACT.add(unrealised, _number(position, "unrealizedPnl"))
            positions[_name(position)] = plain(_number(position, "szi"))
    moment = states[0].get("time")
    return AccountValue(
        time_ms=moment if type(moment) is int and moment >= 0 else (now - EPOCH) // _MS,
        perps=perps,
        unrealised=unrealised,
        spot_usdc=spot.pop("USDC", _NOTHING),
        is_unified=mode in _UNIFIED,
        positions=positions,
        tokens={name: plain(total) for name, total in spot.items() if total},
    )


def _dexes(reply: Any) -> Iterator[str]:
    """Yield the names of all dexes but the first, which has none."""
    if not isinstance(reply, list):
        raise AskFailedError("Hyperliquid sent no list of dexes; try again later")
    for dex in reply:
        if dex is not None:
            yield _name(_mapping(dex), "name")


def _spot(reply: Any) -> dict[str, Decimal]:
    balances = _mapping(reply).get("balances")
    if not isinstance(balances, list):
        raise AskFailedError("Hyperliquid sent no balances; try again later")
    return {_name(_mapping(balance)): _number(balance, "total") for balance in balances}


def _positions(state: Any) -> Iterator[Mapping[str, Any]]:
    rows = _mapping(state).get("assetPositions")
    if not isinstance(rows, list):
        raise AskFailedError("Hyperliquid sent no positions; try again later")
    return (_part(row, "position") for row in rows)


def _part(reply: Any, name: str) -> Mapping[str, Any]:
    return _mapping(_mapping(reply).get(name))


def _mapping(reply: Any) -> Mapping[str, Any]:
    if not isinstance(reply, Mapping):
        raise AskFailedError("Hyperliquid sent a state that is none; try again later")
    return reply


def _name(row: Mapping[str, Any], field: str = "coin") -> str:
    name = row.get(field)
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise AskFailedError(f"Hyperliquid sent a state without a {field}; try again later")
    return name


def _number(row: Mapping[str, Any], name: str) -> Decimal:
    text = row.get(name)
    if not isinstance(text, str) or not _DECIMAL.fullmatch(text):
        raise AskFailedError(f"Hyperliquid sent a state whose {name} is no number; try again later")
    return Decimal(text)
